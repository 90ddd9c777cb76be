import AVFoundation
import CoreMedia
import CoreVideo
import Foundation
import Media
import Pipeline
import ScenarioFormat
import ScenarioResults
import ScenarioRun
import Synchronization
import TestSupport
import Testing

@testable import RackfocusKit

@Suite("Cuts of edited footage")
struct ShotTests {
    /// Pictures that move a little; two places of the same set of shapes, shown in a share 0…1 of the second, lit by a factor, behind something bright
    /// from a column on.
    private final class Edit: FrameSource {
        struct Picture {
            var second = 0.0
            var light = 1.0
            var brightFrom = Int.max
        }

        let description = SourceDescription(width: 64, height: 36, frameDuration: CMTime(value: 1, timescale: 30))
        private let pictures: [Picture]
        private let next = Mutex(0)

        init(_ pictures: [Picture]) { self.pictures = pictures }

        func nextFrame() -> Frame? {
            let index = next.withLock { next in
                next += 1
                return next - 1
            }
            guard index < pictures.count else { return nil }
            let image = CVPixelBuffer(width: 64, height: 36, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
            for y in 0..<36 {
                let row = image.plane(0).row(y, as: UInt8.self)
                for x in 0..<64 { row[x] = Self.value(x + index / 9, y, pictures[index]) }
            }
            for y in 0..<18 { image.plane(1).row(y, as: UInt8.self).update(repeating: 128, count: 64) }
            return Frame(index: index, presentationTime: CMTime(value: Int64(index), timescale: 30), image: image)
        }

        private static func value(_ x: Int, _ y: Int, _ picture: Picture) -> UInt8 {
            guard x < picture.brightFrom else { return 235 }
            let first: Double = (x / 12 + y / 9) % 2 == 0 ? 60 : 150
            let second = 40 + 2 * Double(x) + Double((y / 6) % 3) * 30
            return UInt8(min(max((first + (second - first) * picture.second) * picture.light, 16), 235))
        }
    }

    private func starts(_ source: any FrameSource) throws -> [Int] {
        let shots = ShotSource(source)
        var (starts, last) = ([Int](), 0)
        while let frame = try shots.nextFrame() {
            let shot = try #require(frame.shot)
            if shot != last { starts.append(frame.index) }
            last = shot
        }
        return starts
    }

    private func hold(_ count: Int, second: Double = 0, light: Double = 1, brightFrom: Int = .max) -> [Edit.Picture] {
        Array(repeating: .init(second: second, light: light, brightFrom: brightFrom), count: count)
    }

    @Test("a cut begins a shot, there and back, even through black")
    func cuts() throws {
        #expect(try starts(Edit(hold(12) + hold(9, second: 1) + hold(12))) == [12, 21])
        #expect(try starts(Edit(hold(12) + hold(6, light: 0) + hold(12, second: 1))) == [18])
    }

