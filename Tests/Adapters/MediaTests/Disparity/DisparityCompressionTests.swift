import CoreVideo
import Foundation
import Pipeline
import Testing

@testable import Media

@Suite("Compression of disparity")
struct DisparityCompressionTests {
    private let compression = DisparityCompression()

    private func map(_ width: Int, _ height: Int, masked: Bool, _ value: (Int, Int) -> Float) -> DisparityMap {
        let buffer = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_DisparityFloat32)
        let mask = CVPixelBuffer(width: 2 * width, height: height, pixelFormat: kCVPixelFormatType_OneComponent8)
        for y in 0..<height {
            for x in 0..<width { buffer.plane(0).row(y, as: Float.self)[x] = value(x, y) }
            for x in 0..<2 * width { mask.plane(0).row(y, as: UInt8.self)[x] = x % 3 == 0 ? 0 : 255 }
        }
        return DisparityMap(buffer: buffer, confidence: masked ? mask : nil, isMetric: masked)
    }

    private func values(_ map: DisparityMap) -> [UInt32] { (0..<map.height).flatMap { y in (0..<map.width).map { map.row(y)[$0].bitPattern } } }

    @Test("comes back bit for bit, with its mask and its unit", arguments: [(1, 1), (7, 3), (64, 5)], [false, true])
    func roundTrip(size: (width: Int, height: Int), masked: Bool) throws {
        let original = map(size.width, size.height, masked: masked) { 1 / (0.3 + 0.07 * Float($0) + 0.01 * Float($1 * $1)) }
        let read = try compression.map(compression.compressed(original))
        #expect(values(read) == values(original) && read.width == size.width && read.isMetric == masked)
        #expect(read.confidence.map { Array(UnsafeBufferPointer(start: $0.plane(0).row(0, as: UInt8.self), count: 2)) } == (masked ? [0, 255] : nil))
    }

    @Test("maps of several sizes after each other, the first still held, come back bit for bit: memory is used again, not shared")
    func memory() throws {
        let sizes = [(64, 5, true), (7, 3, false), (64, 5, true)]
        let originals = sizes.enumerated().map { index, size in map(size.0, size.1, masked: size.2) { Float((index + 1) * $0 + $1) } }
        let read = try originals.map { try compression.map(compression.compressed($0)) }
        for (original, read) in zip(originals, read) { #expect(values(read) == values(original) && (read.confidence == nil) == !read.isMetric) }
    }

    @Test("a ramp takes less than two of its four bytes a value")
    func size() throws {
        #expect(try compression.compressed(map(160, 90, masked: false) { 0.5 + 0.0001 * Float($0 + $1) }).count < 2 * 160 * 90)
    }

    @Test("bytes that are changed or cut are refused, wherever that is")
    func damage() throws {
        let original = map(16, 9, masked: true) { Float($0 * $1) }
        let data = try compression.compressed(original)
        var refused = 0
        for place in data.indices where place / 4 != 2 {
            var broken = data
            broken[place] ^= 0x55
            // A bit that says nothing, as of Zstandard's window, may change.
            do throws(DisparityCompression.Damage) {
                #expect(try values(compression.map(broken)) == values(original) && place >= 24, "byte \(place)")
            } catch { refused += 1 }
        }
        #expect(refused >= data.count - 8)
        for count in stride(from: 0, to: data.count, by: 7) {
            #expect(throws: DisparityCompression.Damage.self) { try compression.map(data.prefix(count)) }
        }
    }
}
