import Foundation
import FuzzSupport
import Testing

@testable import AVFoundation

@Suite("Profiles of phones, changed by chance")
struct PhoneFuzzTests {
    @Test("are read with numbers in their ranges, or refused")
    func phones() throws {
        let mutator = TextMutator(CameraProfile.Phone.shipped.map(\.text))
        try FuzzRun("phone", count: 1000)({ mutator(&$0) }) { input, seed in
            do {
                let cameras = try CameraProfile.Phone(input, file: "fuzz.json").devices
                #expect(cameras.allSatisfy { $0.focalLength.isFinite && $0.focalLength <= 10_000 }, "seed \(seed)")
                for camera in cameras where !camera.isMicrophone {
                    let formats = camera.formats.map { AVCaptureDevice.Format($0, canRenderAperture: true, canFocus: true) }
                    #expect(formats.allSatisfy { !$0.videoSupportedFrameRateRanges.isEmpty }, "seed \(seed)")
                }
            } catch let error as CameraProfileError { #expect(!error.reason.isEmpty, "seed \(seed)") }
        }
    }
}
