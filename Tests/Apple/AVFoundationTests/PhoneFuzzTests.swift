import AVFoundation
import Foundation
import FuzzSupport
import Testing

@testable import AVFCapture
@testable import CameraProfiles

@Suite("Profiles of phones, changed by chance")
struct PhoneFuzzTests {
    /// Every key there is.
    private static let sample = """
        {"model": "Tiny", "hasCameraControl": true, "cameras": [
        {"uniqueID": "a", "name": "A", "type": "builtInDualCamera", "position": "back", "focalLength": 13, "isVirtual": true,
        "constituents": ["b"], "switchOverZoomFactors": [2], "hasTorch": true, "formats": [
        {"sizes": ["64x48"], "pixelFormats": ["420v"], "frameRates": [1, 30], "fieldOfView": 108, "maxZoom": 16, "depthWidths": [32],
        "cinematic": {"aperture": [1.4, 16], "defaultAperture": 2.8, "zoom": [2, 2], "frameRates": [24, 30]}}]},
        {"uniqueID": "b", "name": "B", "type": "external", "position": "front", "focalLength": 20, "isFixedFocus": true,
        "formats": [{"sizes": ["64x48"], "pixelFormats": ["x420"], "frameRates": [1, 60], "fieldOfView": 84, "maxZoom": 1}]}],
        "microphones": [{"uniqueID": "c", "name": "C", "channels": ["stereo", "firstOrderAmbisonics"]}]}
        """

    @Test("are read with numbers in their ranges, or refused")
    func phones() throws {
        let mutator = TextMutator([Self.sample])
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
