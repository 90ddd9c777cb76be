import CoreMedia
import CoreVideo
import Foundation
import Media
import Pipeline
import ScenarioFormat
import Synchronization
import TestSupport
import Testing

@testable import RackfocusKit

@Suite("An analysis that is kept")
struct KeptAnalysisTests {
    /// Footage of both eyes beside each other: texture that is 4 pixels nearer in the middle, 12 frames.
    private func footage(_ path: String) throws {
        let format = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        let writer = try MovieFileWriter(
            path: path, movie: MovieDescription(width: 256, height: 72, frameDuration: CMTime(value: 1, timescale: 24)))
        for index in 0..<12 {
            let picture = CVPixelBuffer(width: 256, height: 72, pixelFormat: format)
            for y in 0..<72 {
                for x in 0..<256 {
                    let (eye, place) = (x / 128, x % 128)
                    let shift = (40..<90).contains(place) ? 4 : 0
                    picture.plane(0).row(y, as: UInt8.self)[x] = UInt8(40 + ((place + eye * shift) * 37 + y * 11 + index) % 160)
                }
                if y < 36 { picture.plane(1).row(y, as: UInt8.self).update(repeating: 128, count: 256) }
            }
            try writer.append(picture, at: CMTime(value: Int64(index), timescale: 24))
        }
        try writer.finish()
    }

    private func render(_ footage: String, _ output: String, _ change: (inout RenderOptions) -> Void = { _ in }) throws -> RenderResult {
        var options = RenderOptions(output: output)
        (options.replacesExisting, options.aperture) = (true, 2)
        change(&options)
        return try RenderJob(scenario: nil, footage: .packed(footage, .leftHalf), options: options).run { _ in }
    }

    @Test("a later render of the same footage uses it, and has the same bytes, also with another aperture", arguments: ScenarioFile.Mode.allCases)
    func again(mode: ScenarioFile.Mode) throws {
        let scratch = try Scratch()
        let (clip, first, second) = (scratch("sbs.mp4"), scratch("a.mp4"), scratch("b.mp4"))
        try footage(clip)
        let made = try render(clip, first) { $0.mode = mode }
        #expect(try #require(made.analysis).contains("kept"))
        let same = try render(clip, second) { $0.mode = mode }
        #expect(try #require(same.analysis).contains("a.run are used again"))
        func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: scratch(name))) }
        #expect(try bytes("a.mp4") == bytes("b.mp4"))
        // The first line names the movie.
        for name in ["trace.jsonl", "detections.jsonl"] {
            let (a, b) = try (bytes("a.run/\(name)").split(separator: 10).dropFirst(), bytes("b.run/\(name)").split(separator: 10).dropFirst())
            // The trace leaves out frames that say nothing new.
            #expect(Array(a) == Array(b) && a.count >= (name == "trace.jsonl" ? 1 : 12), "\(name)")
        }
        #expect(try bytes("a.run/disparity.maps") == bytes("b.run/disparity.maps"))
        let wide = try render(clip, first) { ($0.mode, $0.aperture) = (mode, 8) }
        #expect(try #require(wide.analysis).contains("used again"))
        _ = try render(clip, scratch("c.mp4")) { ($0.mode, $0.aperture, $0.keptBytes) = (mode, 8, 0) }
        #expect(try bytes("a.mp4") == bytes("c.mp4"))
    }

    @Test("damaged maps end the render by name, a file that was cut is not used")
    func damaged() throws {
        let scratch = try Scratch()
        let (clip, maps) = (scratch("sbs.mp4"), scratch("a.run/disparity.maps"))
        try footage(clip)
        _ = try render(clip, scratch("a.mp4"))
        var data = try Data(contentsOf: URL(fileURLWithPath: maps))
        data[data.count / 2] ^= 0x55
        try data.write(to: URL(fileURLWithPath: maps))
        #expect(throws: KeptError.self) { try render(clip, scratch("b.mp4")) }
        try data.dropLast(3).write(to: URL(fileURLWithPath: maps))
        #expect(try #require(render(clip, scratch("b.mp4")).analysis).contains("kept"))
    }

    @Test("other footage, another part of it, and `none` look anew")
    func anew() throws {
        let scratch = try Scratch()
        let clip = scratch("sbs.mp4")
        try footage(clip)
        _ = try render(clip, scratch("a.mp4"))
        let part = try render(clip, scratch("b.mp4")) { $0.delivery.span = FootageSpan(to: .frame(6)) }
        #expect(try #require(part.analysis).contains("kept"))
        let none = try render(clip, scratch("c.mp4")) { $0.keptBytes = 0 }
        #expect(none.analysis == nil && !FileManager.default.fileExists(atPath: scratch("c.run/disparity.maps")))
        let small = try render(clip, scratch("d.mp4")) { ($0.keptBytes, $0.delivery.span) = (1000, FootageSpan(to: .frame(7))) }
        #expect(try small.analysis == nil && #require(small.keepingFailure).contains("not kept"))
        #expect(!FileManager.default.fileExists(atPath: scratch("d.run/analysis.json")))
    }

    /// Estimator of one map after the other.
    private final class Maps: DisparityEstimator {
        func disparity(of frame: Frame) -> DisparityMap {
            let map = DisparityMap(buffer: CVPixelBuffer(width: 16, height: 8, pixelFormat: kCVPixelFormatType_DisparityFloat32))
            for y in 0..<8 { for x in 0..<16 { map.row(y)[x] = Float((y * 37 + x * 11 + frame.index * 5) % 101) / 128 } }
            return map
        }
    }

    @Test("the file of maps leaves the disk as much as it takes: then nothing is kept, and it is empty once all were read", arguments: [true, false])
    func fullDisk(isRead: Bool) throws {
        let scratch = try Scratch()
        let room = Atomic(Int.max)
        let recorder = DisparityRecorder(path: scratch("maps"), limit: .max) { _ in room.load(ordering: .acquiring) }
        func size() throws -> Int { try #require(FileManager.default.attributesOfItem(atPath: scratch("maps"))[.size] as? Int) }
        let picture = CVPixelBuffer(width: 16, height: 8, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        let frames = (0..<4).map { Frame(index: $0, presentationTime: CMTime(value: Int64($0), timescale: 24), image: picture) }
        #expect(!isRead || recorder.beginReading())
        let estimator = RecordingEstimator(Maps(), recorder)
        for frame in frames[..<2] { _ = try estimator.disparity(of: frame) }
        let bytes = try #require(recorder.byteCount)
        room.store(bytes, ordering: .releasing)
        for frame in frames[2...] { _ = try estimator.disparity(of: frame) }
        #expect(recorder.byteCount == nil && recorder.refusal == "it takes more than the disk has left")
        #expect(try size() == (isRead ? bytes : 0))
        guard isRead else { return }
        for frame in frames {
            let (map, made) = (try recorder.map(at: frame.presentationTime.nanoseconds), Maps().disparity(of: frame))
            #expect((0..<8).allSatisfy { y in (0..<16).allSatisfy { map.row(y)[$0] == made.row(y)[$0] } })
        }
        #expect(try size() == 0)
    }
}
