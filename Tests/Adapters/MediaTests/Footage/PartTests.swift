import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Media

@Suite("A part of footage") struct PartTests {
    private static let thirtieth = CMTime(value: 1, timescale: 30)

    /// A movie with a key frame a second and pictures that are reordered.
    private func movie(_ path: String, frames: Int) throws {
        var settings = MovieFileWriter.Settings(preset: .fast)
        settings.keyframeInterval = 1
        let writer = try MovieFileWriter(
            path: path, movie: MovieDescription(width: 64, height: 36, frameDuration: Self.thirtieth), settings: settings)
        for index in 0..<frames { try writer.append(Picture.moving(index), at: CMTime(value: Int64(index), timescale: 30)) }
        try writer.finish()
    }

    private func frames(_ source: some FrameSource) throws -> [Frame] {
        var frames: [Frame] = []
        while let frame = try source.nextFrame() { frames.append(frame) }
        return frames
    }

    private func bytes(_ image: CVPixelBuffer) -> [UInt8] {
        (0..<image.size.height).flatMap { Array(UnsafeBufferPointer(start: image.plane(0).row($0, as: UInt8.self), count: image.size.width)) }
    }

    @Test(
        "has the frames, times and numbers that they have in the whole, wherever it begins",
        arguments: ["a.mp4", "a.mkv"], ["0f", "1f", "29f", "30f", "31f", "59f", "89f", "1.99s", "2s", "2.01s", "00:00:02:15"])
    func seeking(name: String, from: String) throws {
        let scratch = try Scratch()
        try movie(scratch(name), frames: 90)
        let whole = try frames(VideoFileSource(path: scratch(name)))
        #expect(whole.count == 90)
        let point: FootageSpan.Point = try #require(FootageSpan.Point(from))
        let span = FootageSpan(from: point)
        let source = try VideoFileSource(path: scratch(name), reading: FootageReading(span: span))
        let part = try frames(source).filter { span.from?.isReached(by: $0, of: source.description) == true }
        let wanted = whole.filter { span.from?.isReached(by: $0, of: source.description) == true }
        #expect(part.map(\.presentationTime) == wanted.map(\.presentationTime))
        #expect(zip(part, wanted).allSatisfy { bytes($0.image) == bytes($1.image) })
        if name == "a.mp4" { #expect(part.map(\.index) == wanted.map(\.index)) }
    }

    @Test("is sought in a file with an index: nothing before the key frame is decoded")
    func isSought() throws {
        let scratch = try Scratch()
        try movie(scratch("a.mp4"), frames: 90)
        let source = try VideoFileSource(path: scratch("a.mp4"), reading: FootageReading(span: FootageSpan(from: .frame(70))))
        #expect(source.start == CMTime(value: 70, timescale: 30))
        #expect(try source.nextFrame()?.index == 70)
    }

    @Test("may end before the shorter of two files, whose lengths then say nothing", arguments: ["90f", "3s", "00:00:03:00"])
    func lengths(end: String) throws {
        let scratch = try Scratch()
        try movie(scratch("long.mp4"), frames: 100)
        try movie(scratch("short.mp4"), frames: 90)
        #expect(throws: MediaError.self) { try StereoFileSource(left: scratch("long.mp4"), right: scratch("short.mp4")) }
        let point: FootageSpan.Point = try #require(FootageSpan.Point(end))
        let reading = FootageReading(span: FootageSpan(from: .frame(60), to: point))
        let pair = try frames(StereoFileSource(left: scratch("long.mp4"), right: scratch("short.mp4"), reading: reading))
        #expect(pair.count == 30 && pair.first?.index == 60)
        // The two are coded apart, and pictures move by more than coding loses.
        for frame in pair {
            let differences = zip(bytes(frame.image), try bytes(#require(frame.rightImage))).map { abs(Int($0) - Int($1)) }
            #expect(differences.reduce(0, +) < 4 * differences.count, "frame \(frame.index)")
        }
        let depth = try DisparityFileSource(video: scratch("long.mp4"), disparity: scratch("short.mp4"), reading: reading)
        #expect(try frames(depth).map(\.index) == Array(60..<90) && depth.remarks == [])
        let beyond = FootageReading(span: FootageSpan(to: .frame(95)))
        #expect(throws: MediaError.self) {
            try frames(DisparityFileSource(video: scratch("long.mp4"), disparity: scratch("short.mp4"), reading: beyond))
        }
    }
}
