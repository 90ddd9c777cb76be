import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Media

@Suite("Kinds of movies") struct MovieKindTests {
    static let thirtieth = CMTime(value: 1, timescale: 30)

    /// A smooth picture in the format asked for, and the luma it should come back with, 8 bits.
    static func picture(_ index: Int, _ format: OSType) -> CVPixelBuffer {
        let plain = Picture.moving(index)
        guard format != kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange else { return plain }
        let picture = CVPixelBuffer(width: 64, height: 36, pixelFormat: format)
        let isTenBit = format == kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
        for plane in 0..<2 {
            for y in 0..<plain.plane(plane).height {
                let from = plain.plane(plane).row(y, as: UInt8.self)
                for x in 0..<64 {
                    if isTenBit {
                        picture.plane(plane).row(y, as: UInt16.self)[x] = UInt16(from[x]) << 8
                    } else {
                        picture.plane(plane).row(y, as: UInt8.self)[x] = from[x]
                    }
                }
            }
        }
        return picture
    }

    @Test(
        "codecs, bit depths and ranges come back as such",
        arguments: [
            (.h264, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, "yuv420p", "tv", "a.mov"),
            (.h264, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, "yuvj420p", "pc", "a.mp4"),
            (.hevc, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, "yuv420p", "tv", "a.mp4"),
            (.hevc, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, "yuvj420p", "pc", "a.mov"),
            (.hevc, kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, "yuv420p10le", "tv", "a.mov"),
        ] as [(MovieDescription.Codec, OSType, String, String, String)])
    func kinds(codec: MovieDescription.Codec, format: OSType, pixels: String, range: String, name: String) throws {
        try #require(MovieFileWriter.codecs.contains(codec))
        let scratch = try Scratch()
        let movie = MovieDescription(width: 64, height: 36, frameDuration: Self.thirtieth, codec: codec, pixelFormat: format)
        let writer = try MovieFileWriter(path: scratch(name), movie: movie)
        for index in 0..<6 { try writer.append(Self.picture(index, format), at: CMTime(value: Int64(index), timescale: 30)) }
        try writer.finish()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch(name)))
        #expect(bytes.range(of: Data((codec == .hevc ? "hvc1" : "avc1").utf8)) != nil)
        #expect(bytes[8..<12] == Data((name.hasSuffix("mov") ? "qt  " : "isom").utf8))
        let decoder = try VideoDecoder(path: scratch(name), threads: 1)
        var count = 0
        while let frame = try decoder.next() {
            #expect(frame.pixelFormatName == pixels && frame.colorTags.hasPrefix("\(range) bt709 bt709 bt709"))
            count += 1
        }
        #expect(count == 6)
        guard format == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange else { return }
        for frame in try MovieTests.frames(VideoFileSource(path: scratch(name))) {
            let luma = Picture.psnr(Picture.bytes(Picture.moving(frame.index), bytesPerPixel: 1), Picture.bytes(frame.image, bytesPerPixel: 1))
            #expect(luma > 36, "frame \(frame.index): \(luma) dB")
        }
    }

    @Test("HEVC is the same each time as well")
    func reproducible() throws {
        let scratch = try Scratch()
        for name in ["a.mov", "b.mov"] {
            let movie = MovieDescription(width: 64, height: 36, frameDuration: Self.thirtieth, codec: .hevc)
            let writer = try MovieFileWriter(path: scratch(name), movie: movie)
            for index in 0..<12 { try writer.append(Picture.moving(index), at: CMTime(value: Int64(index), timescale: 30)) }
            try writer.finish()
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: scratch("a.mov"))) == Data(contentsOf: URL(fileURLWithPath: scratch("b.mov"))))
    }

    /// Quarters of the picture: 0 top left, 1 top right, 2 bottom left, 3 bottom right.
    @Test(
        "the track's matrix turns and mirrors the picture, also after fragments",
        arguments: [
            (0, false, 0), (90, false, 1), (180, false, 3), (270, false, 2), (0, true, 1), (90, true, 0), (180, true, 2), (270, true, 3),
        ] as [(Int, Bool, Int)])
    func posture(rotation: Int, isMirrored: Bool, quarter: Int) throws {
        let scratch = try Scratch()
        let movie = MovieDescription(
            width: 64, height: 36, frameDuration: Self.thirtieth, rotation: rotation, isMirrored: isMirrored,
            fragments: isMirrored ? .all : .none)
        let picture = Picture.nv12(y: 30, u: 128, v: 128)
        for y in 0..<18 { picture.plane(0).row(y, as: UInt8.self).update(repeating: 220, count: 32) }
        let writer = try MovieFileWriter(path: scratch("a.mov"), movie: movie)
        for index in 0..<3 { try writer.append(picture, at: CMTime(value: Int64(index), timescale: 30)) }
        try writer.finish()
        let frame = try #require(try VideoFileSource(path: scratch("a.mov")).nextFrame())
        let (width, height) = frame.image.size
        #expect((width, height) == (rotation % 180 == 0 ? (64, 36) : (36, 64)))
        let bright = (0..<4).filter {
            frame.image.plane(0).row($0 / 2 * height / 2 + height / 4, as: UInt8.self)[$0 % 2 * width / 2 + width / 4] > 150
        }
        #expect(bright == [quarter])
    }

    @Test("metadata come back under QuickTime's keys", arguments: ["a.mov", "a.mp4"], [false, true])
    func metadata(name: String, isFragmented: Bool) throws {
        let scratch = try Scratch()
        let metadata = ["com.apple.quicktime.title": "Zwei Köpfe", "com.apple.quicktime.location.ISO6709": "+48.1372+011.5756/"]
        let movie = MovieDescription(
            width: 64, height: 36, frameDuration: Self.thirtieth, metadata: metadata,
            fragments: isFragmented ? .all : .none)
        let writer = try MovieFileWriter(path: scratch(name), movie: movie)
        try writer.append(Picture.moving(0), at: .zero)
        try writer.finish()
        let read = try VideoFileSource(path: scratch(name)).metadata
        #expect(read.filter { $0.key.hasPrefix("com.apple") } == metadata)
    }

    @Test("what cannot be written is refused in words")
    func refusals() throws {
        let scratch = try Scratch()
        func reason(_ change: (inout MovieDescription) -> Void) -> String? {
            var movie = MovieDescription(width: 64, height: 36, frameDuration: Self.thirtieth)
            change(&movie)
            return #expect(throws: MediaError.self) { try MovieFileWriter(path: scratch("a.mov"), movie: movie) }?.reason
        }
        #expect(reason { $0.rotation = 45 } == "a movie cannot be turned by 45 degrees; give 0, 90, 180 or 270")
        #expect(
            reason { $0.pixelFormat = kCVPixelFormatType_OneComponent8 }
                == "pictures in L008 cannot be written; give 420v, 420f, x420 or BGRA")
        #expect(reason { $0.frameDuration = .invalid } == "a movie needs a frame duration above zero")
        #expect(try scratch.names == [])
    }
}
