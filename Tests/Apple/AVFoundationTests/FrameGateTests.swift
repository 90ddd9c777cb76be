import AVFoundation
import CoreMedia
import Testing

@testable import AVFCapture

@Suite("The gate of a camera's frame rate") struct FrameGateTests {
    @Test("takes every frame of a source whose rate varies, where the camera asks for no lower one")
    func variableRate() {
        // 20 frames in 0.633 s; a camera's rates are rounded to the microsecond.
        let own = CMTime(value: 19, timescale: 600)
        var gate = FrameGate()
        var time = CMTime.zero
        for index in 0..<20 {
            let isAdmitted = gate.admits(time, every: CMTime(value: 31_667, timescale: 1_000_000), own: own)
            #expect(isAdmitted, "frame \(index)")
            time = time + CMTime(value: index % 3 == 0 ? 10 : 30, timescale: 600)
        }
    }

    @Test("takes every other frame of a source twice as fast as the camera is set")
    func half() {
        var gate = FrameGate()
        let admitted = (0..<10).filter {
            gate.admits(CMTime(value: Int64($0), timescale: 60), every: CMTime(value: 1, timescale: 30), own: CMTime(value: 1, timescale: 60))
        }
        #expect(admitted == [0, 2, 4, 6, 8])
    }
}
