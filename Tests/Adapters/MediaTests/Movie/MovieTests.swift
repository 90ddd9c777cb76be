import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Support
import TestSupport
import Testing

@testable import Media

@Suite("Movies, written and read again") struct MovieTests {
    static func write(
        _ path: String, frames: Int = 12, width: Int = 64, height: Int = 36, frameDuration: CMTime = CMTime(value: 1, timescale: 30),
        settings: MovieFileWriter.Settings = .init(), times: ((Int) -> CMTime)? = nil
    ) throws {
        let movie = MovieDescription(width: width, height: height, frameDuration: frameDuration)
        let writer = try MovieFileWriter(path: path, movie: movie, settings: settings)
        for index in 0..<frames {
            let regular = CMTime(value: Int64(index) * frameDuration.value, timescale: frameDuration.timescale)
            try writer.append(Picture.moving(index, width: width, height: height), at: times?(index) ?? regular)
        }
        try writer.finish()
    }

    @Test("have the same bytes, whatever freed memory holds")
    func freedMemory() throws {
        let scratch = try Scratch()
        let movies = try [0, 85, 170, 1].map { (garbage: Int32) in
            try FreedMemory.with(garbage: garbage) {
                let movie = MovieDescription(width: 960, height: 540, frameDuration: CMTime(value: 1, timescale: 30))
                let writer = try MovieFileWriter(path: scratch("\(garbage).mp4"), movie: movie)
                for index in 0..<24 {
                    try writer.append(Picture.grating(index, width: 960, height: 540), at: CMTime(value: Int64(index), timescale: 30))
                }
                try writer.finish()
                return try Data(contentsOf: URL(fileURLWithPath: scratch("\(garbage).mp4")))
            }
        }
        #expect(movies.allSatisfy { $0 == movies[0] })
    }

    static func frames(_ source: some FrameSource) throws -> [Frame] {
        var frames: [Frame] = []
        while let frame = try source.nextFrame() { frames.append(frame) }
        return frames
    }

    @Test(
        "pictures and times come back",
        arguments: [(1, 30), (1001, 30000), (1, 24), (1001, 24000), (1, 50), (1001, 60000), (1, 15)] as [(Int64, Int32)])
    func roundTrip(duration: (Int64, Int32)) throws {
        let scratch = try Scratch()
        let frameDuration = CMTime(value: duration.0, timescale: duration.1)
        try Self.write(scratch("a.mp4"), frameDuration: frameDuration)
        let source = try VideoFileSource(path: scratch("a.mp4"))
        #expect(source.description == SourceDescription(width: 64, height: 36, frameDuration: frameDuration, frameCount: 12))
        let frames = try Self.frames(source)
        #expect(frames.map(\.index) == Array(0..<12))
        for frame in frames {
            #expect(frame.presentationTime == CMTime(value: Int64(frame.index) * duration.0, timescale: duration.1))
            let original = Picture.moving(frame.index)
            let luma = Picture.psnr(Picture.bytes(original, bytesPerPixel: 1), Picture.bytes(frame.image, bytesPerPixel: 1))
            let chroma = Picture.psnr(Picture.bytes(original, plane: 1, bytesPerPixel: 2), Picture.bytes(frame.image, plane: 1, bytesPerPixel: 2))
            #expect(luma > 38 && chroma > 38, "frame \(frame.index): luma \(luma) dB, chroma \(chroma) dB")
        }
        #expect(try scratch.names == ["a.mp4"])
    }
}

@Suite("The movie writer") struct MovieWriterTests {
    static let thirtieth = CMTime(value: 1, timescale: 30)

    static func writer(_ path: String, replacingExisting: Bool = false) throws -> MovieFileWriter {
        try MovieFileWriter(
            path: path, movie: MovieDescription(width: 64, height: 36, frameDuration: thirtieth), replacingExisting: replacingExisting)
    }

    @Test("the same pictures give the same file")
    func reproducible() throws {
        let scratch = try Scratch()
        try MovieTests.write(scratch("a.mp4"), frames: 40)
        try MovieTests.write(scratch("b.mp4"), frames: 40)
        #expect(try Data(contentsOf: URL(fileURLWithPath: scratch("a.mp4"))) == Data(contentsOf: URL(fileURLWithPath: scratch("b.mp4"))))
    }

