import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Media

@Suite("Disparity and depth as floating-point numbers") struct FloatMapTests {
    private let values: [Float] = [0, 0.25, 1.5, 3e-5, 12.125, 2]

    /// Writes values as OpenEXR of 3 x 2 pixels in one channel.
    private func write(_ values: [Float], to path: String) throws {
        let map = DisparityMap(buffer: CVPixelBuffer(width: 3, height: 2, pixelFormat: kCVPixelFormatType_DisparityFloat32))
        for (index, value) in values.enumerated() { map.row(index / 3)[index % 3] = value }
        let coder = StemCoder(pixelFormat: kCVPixelFormatType_32BGRA, colors: .bt709)
        try coder.floats(map, path: path).write(to: URL(fileURLWithPath: path))
    }

    private func all(_ map: DisparityMap) -> [Float] { (0..<map.height).flatMap { y in (0..<map.width).map { map.row(y)[$0] } } }

    private func trust(_ map: DisparityMap) -> [UInt8]? {
        map.confidence.map { mask in (0..<mask.size.height).flatMap { y in (0..<mask.size.width).map { mask.plane(0).row(y, as: UInt8.self)[$0] } } }
    }

    @Test("a disparity stem is read as it was written, in 1/m")
    func stem() throws {
        let scratch = try Scratch()
        try write(values, to: scratch("d.exr"))
        let map = try PictureFile.readDisparity(scratch("d.exr"))
        #expect(all(map) == values && map.isMetric && map.confidence == nil)
    }

    @Test("what is below 0 or no number was not measured")
    func holes() throws {
        let scratch = try Scratch()
        try write([0, -1, .nan, .infinity, 1, 2], to: scratch("d.exr"))
        let map = try PictureFile.readDisparity(scratch("d.exr"))
        #expect(all(map) == [0, 0, 0, 0, 1, 2] && trust(map) == [255, 0, 0, 0, 255, 255])
    }

    @Test("depth is metres: 0 was not measured, without end is disparity 0")
    func metres() throws {
        let scratch = try Scratch()
        try write([0, 0.5, 4, .infinity, .nan, -2], to: scratch("z.exr"))
        let map = try PictureFile.readDepth(scratch("z.exr"), metresPerCode: 0.001)
        #expect(all(map) == [0, 2, 0.25, 0, 0, 0] && trust(map) == [0, 255, 255, 255, 0, 0] && map.isMetric)
    }

    @Test("an only channel may have any letter", arguments: ["Z", "R", "V"])
    func channel(name: String) throws {
        let scratch = try Scratch()
        try write(values, to: scratch("d.exr"))
        var bytes = try Data(contentsOf: URL(fileURLWithPath: scratch("d.exr")))
        let list = try #require(bytes.range(of: Data("channels\0chlist\0".utf8)))
        #expect(bytes[list.upperBound + 4] == UInt8(ascii: "Y"))
        bytes[list.upperBound + 4] = UInt8(ascii: Unicode.Scalar(name)!)
        try bytes.write(to: URL(fileURLWithPath: scratch("z.exr")))
        #expect(all(try PictureFile.readDisparity(scratch("z.exr"))) == values)
    }

    @Test("PFM is read, grey or three times the same; colours are refused with their place")
    func portable() throws {
        let scratch = try Scratch()
        func write(_ kind: String, _ floats: [Float], to name: String) throws {
            let bytes = Data("\(kind)\n3 2\n-1.0\n".utf8) + floats.flatMap { withUnsafeBytes(of: $0.bitPattern.littleEndian, Array.init) }
            try bytes.write(to: URL(fileURLWithPath: scratch(name)))
        }
        // Its last row comes first.
        let stored = Array(values[3...] + values[..<3])
        try write("Pf", stored, to: "grey.pfm")
        #expect(all(try PictureFile.readDisparity(scratch("grey.pfm"))) == values)
        try write("PF", stored.flatMap { [$0, $0, $0] }, to: "same.pfm")
        #expect(all(try PictureFile.readDisparity(scratch("same.pfm"))) == values)
        try write("PF", stored.flatMap { [$0, $0, $0 == 1.5 ? 1 : $0] }, to: "colour.pfm")
        let error = #expect(throws: MediaError.self) { try PictureFile.readDisparity(scratch("colour.pfm")) }
        #expect(error?.description.contains("is a colour picture (pixel 2, 0)") == true, "\(error?.description ?? "")")
    }

    @Test("numbered pictures of floats are the disparity of footage")
    func footage() throws {
        let scratch = try Scratch()
        for number in 1...3 {
            try PictureFile.writePNG(Picture.bgra(width: 6, height: 4, phase: number), to: scratch("p.000\(number).png"))
            try write(values.map { $0 + Float(number) }, to: scratch("d.000\(number).exr"))
        }
        let source = try DisparityFileSource(video: scratch("p.%04d.png"), disparity: scratch("d.%04d.exr"))
        for number in 1...3 {
            let map = try #require(try source.nextFrame()?.disparity)
            #expect(all(map) == values.map { $0 + Float(number) } && map.isMetric)
        }
        #expect(try source.nextFrame() == nil && source.remarks.isEmpty && source.isExact)
        let single = try DisparityFileSource(video: scratch("p.0001.png"), disparity: scratch("d.0001.exr"))
        #expect(single.isExact)
        #expect(try all(#require(try single.nextFrame()?.disparity)) == values.map { $0 + 1 })
    }
}
