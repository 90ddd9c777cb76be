import Foundation
import FuzzSupport
import TestSupport
import Testing

@testable import AVFoundation
@testable import RackfocusKit
@testable import Vision

@Suite("Truth, calibrations and phones, changed by chance")
struct TruthFuzzTests {
    /// Writes each input to one file of a folder of its own, and hands its path on.
    private func fuzz(_ name: String, _ samples: [String], as ending: String, _ check: (String, UInt64) throws -> Void) throws {
        let scratch = try Scratch()
        let file = scratch.url.appending(path: "input.\(ending)")
        let mutator = TextMutator(samples)
        try FuzzRun(name, count: 1000)({ mutator(&$0) }) { input, seed in
            try input.write(to: file)
            try check(file.path, seed)
        }
    }

    @Test(
        "truth is read with finite boxes, or refused",
        arguments: [
            ("csv", "# boxes\n1, 1, 10, 20, 30.5, 40, 1, face, 1\n1,2,0,0,5,5,0,humanBody,0.2\n2,1,11,20,30,40,1,face,1\n"),
            ("xml", "<image file='a.jpg'>\n<box top='1' left='2' width='30' height='40'/>\n<box top='5' left='6' width='7' height='8'/>\n"),
        ])
    func truth(ending: String, sample: String) throws {
        try fuzz("truth-\(ending)", [sample], as: ending) { path, seed in
            do throws(DetectionLogError) {
                let boxes = try TruthFile(path: path).objects.values.joined().map(\.box)
                #expect(boxes.allSatisfy { abs($0.midX) <= 2e6 && $0.width >= 0 && $0.height >= 0 }, "seed \(seed)")
            } catch { #expect(!error.reason.isEmpty, "seed \(seed)") }
        }
    }

    @Test("a truth with NaN in it is refused at its line")
    func notANumber() throws {
        let scratch = try Scratch()
        let path = try scratch.write("1,1,nan,20,30,40,1,face,1\n", to: "truth.csv")
        let error = #expect(throws: DetectionLogError.self) { try TruthFile(path: path) }
        #expect(error?.line == 1)
    }

    @Test("a calibration is read with numbers in their ranges, or refused")
    func calibration() throws {
        let lens = "{\"focalLength\": [900, 900], \"principalPoint\": [640, 360], \"distortion\": [0, 0.1, 0, 0, 0]}"
        let sample = """
            {"width": 1280, "height": 720, "left": \(lens), "right": \(lens), "rotation": [1, 0, 0, 0, 1, 0, 0, 0, 1],
            "translation": [-0.06, 0, 0], "reprojectionError": 0.3, "views": 20}
            """
        try fuzz("calibration", [sample], as: "json") { path, seed in
            do throws(VisionError) {
                let calibration = try StereoCalibration(contentsOf: path)
                #expect(calibration.baseline.isFinite && calibration.width <= 65_536, "seed \(seed)")
            } catch { #expect("\(error)".contains("calibration"), "seed \(seed)") }
        }
    }

    @Test("a phone is read with numbers in their ranges, or refused")
    func phones() throws {
        try fuzz("phone", CameraProfile.Phone.shipped.map(\.text), as: "json") { path, seed in
            do {
                let cameras = try CameraProfile.cameras(at: URL(fileURLWithPath: path))
                #expect(cameras.allSatisfy { $0.focalLength.isFinite && $0.focalLength <= 10_000 }, "seed \(seed)")
            } catch let error as CameraProfileError { #expect(!error.reason.isEmpty, "seed \(seed)") }
        }
    }
}
