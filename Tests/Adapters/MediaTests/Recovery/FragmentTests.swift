import CoreMedia
import Foundation
import Pipeline
import Support
import TestSupport
import Testing

@testable import Media

@Suite("A recording while it runs, and after") struct FragmentTests {
    static func movie(width: Int = 64, height: Int = 36) -> MovieDescription {
        MovieDescription(
            width: width, height: height, frameDuration: CMTime(value: 1, timescale: 30), sound: .init(layout: .stereo, sampleRate: 48_000),
            fragments: .all)
    }

    static func write(_ frames: Range<Int>, to writer: MovieFileWriter) throws {
        for index in frames {
            let time = CMTime(value: Int64(index), timescale: 30)
            try writer.append(Picture.moving(index), at: time)
            try writer.append(SoundTrackTests.click(at: 800, of: 1600, layout: .stereo, from: time))
        }
    }

    /// The types of the boxes at the top of a file.
    static func boxes(_ path: String) throws -> [String] {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var (offset, types): (Int, [String]) = (0, [])
        while offset + 8 <= bytes.count {
            types.append(String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self))
            offset += max(8, bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) })
        }
        return types
    }

    @Test("survives SIGKILL but for 0.3 s, and is not overwritten")
    func killed() async throws {
        let scratch = try Scratch()
        let path = scratch("take.mov")
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let writer = try MovieFileWriter(path: path, movie: FragmentTests.movie())
            try FragmentTests.write(0..<165, to: writer)
            kill(getpid(), SIGKILL)
        }
        let frames = try MovieTests.frames(VideoFileSource(path: path))
        #expect((156...165).contains(frames.count), "\(frames.count) frames of 165 are left")
        #expect(frames.map(\.presentationTime) == (0..<frames.count).map { CMTime(value: Int64($0), timescale: 30) })
        let sound = try SoundFile.read(path)
        let clicks = [0, 130].map {
            SoundTrackTests.loudest(sound.cut(from: CMTime(value: $0, timescale: 30), to: CMTime(value: $0 + 1, timescale: 30)))
        }
        #expect(clicks.allSatisfy { abs($0 - 800) <= 1 }, "clicks at \(clicks)")
        let error = #expect(throws: OutputError.self) { try MovieFileWriter(path: path, movie: Self.movie()) }
        #expect(try error?.code == .exists && scratch.names == ["take.mov"])
    }

    @Test("lies under its name while it runs, and ends as an ordinary movie with its index first")
    func finished() throws {
        let scratch = try Scratch()
        let path = scratch("take.mp4")
        let writer = try MovieFileWriter(path: path, movie: Self.movie())
        try Self.write(0..<75, to: writer)
        #expect(try scratch.names == ["take.mp4"])
        #expect(try Self.boxes(path).contains("moof") && writer.byteCount > 0)
        try writer.finish()
        #expect(try scratch.names == ["take.mp4"])
        let boxes = try Self.boxes(path)
        let (index, media) = (try #require(boxes.firstIndex(of: "moov")), try #require(boxes.firstIndex(of: "mdat")))
        #expect(index < media && !boxes.contains("moof"))
        let source = try VideoFileSource(path: path)
        #expect(source.description.frameCount == 75 && source.side.exactCount == 75)
        let frames = try MovieTests.frames(source)
        #expect(frames.map(\.presentationTime) == (0..<75).map { CMTime(value: Int64($0), timescale: 30) })
        let sound = try SoundFile.read(path)
        #expect(sound.presentationTime == .zero && (75 * 1600..<75 * 1600 + 2048).contains(sound.sampleCount))
    }

    @Test("the same media give the same file")
    func reproducible() throws {
        let scratch = try Scratch()
        for name in ["a.mov", "b.mov"] {
            let writer = try MovieFileWriter(path: scratch(name), movie: Self.movie())
            try Self.write(0..<40, to: writer)
            try writer.finish()
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: scratch("a.mov"))) == Data(contentsOf: URL(fileURLWithPath: scratch("b.mov"))))
    }

    @Test("one that nobody ended stays, one that is cancelled goes")
    func abandoned() throws {
        let scratch = try Scratch()
        do {
            let writer = try MovieFileWriter(path: scratch("a.mov"), movie: Self.movie())
            try Self.write(0..<20, to: writer)
        }
        #expect(try MovieTests.frames(VideoFileSource(path: scratch("a.mov"))).count == 20)
        let cancelled = try MovieFileWriter(path: scratch("b.mov"), movie: Self.movie())
        try Self.write(0..<20, to: cancelled)
        cancelled.cancel()
        #expect(try scratch.names == ["a.mov"])
        do { _ = try MovieFileWriter(path: scratch("c.mov"), movie: Self.movie()) }
        #expect(try scratch.names == ["a.mov"])
    }

    @Test("a full disk leaves what was whole", .enabled(if: SmallDisk.isPossible, "mounting a small tmpfs wants root"))
    func fullDisk() throws {
        let disk = try SmallDisk(kilobytes: 4000)
        let writer = try MovieFileWriter(path: disk("take.mov"), movie: Self.movie(width: 320, height: 180), settings: .init(rate: .quality(97.5)))
        var written = 0
        let error = #expect(throws: OutputError.self) {
            for index in 0..<200 {
                try writer.append(Picture.noise(index, width: 320, height: 180), at: CMTime(value: Int64(index), timescale: 30))
                written += 1
            }
        }
        #expect(error?.code == .diskFull && writer.salvage(), "\(written) pictures fit")
        let frames = try MovieTests.frames(VideoFileSource(path: disk("take.mov"))).count
        #expect(try frames > 0 && frames <= written && disk.names == ["take.mov"])
    }

    @Test("keeps every picture and sample that was taken before a failure", arguments: [1, 2, 10])
    func failed(taken: Int) throws {
        let scratch = try Scratch()
        let path = scratch("take.mov")
        let writer = try MovieFileWriter(path: path, movie: Self.movie())
        try Self.write(0..<taken, to: writer)
        let error = #expect(throws: MediaError.self) {
            try writer.append(Picture.noise(0, width: 32, height: 18), at: CMTime(value: Int64(taken), timescale: 30))
        }
        #expect(error?.code == .mismatch && writer.salvage())
        #expect(try MovieTests.frames(VideoFileSource(path: path)).count == taken)
        let sound = try SoundFile.read(path)
        #expect(sound.sampleCount >= taken * 1600 && abs(SoundTrackTests.loudest(sound) % 1600 - 800) <= 1)
        #expect(try scratch.names == ["take.mov"])
    }
}
