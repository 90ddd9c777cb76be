import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Media

@Suite("Files that are played together") struct PairTests {
    @Test("a stereo pair gives both eyes of each frame")
    func stereo() throws {
        let scratch = try Scratch()
        try MovieTests.write(scratch("l.mp4"), frames: 5)
        try PictureSequenceWriter.write(scratch, frames: 5)
        let source = try StereoFileSource(left: scratch("l.mp4"), right: scratch("r%d.png"))
        let frames = try MovieTests.frames(source)
        #expect(frames.count == 5 && source.description.frameCount == 5)
        for frame in frames {
            let right = try #require(frame.rightImage)
            #expect(Picture.psnr(Picture.bytes(frame.image, bytesPerPixel: 1), Picture.bytes(right, bytesPerPixel: 1)) > 36)
        }
    }

    @Test("two eyes side by side come apart")
    func sideBySide() throws {
        let scratch = try Scratch()
        try PictureFile.writePNG(Picture.moving(0), to: scratch("1.png"))
        let source = try PackedStereoFileSource(path: scratch("%d.png"), layout: .leftHalf)
        #expect(source.description.width == 32 && source.description.height == 36)
        let frame = try #require(try source.nextFrame())
        let (left, right, whole) = (frame.image, try #require(frame.rightImage), try VideoFileSource(path: scratch("1.png")).nextFrame()!.image)
        for (plane, bytes) in [(0, 1), (1, 2)] {
            let width = whole.plane(plane).width / 2 * bytes
            let rows = Picture.bytes(whole, plane: plane, bytesPerPixel: bytes)
            let lines = stride(from: 0, to: rows.count, by: 2 * width).map { Array(rows[$0..<$0 + 2 * width]) }
            #expect(Picture.bytes(left, plane: plane, bytesPerPixel: bytes) == lines.flatMap { $0.prefix(width) })
            #expect(Picture.bytes(right, plane: plane, bytesPerPixel: bytes) == lines.flatMap { $0.suffix(width) })
        }
        try PictureFile.writePNG(Picture.bgra(width: 66), to: scratch("odd.png"))
        BadInputTests.expect(scratch, .unsupported, "odd.png: is 66 pixels wide; two eyes side by side want a width that is a multiple of 4") {
            try PackedStereoFileSource(path: scratch("odd.png"), layout: .leftHalf)
        }
    }

    @Test("two eyes above each other come apart")
    func topBottom() throws {
        let scratch = try Scratch()
        try PictureFile.writePNG(Picture.moving(0), to: scratch("1.png"))
        let whole = try VideoFileSource(path: scratch("1.png")).nextFrame()!.image
        let source = try PackedStereoFileSource(path: scratch("1.png"), layout: .topHalf)
        let frame = try #require(try source.nextFrame())
        #expect(source.description.width == 64 && source.description.height == 18)
        for (plane, bytes) in [(0, 1), (1, 2)] {
            let all = Picture.bytes(whole, plane: plane, bytesPerPixel: bytes)
            #expect(Picture.bytes(frame.image, plane: plane, bytesPerPixel: bytes) == Array(all[..<(all.count / 2)]))
            #expect(Picture.bytes(try #require(frame.rightImage), plane: plane, bytesPerPixel: bytes) == Array(all[(all.count / 2)...]))
        }
        try PictureFile.writePNG(Picture.bgra(height: 38), to: scratch("odd.png"))
        BadInputTests.expect(scratch, .unsupported, "odd.png: is 38 pixels high; two eyes above each other want a height that is a multiple of 4") {
            try PackedStereoFileSource(path: scratch("odd.png"), layout: .topHalf)
        }
    }

    @Test("16-bit depth in millimetres is disparity in 1/m, and 0 where the sensor saw nothing")
    func depth() throws {
        let scratch = try Scratch()
        try PictureFile.writePNG(Picture.bgra(), to: scratch("v.png"))
        let depth = CVPixelBuffer(width: 64, height: 36, pixelFormat: kCVPixelFormatType_OneComponent16)
        for y in 0..<36 { for x in 0..<64 { depth.plane(0).row(y, as: UInt16.self)[x] = x < 10 ? 0 : 2000 } }
        try PictureFile.writePNG(depth, to: scratch("d.png"))
        let source = try DisparityFileSource(video: scratch("v.png"), disparity: scratch("d.png"), coding: .depth(metresPerCode: 0.001))
        let map = try #require(try source.nextFrame()?.disparity)
        #expect(map.row(5)[3] == 0 && map.row(5)[20] == 0.5)
        try PictureFile.writePNG(Picture.bgra(), to: scratch("colour.png"))
        let wrong = try DisparityFileSource(video: scratch("v.png"), disparity: scratch("colour.png"), coding: .depth(metresPerCode: 0.001))
        let refused = #expect(throws: MediaError.self) { try wrong.nextFrame() }
        #expect(refused?.reason == "holds 8-bit pixels; depth is read from 16-bit grey (PNG or FFV1) and from floats (OpenEXR, PFM)")
    }

    @Test("maps larger than the picture, as of pictures whose odd size is cropped, have the values nearest to its pixels")
    func largerMaps() throws {
        let scratch = try Scratch()
        func maps(picture: (Int, Int), map: (Int, Int)) throws -> [[UInt16]] {
            try PictureFile.writePNG(Picture.bgra(width: picture.0, height: picture.1), to: scratch("v.png"), replacingExisting: true)
            let depth = CVPixelBuffer(width: map.0, height: map.1, pixelFormat: kCVPixelFormatType_OneComponent16)
            for y in 0..<map.1 { for x in 0..<map.0 { depth.plane(0).row(y, as: UInt16.self)[x] = UInt16(100 * y + x) } }
            try PictureFile.writePNG(depth, to: scratch("d.png"), replacingExisting: true)
            let source = try DisparityFileSource(video: scratch("v.png"), disparity: scratch("d.png"), coding: .disparity(0...65535))
            let map = try #require(try source.nextFrame()?.disparity)
            return (0..<map.height).map { y in (0..<map.width).map { UInt16(map.row(y)[$0]) } }
        }
        func grid(_ width: Int, _ height: Int, _ value: (Int, Int) -> Int) -> [[UInt16]] {
            (0..<height).map { y in (0..<width).map { UInt16(value($0, y)) } }
        }
        #expect(try maps(picture: (65, 37), map: (65, 37)) == grid(64, 36) { 100 * $1 + $0 })
        #expect(try maps(picture: (64, 36), map: (128, 72)) == grid(64, 36) { 100 * (2 * $1 + 1) + 2 * $0 + 1 })
        #expect(try maps(picture: (65, 37), map: (65, 37)).count == 36)
        #expect(try maps(picture: (64, 36), map: (32, 18)) == grid(32, 18) { 100 * $1 + $0 })
        // A quarter turn clockwise shows the row that is cropped at the bottom on the left.
        let size = SourceDescription(width: 2, height: 2, frameDuration: CMTime(value: 1, timescale: 30))
        let stored = CVPixelBuffer(width: 3, height: 2, pixelFormat: kCVPixelFormatType_DisparityFloat32)
        for y in 0..<2 { for x in 0..<3 { stored.plane(0).row(y, as: Float.self)[x] = Float(10 * y + x) } }
        let turned = DisparityMap(buffer: stored).fitted(to: size, of: (3, 2, 1, 0))
        #expect((0..<2).map { y in (0..<2).map { turned.row(y)[$0] } } == [[1, 2], [11, 12]])
    }

    @Test("the right eye is shorter, by the word of both indices")
    func shorter() throws {
        let scratch = try Scratch()
        try MovieTests.write(scratch("l.mp4"), frames: 9)
        try MovieTests.write(scratch("r.mp4"), frames: 6)
        let opened = #expect(throws: MediaError.self) { try StereoFileSource(left: scratch("l.mp4"), right: scratch("r.mp4")) }
        #expect(opened?.code == .mismatch && opened?.path == scratch("r.mp4"))
        #expect(opened?.reason == "ends after frame 6, but \(scratch("l.mp4")) has 9 frames; both must have one length")
    }

    @Test("one eye ends first, and no index said so", arguments: [true, false])
    func shorterUnannounced(rightIsShorter: Bool) throws {
        let scratch = try Scratch()
        try Samples.red601.write(to: URL(fileURLWithPath: scratch("three.mkv")))
        try MovieTests.write(scratch("five.mp4"), frames: 5, width: 16, height: 12, frameDuration: CMTime(value: 1, timescale: 25))
        let names = rightIsShorter ? ("five.mp4", "three.mkv") : ("three.mkv", "five.mp4")
        let source = try StereoFileSource(left: scratch(names.0), right: scratch(names.1))
        for _ in 0..<3 { #expect(try source.nextFrame() != nil) }
        let error = #expect(throws: MediaError.self) { try source.nextFrame() }
        #expect(error?.path == scratch("three.mkv"))
        #expect(error?.reason == "ends after frame 3, but \(scratch("five.mp4")) goes on; both must have one length")
    }

    @Test("eyes of two sizes or two rates")
    func mismatch() throws {
        let scratch = try Scratch()
        try MovieTests.write(scratch("l.mp4"))
        try MovieTests.write(scratch("r.mp4"), width: 80)
        try MovieTests.write(scratch("s.mp4"), frameDuration: CMTime(value: 1001, timescale: 24000))
        BadInputTests.expect(scratch, .mismatch, "r.mp4: is 80x36, but l.mp4 is 64x36; both must have one size") {
            try StereoFileSource(left: scratch("l.mp4"), right: scratch("r.mp4"))
        }
        BadInputTests.expect(scratch, .mismatch, "s.mp4: runs at 23.976 frames/s, but l.mp4 at 30; both must have one rate") {
            try StereoFileSource(left: scratch("l.mp4"), right: scratch("s.mp4"))
        }
        BadInputTests.expect(scratch, .missingFile, "no.mp4: there is no such file") {
            try StereoFileSource(left: scratch("l.mp4"), right: scratch("no.mp4"))
        }
    }

    @Test("16-bit disparity of a lossless video is exact")
    func disparityVideo() throws {
        let scratch = try Scratch()
        try Samples.gray16.write(to: URL(fileURLWithPath: scratch("d.mkv")))
        try MovieTests.write(scratch("v.mp4"), frames: 4, width: 32, height: 24, frameDuration: CMTime(value: 1, timescale: 25))
        let frames = try MovieTests.frames(DisparityFileSource(video: scratch("v.mp4"), disparity: scratch("d.mkv"), coding: .disparity(0...2)))
        #expect(frames.count == 4)
        for frame in frames {
            let map = try #require(frame.disparity)
            #expect(map.width == 16 && map.height == 12)
            for y in 0..<12 {
                for x in 0..<16 { #expect(map.row(y)[x] == Float((341 * (16 * y + x) + 7 * frame.index) % 65536) * Float(2.0 / 65535)) }
            }
        }
    }

    @Test("disparity of the wrong shape, length or colour")
    func badDisparity() throws {
        let scratch = try Scratch()
        try Samples.gray16.write(to: URL(fileURLWithPath: scratch("d.mkv")))
        try MovieTests.write(scratch("v.mp4"), frames: 6, width: 32, height: 24, frameDuration: CMTime(value: 1, timescale: 25))
        BadInputTests.expect(scratch, .mismatch, "d.mkv: ends after frame 4, but v.mp4 goes on; both must have one length") {
            try DisparityFileSource(video: scratch("v.mp4"), disparity: scratch("d.mkv"))
        }
        try MovieTests.write(scratch("w.mp4"), frames: 4, frameDuration: CMTime(value: 1, timescale: 25))
        BadInputTests.expect(scratch, .mismatch, "d.mkv: is 16x12, which has not the aspect of w.mp4 (64x36)") {
            try DisparityFileSource(video: scratch("w.mp4"), disparity: scratch("d.mkv"))
        }
        for index in 0..<4 { try PictureFile.writePNG(Picture.bgra(), to: scratch("c\(index).png")) }
        BadInputTests.expect(
            scratch, .unsupported, "c%d.png: is a colour picture (pixel 1, 0); disparity is read from grey (best: 16-bit grey PNG)"
        ) { try DisparityFileSource(video: scratch("w.mp4"), disparity: scratch("c%d.png")) }
    }
}

enum PictureSequenceWriter {
    static func write(_ scratch: Scratch, frames: Int) throws {
        for index in 0..<frames { try PictureFile.writePNG(Picture.moving(index), to: scratch("r\(index).png")) }
    }
}