    @Test("stream and container say BT.709 in video range, and the index comes first")
    func tags() throws {
        let scratch = try Scratch()
        try MovieTests.write(scratch("a.mp4"))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch("a.mp4")))
        let colr = try #require(bytes.range(of: Data("colrnclx".utf8)))
        #expect(Array(bytes[colr.upperBound..<colr.upperBound + 7]) == [0, 1, 0, 1, 0, 1, 0])
        let (index, media) = (try #require(bytes.range(of: Data("moov".utf8))), try #require(bytes.range(of: Data("mdat".utf8))))
        #expect(index.lowerBound < media.lowerBound)
        let decoder = try VideoDecoder(path: scratch("a.mp4"), threads: 1)
        let frame = try #require(try decoder.next())
        #expect(frame.colorTags == "tv bt709 bt709 bt709 left")
        #expect(frame.pixelFormatName == "yuv420p")
    }

    @Test("irregular times are kept")
    func irregular() throws {
        let scratch = try Scratch()
        let times: [Int64] = [0, 1, 2, 10, 11, 30, 31, 32]
        try MovieTests.write(scratch("a.mp4"), frames: times.count) { CMTime(value: times[$0], timescale: 30) }
        let frames = try MovieTests.frames(VideoFileSource(path: scratch("a.mp4")))
        #expect(frames.map(\.presentationTime) == times.map { CMTime(value: $0, timescale: 30) })
    }

    @Test("nothing is under the name before finish, and nothing at all after cancel")
    func atomic() throws {
        let scratch = try Scratch()
        let first = try Self.writer(scratch("a.mp4"))
        try first.append(Picture.moving(0), at: .zero)
        #expect(try scratch.names.count == 1 && scratch.names[0].hasPrefix(".a.mp4."))
        first.cancel()
        #expect(try scratch.names == [])
        #expect(throws: MediaError.self) { try first.append(Picture.moving(1), at: Self.thirtieth) }
        do { _ = try Self.writer(scratch("b.mp4")) }
        #expect(try scratch.names == [])
    }

    @Test("an existing movie is refused at once, and replaced on request")
    func existing() throws {
        let scratch = try Scratch()
        try Data("old".utf8).write(to: URL(fileURLWithPath: scratch("a.mp4")))
        let error = #expect(throws: OutputError.self) { try Self.writer(scratch("a.mp4")) }
        #expect(error?.description == "\(scratch("a.mp4")): exists already; use --force to replace it")
        let writer = try Self.writer(scratch("a.mp4"), replacingExisting: true)
        try writer.append(Picture.moving(0), at: .zero)
        #expect(try Data(contentsOf: URL(fileURLWithPath: scratch("a.mp4"))) == Data("old".utf8))
        try writer.finish()
        #expect(try MovieTests.frames(VideoFileSource(path: scratch("a.mp4"))).count == 1)
    }

    @Test("a movie that appeared meanwhile is not overwritten")
    func race() throws {
        let scratch = try Scratch()
        let writer = try Self.writer(scratch("a.mp4"))
        try writer.append(Picture.moving(0), at: .zero)
        try Data("new".utf8).write(to: URL(fileURLWithPath: scratch("a.mp4")))
        let error = #expect(throws: OutputError.self) { try writer.finish() }
        #expect(error?.code == .exists)
        #expect(try Data(contentsOf: URL(fileURLWithPath: scratch("a.mp4"))) == Data("new".utf8))
        #expect(try scratch.names == ["a.mp4"])
    }

    @Test("what does not fit is refused, and ends the movie")
    func refusals() throws {
        let scratch = try Scratch()
        func reason(_ body: (MovieFileWriter) throws -> Void) throws -> String? {
            let writer = try Self.writer(scratch("a.mp4"))
            let error = #expect(throws: MediaError.self) { try body(writer) }
            #expect(throws: MediaError.self) { try writer.finish() }
            #expect(try scratch.names == [])
            return error?.reason
        }
        #expect(
            try reason { try $0.append(Picture.moving(0, width: 32), at: .zero) }
                == "a picture of 32x36 in 420v does not fit a movie of 64x36 in 420v")
        #expect(try reason { try $0.append(Picture.bgra(), at: .zero) } == "a picture of 64x36 in BGRA does not fit a movie of 64x36 in 420v")
        #expect(
            try reason {
                try $0.append(Picture.moving(0), at: Self.thirtieth)
                try $0.append(Picture.moving(0), at: Self.thirtieth)
            } == "a picture at 0.03333333333333333 s is not later than the one before")
        #expect(try reason { try $0.finish() } == "a movie without a single frame is not written")
        let odd = #expect(throws: MediaError.self) {
            try MovieFileWriter(path: scratch("b.mp4"), movie: MovieDescription(width: 63, height: 36, frameDuration: Self.thirtieth))
        }
        #expect(odd?.reason == "a movie of 63x36 cannot be written; both sides must be even")
    }

    @Test("a missing encoder names the package")
    func missingEncoder() throws {
        let scratch = try Scratch()
        var settings = MovieFileWriter.Settings()
        settings.encoder = .named("libx265400")
        let error = #expect(throws: MediaError.self) { try MovieTests.write(scratch("a.mp4"), settings: settings) }
        #expect(error?.code == .missingEncoder)
        #expect(error?.reason == "this FFmpeg has no encoder libx265400; install the Debian package libavcodec59 (or libavcodec-extra59)")
        #expect(try scratch.names == [])
    }

    @Test("a missing directory", arguments: ["none/a.mp4", "file/a.mp4"])
    func missingDirectory(name: String) throws {
        let scratch = try Scratch()
        try Data().write(to: URL(fileURLWithPath: scratch("file")))
        let error = #expect(throws: OutputError.self) { try Self.writer(scratch(name)) }
        #expect(error?.code == .missingDirectory)
        #expect(error?.description.hasPrefix("\(scratch(name)): cannot create: the directory ") == true)
    }

    @Test(
        "a full disk is an error that leaves nothing", .enabled(if: SmallDisk.isPossible, "mounting a small tmpfs wants root"),
        arguments: [2, 60, 200])
    func diskFull(kilobytes: Int) throws {
        let disk = try SmallDisk(kilobytes: kilobytes)
        let error = #expect(throws: OutputError.self) {
            let writer = try MovieFileWriter(
                path: disk("a.mp4"), movie: MovieDescription(width: 320, height: 180, frameDuration: Self.thirtieth),
                settings: .init(rate: .quality(97.5)))
            for index in 0..<60 { try writer.append(Picture.noise(index, width: 320, height: 180), at: CMTime(value: Int64(index), timescale: 30)) }
            try writer.finish()
        }
        #expect(error?.code == .diskFull)
        #expect(error?.description.hasSuffix("no room left (No space left on device); free some space or write elsewhere") == true)
        #expect(try disk.names == [])
    }
}

extension Picture {
    /// Two gratings that pass each other.
    static func grating(_ index: Int, width: Int, height: Int) -> CVPixelBuffer {
        let buffer = nv12(width: width, height: height, y: 0, u: 128, v: 128)
        for y in 0..<height {
            let row = buffer.plane(0).row(y, as: UInt8.self)
            for x in 0..<width { row[x] = UInt8(30 + ((x + 3 * index) * (y / 7 + 5) / 16 & 63) + ((x * 5 + y * 3 - 2 * index) / 8 & 63)) }
        }
        return buffer
    }

    /// Noise, which compresses badly.
    static func noise(_ index: Int, width: Int, height: Int) -> CVPixelBuffer {
        let buffer = nv12(width: width, height: height, y: 0, u: 128, v: 128)
        var state = UInt32(truncatingIfNeeded: index &* 7919 &+ 1)
        for y in 0..<height {
            let row = buffer.plane(0).row(y, as: UInt8.self)
            for x in 0..<width {
                state = state &* 1_664_525 &+ 1_013_904_223
                row[x] = UInt8(16 + state >> 24 % 200)
            }
        }
        return buffer
    }
}
