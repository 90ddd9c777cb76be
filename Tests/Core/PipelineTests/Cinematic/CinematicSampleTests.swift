import CoreVideo
import Foundation
import FuzzSupport
import Optics
import Pipeline
import Testing

/// Samples with every field, and with as few as there may be.
enum CinematicSamples {
    static let bare = CinematicSample(
        lens: Lens(focalLength: 26, fNumber: 2.8), sensorWidth: 1920, disparity: DisparityCoding(scale: 0x1p-16, isMetric: true),
        focus: FocusState(focusDisparity: 0.4))

    static var full: CinematicSample {
        var sample = bare
        sample.focus = FocusState(
            focusDisparity: 1 / 1.7, subject: 7, mode: .weak, fixedPoint: CGPoint(x: 1.0 / 3, y: 0.9),
            rack: Rack(start: -5, duration: 600_000_000, from: 0.1, to: 0.6))
        sample.ambientDisparity = 1.0 / 7
        let face = Detection(
            objectID: 7, groupID: 3, kind: .face, bounds: CGRect(x: -0.1, y: 0.2, width: 0.1, height: 1.0 / 3), yaw: -35.1, roll: 0.1 + 0.2,
            confidence: 0.9, disparity: 1 / 1.7, sharpness: 0.5, brightness: 0.25, salience: 0.125, isExtrapolated: true, label: "Maya é")
        let dog = Detection(objectID: 8, kind: .dogBody, bounds: CGRect(x: 0.5, y: 0.5, width: 0.2, height: 0.2))
        sample.detections = [face, dog]
        sample.decisions = [
            FocusDecision(time: 66_666_666, subject: 7, mode: .weak, isUserDecision: true, why: .tapUnfocused, disparity: 1 / 1.7),
            FocusDecision(
                time: 66_666_666, subject: 8, mode: .strong, isUserDecision: true, why: .ordered, disparity: 0.5,
                course: RackCourse(begin: 33_333_333, over: 1_500_000_000, landing: 2_000_000_000, ease: .smooth)),
            FocusDecision(
                time: 66_666_666, subject: 8, mode: .strong, isUserDecision: true, why: .ordered, disparity: 0.5, course: RackCourse(begin: -1)),
            FocusDecision(time: 66_666_666, subject: nil, mode: .none, isUserDecision: false, isFixed: true, why: .nothingLeft, disparity: 0),
        ]
        sample.shot = 4
        sample.notEnoughLight = true
        return sample
    }
}

@Suite("A sample of cinematic metadata")
struct CinematicSampleTests {
    @Test("comes back bit for bit", arguments: [CinematicSamples.bare, CinematicSamples.full])
    func roundTrip(sample: CinematicSample) throws {
        #expect(try CinematicSample(sample.data) == sample)
    }

    @Test("is written as the least version that holds it, so that the same metadata have the same bytes")
    func leastVersion() {
        var sample = CinematicSamples.full
        #expect(sample.data[11] == 1)
        for index in sample.decisions.indices { sample.decisions[index].course = nil }
        #expect(sample.data[11] == 0)
    }

    @Test("moves the times of a course, too")
    func movedCourse() {
        let (sample, moved) = (CinematicSamples.full, CinematicSamples.full.moved(by: 1000))
        #expect(moved.decisions.map(\.time) == sample.decisions.map { $0.time + 1000 } && moved.focus.rack?.start == 995)
        #expect(moved.decisions[1].course?.begin == 33_334_333 && moved.decisions[1].course?.landing == 2_000_001_000)
        #expect(moved.decisions[1].course?.over == sample.decisions[1].course?.over && moved.moved(by: -1000) == sample)
    }

    @Test("has a number of its own for each kind, mode and reason")
    func codes() throws {
        for kind in Detection.Kind.allCases {
            var sample = CinematicSamples.full
            sample.detections[0].kind = kind
            #expect(try CinematicSample(sample.data) == sample)
        }
        for why in FocusDecision.Why.allCases {
            var sample = CinematicSamples.full
            sample.decisions[0].why = why
            #expect(try CinematicSample(sample.data) == sample)
        }
    }

