import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Media

@Suite("Footage of every kind becomes 420v BT.709, upright") struct FootageTests {
    @Test(
        "pure red keeps its colour from every matrix, range and depth",
        arguments: [
            ("red601", Samples.red601), ("red601full", Samples.red601full), ("red709ten", Samples.red709ten),
            ("red709full444", Samples.red709full444),
        ])
    func colours(name: String, bytes: Data) throws {
        let scratch = try Scratch()
        try bytes.write(to: URL(fileURLWithPath: scratch(name + ".mkv")))
        let source = try VideoFileSource(path: scratch(name + ".mkv"))
        #expect(source.description.width == 16 && source.description.height == 12)
        let frames = try MovieTests.frames(source)
        #expect(frames.count == 3)
        for frame in frames {
            let row = frame.image.plane(1).row(3, as: UInt8.self)
            let seen = [Int(frame.image.plane(0).row(6, as: UInt8.self)[8]), Int(row[8]), Int(row[9])]
            for (a, b) in zip(seen, [63, 102, 240]) { #expect(abs(a - b) <= 2, "\(name): \(seen)") }
        }
    }

    @Test("ten bits of another matrix are rounded once to 8 bits of BT.709", arguments: [DeliveryOptions.PixelFormat.yuv420p10, .yuv422p10])
    func rounded(coding: DeliveryOptions.PixelFormat) throws {
        let scratch = try Scratch()
        let format = kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
        var movie = MovieDescription(width: 64, height: 16, frameDuration: CMTime(value: 1, timescale: 25), codec: .ffv1, pixelFormat: format)
        movie.colors = PictureColors(primaries: 9, transfer: 18, matrix: 9)
        let picture = CVPixelBuffer(width: 64, height: 16, pixelFormat: format)
        func luma(_ x: Int) -> Int { 200 + 7 * x }
        for y in 0..<16 { for x in 0..<64 { picture.plane(0).row(y, as: UInt16.self)[x] = UInt16(luma(x)) << 6 } }
        for y in 0..<8 {
            for x in 0..<32 { picture.plane(1).row(y, as: UInt32.self)[x] = UInt32(470) << 6 | UInt32(601) << 22 }
        }
        var settings = MovieFileWriter.Settings()
        settings.pixelFormat = coding
        let writer = try MovieFileWriter(path: scratch("a.mkv"), movie: movie, settings: settings)
        try writer.append(picture, at: .zero)
        try writer.finish()
        let image = try #require(try VideoFileSource(path: scratch("a.mkv")).nextFrame()).image
        // By way of red, green and blue of BT.2020: Cb and Cr come to 118.60 and 150.30, and luma is less by 2.26.
        let chroma = image.plane(1).row(4, as: UInt8.self)
        #expect((chroma[20], chroma[21]) == (119, 150))
        for x in 0..<64 { #expect(abs(Double(image.plane(0).row(8, as: UInt8.self)[x]) - (Double(luma(x)) / 4 - 2.26)) <= 0.53, "\(x)") }
    }

    @Test("odd sizes lose their last row and column")
    func odd() throws {
        let scratch = try Scratch()
        try Samples.odd.write(to: URL(fileURLWithPath: scratch("odd.mkv")))
        let source = try VideoFileSource(path: scratch("odd.mkv"))
        #expect(source.description.width == 16 && source.description.height == 12)
        let frame = try #require(try source.nextFrame())
        #expect(Picture.bytes(frame.image, bytesPerPixel: 1).allSatisfy { $0 == 16 })
        #expect(Picture.bytes(frame.image, plane: 1, bytesPerPixel: 2).allSatisfy { $0 == 128 })
    }

    @Test("times that Matroska rounds to milliseconds are exact again")
    func exactTimes() throws {
        var timeline = Timeline(timeBase: TimeBase(numerator: 1, denominator: 1000)!, frameDuration: CMTime(value: 1001, timescale: 30000))
        for (index, stamp) in [0, 33, 67, 100, 133, 167].enumerated() {
            #expect(timeline.next(timestamp: Int64(stamp)) == CMTime(value: Int64(index) * 1001, timescale: 30000))
        }
    }

    @Test("a gap keeps the file's own times, which never stand still")
    func variableTimes() {
        var timeline = Timeline(timeBase: TimeBase(numerator: 1, denominator: 600)!, frameDuration: CMTime(value: 1, timescale: 30))
        let stamps: [Int64?] = [100, 120, 140, 200, 220, 220, nil]
        let times = stamps.compactMap { timeline.next(timestamp: $0) }
        #expect(times.prefix(5) == [(0, 600), (20, 600), (40, 600), (100, 600), (120, 600)].map { CMTime(value: $0.0, timescale: $0.1) }[...])
        #expect(times[5] == CMTime(value: 140, timescale: 600))
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("frames that come unevenly keep their own times, written and read", arguments: [(1, 30), (19, 600), (406, 12345)] as [(Int64, Int32)])
    func unevenTimes(average: (Int64, Int32)) throws {
        let scratch = try Scratch()
        let times = (0..<20).map { CMTime(value: Int64($0 * 20 + [0, 3, -4, 9][$0 % 4]), timescale: 600) }
        try MovieTests.write(
            scratch("a.mp4"), frames: times.count, frameDuration: CMTime(value: average.0, timescale: average.1), times: { times[$0] })
        let frames = try MovieTests.frames(VideoFileSource(path: scratch("a.mp4")))
        #expect(frames.map(\.index) == Array(times.indices))
        for (frame, time) in zip(frames, times) { #expect(abs((frame.presentationTime - time).seconds) < 4.2e-6, "frame \(frame.index)") }
    }

    @Test(
        "frame rates come out as the fractions people mean",
        arguments: [
            ((30000, 1001), (30000, 1001), (1001, 30000)), ((359, 12), (30, 1), (1, 30)), ((2997, 100), (2997, 100), (1001, 30000)),
            ((19001, 1000), (90000, 1), (1, 19)), ((25, 2), (25, 2), (2, 25)),
        ] as [((Int64, Int64), (Int64, Int64), (Int64, Int32))])
    func rates(average: (Int64, Int64), real: (Int64, Int64), expected: (Int64, Int32)) {
        #expect(Timeline.frameDuration(average: average, real: real) == CMTime(value: expected.0, timescale: expected.1))
    }

    /// 16.16 matrices of a movie header, and where the picture's top left pixel then shows.
    @Test(
        "a movie that asks to be turned is turned",
        arguments: [
            ([0, 1, -1, 0], (36, 64), (35, 0)), ([-1, 0, 0, -1], (64, 36), (63, 35)), ([0, -1, 1, 0], (36, 64), (0, 63)),
            ([-1, 0, 0, 1], (64, 36), (63, 0)),
        ] as [([Int32], (Int, Int), (Int, Int))])
    func rotation(matrix: [Int32], size: (Int, Int), corner: (Int, Int)) throws {
        let scratch = try Scratch()
        let writer = try MovieFileWriter(
            path: scratch("a.mp4"), movie: MovieDescription(width: 64, height: 36, frameDuration: CMTime(value: 1, timescale: 30)))
        let picture = Picture.nv12(y: 40, u: 128, v: 128)
        for y in 0..<8 { for x in 0..<8 { picture.plane(0).row(y, as: UInt8.self)[x] = 220 } }
        for y in 0..<4 { for x in 0..<4 { picture.plane(1).row(y, as: UInt8.self)[2 * x] = 200 } }
        try writer.append(picture, at: .zero)
        try writer.finish()
        try Movie.turn(scratch("a.mp4"), matrix)
        let source = try VideoFileSource(path: scratch("a.mp4"))
        #expect((source.description.width, source.description.height) == size)
        let image = try #require(try source.nextFrame()).image
        #expect(image.plane(0).row(corner.1, as: UInt8.self)[corner.0] > 200)
        #expect(image.plane(1).row(corner.1 / 2, as: UInt8.self)[corner.0 / 2 * 2] > 180)
        #expect(image.plane(0).row(size.1 - 1 - corner.1, as: UInt8.self)[size.0 - 1 - corner.0] < 60)
    }

    @Test("a movie turned by an odd angle is refused")
    func oddAngle() throws {
        let scratch = try Scratch()
        try MovieTests.write(scratch("a.mp4"), frames: 2)
        try Movie.turn(scratch("a.mp4"), [1, 1, -1, 1])
        BadInputTests.expect(scratch, .unsupported, "a.mp4: asks to be rotated by other than quarter turns; rotate it first") {
            try VideoFileSource(path: scratch("a.mp4"))
        }
    }

    @Test(
        "numbered pictures that were written come back in their own colours",
        arguments: [
            ("png", PictureColors()), ("png", PictureColors(primaries: 9)), ("png", PictureColors(primaries: 9, transfer: 18, matrix: 9)),
            ("exr", PictureColors()), ("exr", PictureColors(primaries: 9)),
        ])
    func written(kind: String, colors: PictureColors) throws {
        let scratch = try Scratch()
        let format = kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
        var source = SourceDescription(width: 64, height: 16, frameDuration: CMTime(value: 1, timescale: 25), frameCount: 1)
        (source.pixelFormat, source.colors) = (format, colors)
        let picture = CVPixelBuffer(width: 64, height: 16, pixelFormat: format)
        func luma(_ x: Int) -> Int { 64 + x * 876 / 63 }
        for y in 0..<16 { for x in 0..<64 { picture.plane(0).row(y, as: UInt16.self)[x] = UInt16(luma(x)) << 6 } }
        for y in 0..<8 { picture.plane(1).row(y, as: UInt16.self).update(repeating: 512 << 6, count: 64) }
        let path = scratch("a.%02d.\(kind)")
        var movie = MovieDescription(width: 64, height: 16, frameDuration: source.frameDuration, pixelFormat: format)
        movie.colors = colors
        let writer = try Media.PictureSequenceWriter(path: path, movie: movie, delivery: DeliveryOptions().resolved(for: source, path: path))
        try writer.append(picture, at: .zero)
        try writer.finish()
        let read = try VideoFileSource(path: path, reading: FootageReading(keepsCoding: true))
        #expect((read.description.pixelFormat, read.description.colors) == (format, colors))
        let back = try #require(try read.nextFrame()).picture
        // Half-float numbers have 11 bits.
        for x in 0..<64 { #expect(abs(Int(back.plane(0).row(8, as: UInt16.self)[x] >> 6) - luma(x)) <= 1, "\(x)") }
        #expect(read.remarks.isEmpty == (kind == "png"))
    }

    @Test("EXR in primaries that no movie can name says that they are taken for others", arguments: [true, false])
    func uncodedPrimaries(isCoded: Bool) throws {
        let scratch = try Scratch()
        let map = DisparityMap(buffer: CVPixelBuffer(width: 64, height: 36, pixelFormat: kCVPixelFormatType_DisparityFloat32))
        for y in 0..<36 { map.row(y).update(repeating: 0.18, count: 64) }
        // Of ACES AP1 (S-2014-004), else of BT.2020.
        let named = isCoded ? EXRChromaticities(primaries: 9) : .init(values: [0.713, 0.293, 0.165, 0.83, 0.128, 0.044, 0.32168, 0.33767])
        let file = try StemCoder(pixelFormat: kCVPixelFormatType_32BGRA, colors: PictureColors()).floats(map, path: "")
        try named.marking(file).write(to: URL(fileURLWithPath: scratch("a.01.exr")))
        let remarks = try VideoFileSource(path: scratch("a.%02d.exr")).remarks
        #expect(remarks.contains { $0.hasSuffix("convert it first, as ACEScg to BT.2020") } == !isCoded, "\(remarks)")
    }

    @Test("alpha is left out, which is said", arguments: [true, false])
    func alpha(isOpaque: Bool) throws {
        let scratch = try Scratch()
        let picture = Picture.bgra()
        if !isOpaque { picture.plane(0).row(3, as: UInt8.self)[3] = 17 }
        try PictureFile.writePNG(picture, to: scratch("a.01.png"))
        #expect(try VideoFileSource(path: scratch("a.%02d.png")).remarks == (isOpaque ? [] : ["the alpha of \(scratch("a.%02d.png")) is left out"]))
    }

    @Test("pictures of HLG are not tone-mapped, and say so")
    func mappedPictures() throws {
        let scratch = try Scratch()
        let file = ColorMark.hdr(PictureColors(primaries: 9, transfer: 18, matrix: 9)).marking(png: try PictureFile.pngData(Picture.bgra(), path: ""))
        try file.write(to: URL(fileURLWithPath: scratch("a.01.png")))
        BadInputTests.expect(scratch, .unsupported, "a.01.png: is PQ or HLG; --sdr takes movies alone: make one of the pictures first") {
            try VideoFileSource(path: scratch("a.%02d.png"), reading: FootageReading(keepsCoding: true, toneMaps: true))
        }
    }

    @Test("numbered, globbed and whole-directory sequences", arguments: ["%04d.png", "*.png", ""])
    func sequences(name: String) throws {
        let scratch = try Scratch()
        for index in 0..<3 {
            try PictureFile.writePNG(Picture.moving(index), to: scratch(String(format: "%04d.png", index + 9)))
        }
        let source = try VideoFileSource(path: name.isEmpty ? scratch.path : scratch(name), pictureDuration: CMTime(value: 1, timescale: 24))
        #expect(source.description == SourceDescription(width: 64, height: 36, frameDuration: CMTime(value: 1, timescale: 24), frameCount: 3))
        let frames = try MovieTests.frames(source)
        #expect(frames.map(\.presentationTime) == (0..<3).map { CMTime(value: $0, timescale: 24) })
        for frame in frames {
            let luma = Picture.psnr(Picture.bytes(Picture.moving(frame.index), bytesPerPixel: 1), Picture.bytes(frame.image, bytesPerPixel: 1))
            #expect(luma > 45)
        }
    }

    @Test("sequences with a gap, of two sizes, or of nothing")
    func badSequences() throws {
        let scratch = try Scratch()
        for index in [1, 2, 4] { try PictureFile.writePNG(Picture.bgra(), to: scratch("\(index).png")) }
        let gap = "3.png: is missing from the image sequence %d.png, which goes on to 4.png; write * in place of the number to go on without it"
        BadInputTests.expect(scratch, .missingFile, gap) {
            try VideoFileSource(path: scratch("%d.png"))
        }
        BadInputTests.expect(scratch, .missingFile, "x%d.png: no file matches this pattern (first looked for: x1.png)") {
            try VideoFileSource(path: scratch("x%d.png"))
        }
        BadInputTests.expect(scratch, .missingFile, "*.jpg: no file matches this pattern") { try VideoFileSource(path: scratch("*.jpg")) }
        try PictureFile.writePNG(Picture.bgra(width: 32), to: scratch("3.png"))
        BadInputTests.expect(scratch, .mismatch, "3.png: frame 2 is 32x36, but the first one is 64x36") {
            try VideoFileSource(path: scratch("%d.png"))
        }
    }

    @Test(
        "real clips are read to the end",
        .enabled(if: Shared.has("video/bedroom.mp4"), "no ../shared/data"),
        arguments: [
            ("01_dog.mp4", 1280, 720, 289, 1001, 30000), ("bedroom.mp4", 960, 540, 200, 1, 30),
            ("intel_face-demographics-walking.gif", 480, 270, 35, 1, 12), ("klahaag_person_from_behind.avi", 640, 360, 53, 1, 25),
        ] as [(String, Int, Int, Int, Int64, Int32)])
    func realClips(clip: (String, Int, Int, Int, Int64, Int32)) throws {
        let source = try VideoFileSource(path: Shared.path("video/" + clip.0))
        #expect(source.description.width == clip.1 && source.description.height == clip.2)
        #expect(source.description.frameDuration == CMTime(value: clip.4, timescale: clip.5))
        var count: Int64 = 0
        while let frame = try source.nextFrame() {
            #expect(frame.presentationTime == CMTime(value: count * clip.4, timescale: clip.5))
            count += 1
        }
        #expect(count == clip.3)
    }

    @Test(
        "a real clip cut in half is an error, whatever its container",
        .enabled(if: Shared.has("video/bedroom.mp4"), "no ../shared/data"),
        arguments: ["04_coffee.mp4", "klahaag_person_from_behind.avi", "intel_head-pose-face-detection-female.gif"])
    func realClipsCut(name: String) throws {
        let scratch = try Scratch()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: Shared.path("video/" + name)))
        try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: scratch(name)))
        let seen = try #require(BadInputTests.error(scratch) { try VideoFileSource(path: scratch(name)) })
        #expect([.corrupt, .truncated, .unknownFormat].contains(seen.code), "\(seen.text)")
    }
}

/// Surgery on a movie that was just written.
enum Movie {
    /// Puts a turn into the track header: a, b, c, d of the display matrix.
    static func turn(_ path: String, _ matrix: [Int32]) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let header = try #require(bytes.range(of: Data("tkhd".utf8))).upperBound + 40
        for (index, value) in zip([0, 1, 3, 4], matrix) {
            let fixed = UInt32(bitPattern: value << 16)
            for byte in 0..<4 { bytes[header + 4 * index + byte] = UInt8(truncatingIfNeeded: fixed >> UInt32(24 - 8 * byte)) }
        }
        try bytes.write(to: URL(fileURLWithPath: path))
    }
}
