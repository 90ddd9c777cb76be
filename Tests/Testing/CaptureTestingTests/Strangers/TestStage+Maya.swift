import AVFoundation
import CaptureTesting
import Foundation

extension TestStage {
    /// Maya, two metres away, with a tone of 440 Hz.
    static var mayaWithTone: TestStage {
        var maya = Member.face("maya", box: CGRect(x: 0.4, y: 0.3, width: 0.2, height: 0.4), depth: 2)
        maya.sound = .tone(440, level: -20)
        return TestStage(maya)
    }

    /// The same, before a phone that runs one camera at a time.
    static var mayaBeforeOneCamera: TestStage {
        var stage = mayaWithTone
        for index in stage.cameras.indices { stage.cameras[index].hardware.hasMultiCam = false }
        return stage
    }
}
