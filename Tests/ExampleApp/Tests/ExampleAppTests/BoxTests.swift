import AVFoundation
import CaptureTesting
import Testing

@testable import ExampleApp

@Suite("What is drawn")
struct BoxTests {
    @Test("faces and things are drawn, bodies are not, and a fixed focus locks")
    func boxes() async {
        let camera = CameraModel()
        let place = CGRect(x: 0.1, y: 0.1, width: 0.2, height: 0.2)
        await camera.show([
            AVMetadataFaceObject(objectID: 1, groupID: 1, bounds: place, yawAngle: 10, focusMode: .weak),
            AVMetadataHumanBodyObject(objectID: 2, groupID: 1, bounds: place),
            AVMetadataSalientObject(objectID: 3, bounds: place),
        ])
        #expect(await camera.boxes.map(\.id) == [1, 3])
        #expect(await camera.boxes.map(\.mode) == [.weak, .none])
        #expect(await !camera.isFocusLocked)
        await camera.show([AVMetadataSalientObject(objectID: 4, bounds: place, focusMode: .strong, isFixedFocus: true)])
        #expect(await camera.boxes.isEmpty)
        #expect(await camera.isFocusLocked)
    }
}
