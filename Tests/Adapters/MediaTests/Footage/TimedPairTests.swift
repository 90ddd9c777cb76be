import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Media

@Suite("Files that are played together, by their times") struct TimedPairTests {
    private static let thirtieth = CMTime(value: 1, timescale: 30)

    /// Some of the thirtieths of a second, each showing its own moment.
    private static func write(_ path: String, moments: [Int], jitter: Int64 = 0) throws {
        let writer = try MovieFileWriter(path: path, movie: MovieDescription(width: 64, height: 36, frameDuration: thirtieth))
        for (place, moment) in moments.enumerated() {
            let early = place > 0 && place % 2 == 1 ? jitter : 0
            try writer.append(Picture.moving(moment), at: CMTime(value: Int64(moment) * 20 - early, timescale: 600))
        }
        try writer.finish()
    }

    /// The moment that a picture shows, of eight in turn.
    private static func moment(of picture: CVPixelBuffer) -> Int {
        let row = picture.plane(0).row(13, as: UInt8.self)
        let brightest = (0..<8).max { row[8 * $0 + 4] < row[8 * $1 + 4] } ?? 0
        return (brightest + 7) % 8
    }

    @Test(
        "a frame that one eye lacks is left out, and all others meet their own moment, also behind whoever noted them",
        arguments: [true, false], [0, 4] as [Int64])
    func gap(leftHasIt: Bool, jitter: Int64) throws {
        let scratch = try Scratch()
        let (whole, holed) = (Array(0..<24), (0..<24).filter { $0 != 9 && $0 != 15 })
        try Self.write(scratch("l.mp4"), moments: leftHasIt ? whole : holed)
        try Self.write(scratch("r.mp4"), moments: leftHasIt ? holed : whole, jitter: jitter)
        let notes = PairNotes()
        let source = try StereoFileSource(left: scratch("l.mp4"), right: scratch("r.mp4"), notes: notes)
        let frames = try MovieTests.frames(source)
        #expect(frames.map(\.index) == Array(holed.indices))
        #expect(frames.map { Int(($0.presentationTime.seconds * 30).rounded()) } == holed)
        for frame in frames { #expect(try Self.moment(of: frame.image) == Self.moment(of: #require(frame.rightImage)), "frame \(frame.index)") }
        let behind = try StereoFileSource(left: scratch("l.mp4"), right: scratch("r.mp4"), notes: notes)
        notes.follow()
        let lefts = try MovieTests.frames(behind)
        #expect(lefts.map(\.index) == frames.map(\.index) && lefts.map(\.presentationTime) == frames.map(\.presentationTime))
        #expect(lefts.allSatisfy { $0.rightImage == nil } && behind.remarks == source.remarks)
        #expect(lefts.map { Self.moment(of: $0.image) } == frames.map { Self.moment(of: $0.image) })
        let remarks = source.remarks.map { $0.replacing(scratch.path + "/", with: "") }
        // Half the mean distance of the right eye's frames, which the holes make longer.
        let tolerance = jitter == 0 ? "18.2" : "18.0"
        #expect(
            remarks
                == [
                    leftHasIt
                        ? "2 of 24 frames of l.mp4 are left out: r.mp4 has none within \(tolerance) ms of their times"
                        : "2 of 24 frames of r.mp4 are left out: they are nearest to no frame of l.mp4"
                ])
    }

    @Test("from a time between two frames on, nothing is said of the frame before it")
    func sought() throws {
        let scratch = try Scratch()
        for name in ["l.mp4", "r.mp4"] { try Self.write(scratch(name), moments: Array(0..<24)) }
        let span = FootageSpan(from: .time(CMTime(value: 345, timescale: 1000)))
        let source = try StereoFileSource(left: scratch("l.mp4"), right: scratch("r.mp4"), reading: FootageReading(span: span))
        let frames = try MovieTests.frames(source)
        #expect(frames.first?.index == 11 && frames.count == 13 && source.remarks == [])
    }

    @Test("one frame more at the end is left out, two are an error", arguments: [true, false])
    func end(leftIsLonger: Bool) throws {
        let scratch = try Scratch()
        try Self.write(scratch("short.mp4"), moments: Array(0..<6))
        try Self.write(scratch("long.mp4"), moments: Array(0..<7))
        let names = leftIsLonger ? ("long.mp4", "short.mp4") : ("short.mp4", "long.mp4")
        let source = try StereoFileSource(left: scratch(names.0), right: scratch(names.1))
        #expect(try MovieTests.frames(source).count == 6)
        #expect(source.remarks.count == 1 && source.remarks[0].hasPrefix("1 of 7 frames of \(scratch("long.mp4")) are left out"), "\(source.remarks)")
        try Self.write(scratch("longer.mp4"), moments: Array(0..<8))
        let refused = #expect(throws: MediaError.self) { try StereoFileSource(left: scratch("short.mp4"), right: scratch("longer.mp4")) }
        #expect(refused?.path == scratch("short.mp4"))
        #expect(refused?.reason == "ends after frame 6, but \(scratch("longer.mp4")) has 8 frames; both must have one length")
    }

    @Test("a depth camera of half the rate serves two pictures with each map, one of twice the rate is left out by half")
    func rates() throws {
        let scratch = try Scratch()
        try Samples.gray16.write(to: URL(fileURLWithPath: scratch("d.mkv")))
        // Four maps at 25 frames/s.
        for (name, rate, count) in [("fast.mp4", 50, 8), ("slow.mp4", 12, 2)] as [(String, Int32, Int)] {
            try MovieTests.write(scratch(name), frames: count, width: 32, height: 24, frameDuration: CMTime(value: 1, timescale: rate))
        }
        let fast = try DisparityFileSource(video: scratch("fast.mp4"), disparity: scratch("d.mkv"))
        let codes = try MovieTests.frames(fast).map { frame in try Int((#require(frame.disparity).row(0)[0] * 65535 / 7).rounded()) }
        #expect(codes == [0, 0, 1, 1, 2, 2, 3, 3])
        #expect(fast.remarks == ["4 of 8 frames of \(scratch("fast.mp4")) share a frame of \(scratch("d.mkv")) with the one before"])
        let slow = try DisparityFileSource(video: scratch("slow.mp4"), disparity: scratch("d.mkv"))
        #expect(try MovieTests.frames(slow).count == 2)
        #expect(slow.remarks == ["2 of 4 frames of \(scratch("d.mkv")) are left out: they are nearest to no frame of \(scratch("slow.mp4"))"])
    }

    @Test("lengths that differ are told in seconds where the rates differ, too")
    func lengths() throws {
        let scratch = try Scratch()
        try MovieTests.write(scratch("v.mp4"), frames: 10, frameDuration: CMTime(value: 1, timescale: 10))
        try MovieTests.write(scratch("d.mp4"), frames: 12)
        BadInputTests.expect(scratch, .mismatch, "d.mp4: lasts 0.400 s, but v.mp4 1.000 s; both must have one length") {
            try DisparityFileSource(video: scratch("v.mp4"), disparity: scratch("d.mp4"))
        }
    }
}