    @Test("of a later minor version is read without what is new: fields, and ends of fields")
    func laterMinorVersion() throws {
        var data = CinematicSamples.full.data
        data[11] = 9
        // A field that nobody knows, and eight more bytes at the end of the first field, `vers`.
        data += Data([0, 0, 0, 12]) + Data("newf".utf8) + Data([1, 2, 3, 4])
        data.replaceSubrange(0..<4, with: [0, 0, 0, 20])
        data.insert(contentsOf: [UInt8](repeating: 255, count: 8), at: 12)
        #expect(try CinematicSample(data) == CinematicSamples.full)
    }

    @Test("of a later major version is refused by its name")
    func laterMajorVersion() {
        var data = CinematicSamples.full.data
        data[9] = 2
        let error = #expect(throws: CinematicSampleError.self) { try CinematicSample(data) }
        #expect(error?.reason == "its metadata is of version 2.1, but only version 1 is known; use a later rackfocus")
        #expect(error?.isOfLaterVersion == true)
    }

    @Test("that is damaged is refused with the field and the fault")
    func damage() throws {
        func reason(_ change: (inout Data) -> Void) -> String? {
            var data = CinematicSamples.bare.data
            change(&data)
            do throws(CinematicSampleError) {
                _ = try CinematicSample(data)
                return nil
            } catch { return error.reason }
        }
        #expect(reason { $0 = Data() }?.contains("does not begin with its version") == true)
        #expect(reason { $0.removeLast() }?.contains("12 bytes, but 11 are left") == true)
        #expect(reason { $0.replaceSubrange(20..<28, with: [UInt8](repeating: 255, count: 8)) }?.hasPrefix("the f-number in `lens` is") == true)
        #expect(reason { $0 = $0.prefix(12) }?.contains("of which one is missing") == true)
    }

    @Test("changed by chance is read with numbers in their ranges, and written again, or refused")
    func fuzz() throws {
        let mutator = ByteMutator([CinematicSamples.bare.data, CinematicSamples.full.data])
        try FuzzRun("cinematic-sample", count: 3000)({ mutator(&$0) }) { input, seed in
            do throws(CinematicSampleError) {
                let sample = try CinematicSample(input)
                #expect(sample.circle.diameterPerDisparity.isFinite, "seed \(seed)")
                #expect(try CinematicSample(sample.data) == sample, "seed \(seed)")
            } catch { #expect(!error.reason.isEmpty, "seed \(seed)") }
        }
    }

    @Test("is moved to another clock with its decisions and its rack")
    func moved() {
        let sample = CinematicSamples.full.moved(by: -1_000)
        #expect(sample.decisions[0].time == 66_665_666 && sample.focus.rack?.start == -1_005 && sample.moved(by: 1_000) == CinematicSamples.full)
    }
}

@Suite("Disparity in 16 bits")
struct DisparityCodingTests {
    private static func map(_ values: [Float]) -> DisparityMap {
        let buffer = CVPixelBuffer(width: values.count, height: 1, pixelFormat: kCVPixelFormatType_DisparityFloat32)
        for (x, value) in values.enumerated() { buffer.plane(0).row(0, as: Float.self)[x] = value }
        return DisparityMap(buffer: buffer, isMetric: true)
    }

    @Test("is within half a step, and the same once it was coded", arguments: [0, 1e-6, 0.31, 1, 7.3, 4000])
    func steps(most: Float) {
        let values = (0..<64).map { most * Float($0) / 63 }
        let coding = DisparityCoding(of: Self.map(values))
        let coded = coding.coded(Self.map(values))
        #expect(coding.scale == 0x1p-24 || Double(most) > coding.scale * 32_767)
        for x in 0..<64 {
            #expect(abs(Double(coded.row(0)[x]) - Double(values[x])) <= coding.scale / 2)
            #expect(coding.disparity(coding.code(coded.row(0)[x])) == coded.row(0)[x])
        }
        #expect(DisparityCoding(of: coded) == coding)
    }

    @Test("has the ends of its range for what lies outside, and zero for what is no number")
    func outside() {
        let coding = DisparityCoding(scale: 0.5, offset: 1, isMetric: false)
        #expect([Float.nan, -.infinity, -3, 1, 1.3, .infinity, 1e9].map(coding.code) == [0, 0, 0, 0, 1, 65_535, 65_535])
    }
}