    @Test("a dissolve, a flash of light, a lamp that is switched and a covered lens begin none")
    func noCuts() throws {
        let dissolve = (0..<16).map { Edit.Picture(second: Double($0) / 15) }
        let pictures = [
            hold(12) + dissolve + hold(12, second: 1), hold(12) + hold(3, light: 8) + hold(12), hold(12) + hold(12, light: 0.3),
            hold(12) + hold(6, light: 0) + hold(12),
        ]
        for pictures in pictures { #expect(try starts(Edit(pictures)).isEmpty) }
    }

    @Test("something bright that is elsewhere at once begins none, where the rest stays")
    func bright() throws {
        #expect(try starts(Edit(hold(12, light: 0.4, brightFrom: 40) + hold(12, light: 0.4, brightFrom: 62))).isEmpty)
        #expect(try starts(Edit(hold(12, light: 0.4, brightFrom: 40) + hold(12, second: 1, light: 0.4, brightFrom: 62))) == [12])
    }

    @Test("footage that was read to its end is read again with its shots noted, no picture looked at; what was left before is judged again")
    func notes() throws {
        let pictures = hold(12) + hold(9, second: 1) + hold(12)
        func read(_ notes: FrameNotes, judged: any FrameSource, count: Int = .max) throws -> [Int?] {
            let source = NotedSource(Edit(pictures), judged: judged, notes: notes)
            var shots: [Int?] = []
            while shots.count < count, let frame = try source.nextFrame() { shots.append(frame.shot) }
            return shots
        }
        let (notes, left) = (FrameNotes(), FrameNotes())
        let first = try read(notes, judged: ShotSource(Edit(pictures)))
        #expect(first == Array(repeating: 0, count: 12) + Array(repeating: 1, count: 9) + Array(repeating: 2, count: 12))
        #expect(try read(notes, judged: Edit([])) == first)
        _ = try read(left, judged: ShotSource(Edit(pictures)), count: 20)
        #expect(try read(left, judged: ShotSource(Edit(pictures))) == first)
    }

    @Test("the cuts of an edited clip are found to the frame, and none elsewhere", .enabled(if: Project.hasData, "needs ../shared/data"))
    func footage() throws {
        func starts(_ name: String) throws -> [Int] { try self.starts(VideoFileSource(path: Project.data.appending(path: "video/\(name)").path)) }
        #expect(try starts("hamilton.mp4") == [20, 82, 211])
        for name in ["bedroom.mp4", "headmale.gif", "klahaag_person_from_behind.avi", "04_coffee.mp4"] { #expect(try starts(name).isEmpty) }
    }

    /// Three shots of a second, in each a face at another distance that is detected 0.2 s after the cut.
    private final class ScriptedShots: FrameSource, SubjectDetector {
        static let disparities = [0.4, 0.8, 0.3]
        let description = SourceDescription(width: 64, height: 36, frameDuration: CMTime(value: 1, timescale: 30), frameCount: 90)
        private let next = Mutex(0)

        func nextFrame() -> Frame? {
            let index = next.withLock { next in
                next += 1
                return next - 1
            }
            guard index < 90 else { return nil }
            let image = CVPixelBuffer(width: 64, height: 36, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
            let map = DisparityMap(buffer: CVPixelBuffer(width: 64, height: 36, pixelFormat: kCVPixelFormatType_DisparityFloat32))
            for y in 0..<36 { map.row(y).update(repeating: 0.1, count: 64) }
            var frame = Frame(index: index, presentationTime: CMTime(value: Int64(index), timescale: 30), image: image, disparity: map)
            frame.shot = index / 30
            return frame
        }

        func detections(in frame: Frame, disparity: DisparityMap?) -> [Detection] {
            guard frame.index % 30 >= 6 else { return [] }
            let shot = frame.index / 30
            let box = CGRect(x: 0.4, y: 0.3, width: 0.2, height: 0.3)
            return [Detection(objectID: shot + 1, kind: .face, bounds: box, disparity: Self.disparities[shot])]
        }

        func salientObject(at point: CGPoint, in frame: Frame, disparity: DisparityMap?) -> Detection? { nil }
    }

    @Test(
        "a shot opens in focus: from its first frame where the future is known, live as soon as its subject is seen",
        arguments: ScenarioFile.Mode.allCases)
    func openings(mode: ScenarioFile.Mode) throws {
        let records = Mutex<[FrameRecord]>([])
        let scenario = try ScenarioFile.parse("{}", path: "cuts.yaml", ReadingOptions(source: .plain("cuts.mp4"))).inMode(mode)
        let runner = try ScenarioRunner(
            scenario,
            feed: {
                let shots = ScriptedShots()
                return CameraFeed(source: shots, detector: shots)
            }()
        ) { record in records.withLock { $0.append(record) } }
        let outcome = try runner.run()
        #expect(outcome.failures.isEmpty, "\(outcome.failures)")
        for record in records.withLock({ $0 }) {
            let (shot, place) = (record.frame.index / 30, record.frame.index % 30)
            #expect(record.state.rack == nil, "frame \(record.frame.index)")
            guard mode == .post || place >= 6 else { continue }
            #expect(abs(record.state.focusDisparity - ScriptedShots.disparities[shot]) < 0.001, "frame \(record.frame.index)")
        }
    }

    @Test("footage given to `render` is in post mode unless it says otherwise; a world is live")
    func mode() throws {
        #expect(try ScenarioFile.parse("{}", path: "a.yaml", ReadingOptions(source: .plain("a.mp4"))).mode == .post)
        #expect(try ScenarioFile.parse("{mode: live}", path: "a.yaml", ReadingOptions(source: .plain("a.mp4"))).mode == .live)
        #expect(try ScenarioFile.parse("{scenario: a, clip: {source: synthetic, size: 64x36, fps: 30, length: 1s}}", path: "a.yaml").mode == .live)
    }

    @Test(
        "no identity passes a cut, nor does the subject; no shot of a rendered clip opens with a rack",
        .enabled(if: Project.hasData, "needs ../shared/data"))
    func identities() throws {
        let scratch = try Scratch()
        let run = try ToolRun(
            ["render", "--video", Project.data.appending(path: "video/hamilton.mp4").path, "-o", "a.mp4"], directory: scratch.url)
        #expect(run.exitCode == 0, "\(run.errors)")
        let log = try DetectionLog(path: scratch("a.run/detections.jsonl"))
        let shots = [0..<20, 20..<82, 82..<211, 211..<275].map { frames in
            Set(log.entries.filter { frames.contains($0.frame) }.flatMap(\.detections).map(\.objectID))
        }
        for (first, second) in zip(shots, shots.dropFirst()) { #expect(first.isDisjoint(with: second)) }
        // Focus may move with the guess of depth, in which a face fades in, but no rack leads to it.
        for text in try scratch.text("a.run/trace.jsonl").split(separator: "\n") {
            let line = try JSONDecoder().decode(TraceLine.self, from: Data(text.utf8))
            guard line.rack != nil, let frame = line.frame else { continue }
            for cut in [0, 20, 82, 211] { #expect(frame < cut || frame > cut + 9, "frame \(frame)") }
        }
    }

    /// Frame and rack of a line of a trace, in which a rack is `false` where there is none.
    private struct TraceLine: Decodable {
        struct Rack: Decodable { var duration: Int64 }

        enum CodingKeys: CodingKey { case frame, rack }

        var frame: Int?
        var rack: Rack?

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            frame = try values.decodeIfPresent(Int.self, forKey: .frame)
            rack = try values.decodeIfPresent(Either.self, forKey: .rack)?.rack
        }

        private struct Either: Decodable {
            var rack: Rack?

            init(from decoder: any Decoder) throws {
                let value = try decoder.singleValueContainer()
                do { rack = try value.decode(Rack.self) } catch { _ = try value.decode(Bool.self) }
            }
        }
    }
}
