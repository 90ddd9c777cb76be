import CoreVideo
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Media

@Suite("Picture files") struct PictureFileTests {
    @Test("a 32BGRA picture comes back from its PNG bit for bit", arguments: [(64, 36), (7, 5), (1, 1)])
    func exactRoundTrip(size: (Int, Int)) throws {
        let scratch = try Scratch()
        let picture = Picture.bgra(width: size.0, height: size.1)
        try PictureFile.writePNG(picture, to: scratch("a.png"))
        let back = try PictureFile.read(scratch("a.png"))
        #expect(Picture.bytes(back, bytesPerPixel: 4) == Picture.bytes(picture, bytesPerPixel: 4))
        #expect(try scratch.names == ["a.png"])
    }

    @Test("alpha survives")
    func alpha() throws {
        let scratch = try Scratch()
        let picture = Picture.bgra()
        picture.plane(0).row(3, as: UInt8.self)[3] = 17
        try PictureFile.writePNG(picture, to: scratch("a.png"))
        let back = try PictureFile.read(scratch("a.png"))
        #expect(Picture.bytes(back, bytesPerPixel: 4) == Picture.bytes(picture, bytesPerPixel: 4))
    }

    @Test("all 65536 codes of 16-bit grey come back")
    func exactGray16() throws {
        let scratch = try Scratch()
        let grey = CVPixelBuffer(width: 256, height: 256, pixelFormat: kCVPixelFormatType_OneComponent16)
        for y in 0..<256 { for x in 0..<256 { grey.plane(0).row(y, as: UInt16.self)[x] = UInt16(y * 256 + x) } }
        try PictureFile.writePNG(grey, to: scratch("d.png"))
        let map = try PictureFile.readDisparity(scratch("d.png"))
        for y in 0..<256 { for x in 0..<256 { #expect(map.row(y)[x] == Float(y * 256 + x) * Float(1.0 / 65535)) } }
        try PictureFile.writePNG(map, to: scratch("e.png"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: scratch("e.png"))) == Data(contentsOf: URL(fileURLWithPath: scratch("d.png"))))
    }

    @Test("a grey picture fills the range it is given, at 16 bits and from equal colours")
    func disparityRange() throws {
        let scratch = try Scratch()
        let grey = CVPixelBuffer(width: 2, height: 1, pixelFormat: kCVPixelFormatType_OneComponent16)
        grey.plane(0).row(0, as: UInt16.self)[0] = 0
        grey.plane(0).row(0, as: UInt16.self)[1] = 65535
        try PictureFile.writePNG(grey, to: scratch("d.png"))
        let map = try PictureFile.readDisparity(scratch("d.png"), range: 0.25...2)
        #expect(map.row(0)[0] == 0.25 && map.row(0)[1] == 2)
        let colours = Picture.bgra(width: 2, height: 1)
        for (index, value) in [0, 0, 0, 255, 255, 255, 255, 255].enumerated() { colours.plane(0).row(0, as: UInt8.self)[index] = UInt8(value) }
        try PictureFile.writePNG(colours, to: scratch("c.png"))
        let fromColours = try PictureFile.readDisparity(scratch("c.png"), range: 0.25...2)
        #expect(fromColours.row(0)[0] == 0.25 && fromColours.row(0)[1] == 2)
    }

    @Test(
        "420v is BT.709 in video range",
        arguments: [
            // blue, green, red → Y, Cb, Cr of BT.709
            ([0, 0, 0], [16, 128, 128]), ([255, 255, 255], [235, 128, 128]), ([0, 0, 255], [63, 102, 240]),
            ([0, 255, 0], [173, 42, 26]), ([255, 0, 0], [32, 240, 118]), ([128, 128, 128], [126, 128, 128]),
        ])
    func videoRange(colour: [UInt8], expected: [Int]) throws {
        let scratch = try Scratch()
        let picture = Picture.bgra(width: 16, height: 16)
        for y in 0..<16 { for x in 0..<16 { for c in 0..<3 { picture.plane(0).row(y, as: UInt8.self)[4 * x + c] = colour[c] } } }
        try PictureFile.writePNG(picture, to: scratch("a.png"))
        let video = try PictureFile.read(scratch("a.png"), as: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        let seen = [video.plane(0).row(8, as: UInt8.self)[8], video.plane(1).row(4, as: UInt8.self)[8], video.plane(1).row(4, as: UInt8.self)[9]]
        for (a, b) in zip(seen, expected) { #expect(abs(Int(a) - b) <= 1, "\(seen) against \(expected)") }

        try PictureFile.writePNG(video, to: scratch("b.png"))
        let back = try PictureFile.read(scratch("b.png"))
        for c in 0..<3 { #expect(abs(Int(back.plane(0).row(8, as: UInt8.self)[32 + c]) - Int(colour[c])) <= 3) }
    }

    @Test("a real JPEG and a real PNG are read", .enabled(if: Shared.has("stills/astronaut.png"), "no ../shared/data"))
    func realPictures() throws {
        let png = try PictureFile.read(Shared.path("stills/astronaut.png"))
        #expect(png.size == (512, 512))
        let jpeg = try PictureFile.read(Shared.path("stills/kitten_small.jpg"), as: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        #expect(jpeg.size.width > 0)
        let disparity = try PictureFile.readDisparity(Shared.path("bokeh/scene1/disp16.png"))
        #expect(disparity.width == 1920 && disparity.height == 1080)
        let eightBit = try PictureFile.readDisparity(Shared.path("rgbd/pug_disp_768x576.png"), range: 0...255)
        let codes = (0..<eightBit.height).flatMap { y in (0..<eightBit.width).map { eightBit.row(y)[$0] } }
        #expect(codes.allSatisfy { $0 == $0.rounded() } && codes.max()! > 200 && codes.min()! < 50)
    }
}
