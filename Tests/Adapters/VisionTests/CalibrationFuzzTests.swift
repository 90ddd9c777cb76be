import Foundation
import FuzzSupport
import Testing

@testable import Vision

@Suite("Calibrations, changed by chance")
struct CalibrationFuzzTests {
    private static let lens = "{\"focalLength\": [900, 900], \"principalPoint\": [640, 360], \"distortion\": [0, 0.1, 0, 0, 0]}"
    private static let sample = """
        {"width": 1280, "height": 720, "left": \(lens), "right": \(lens), "rotation": [1, 0, 0, 0, 1, 0, 0, 0, 1],
        "translation": [-0.06, 0, 0], "reprojectionError": 0.3, "views": 20}
        """

    @Test("are read with numbers in their ranges, or refused")
    func calibrations() throws {
        let mutator = TextMutator([Self.sample])
        try FuzzRun("calibration", count: 1000)({ mutator(&$0) }) { input, seed in
            do throws(VisionError) {
                let calibration = try StereoCalibration(input, path: "fuzz.json")
                #expect(calibration.baseline.isFinite && calibration.width <= 65_536, "seed \(seed)")
            } catch { #expect("\(error)".contains("calibration"), "seed \(seed)") }
        }
    }
}
