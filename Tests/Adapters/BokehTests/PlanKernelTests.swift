@testable import Bokeh
import CoreVideo
import FuzzSupport
import Pipeline
import Testing

@Suite("Loops of the plan over pixels, beside plain ones")
struct PlanKernelTests {
    private static let greatest = Float.greatestFiniteMagnitude

    @Test("extremes and shares of tiles, of maps narrower and wider than a vector, with what is no number", arguments: [1, 5, 15, 16, 17, 33, 70])
    func extremes(width: Int) {
        var random = FuzzGenerator(seed: UInt64(width))
        let (height, focus, slight): (Int, Float, Float) = (11, 0.5, 0.02)
        let values = (0..<width * height).map { _ in
            Int.random(in: 0..<40, using: &random) == 0 ? Float.nan : Float.random(in: 0.3..<0.7, using: &random)
        }
        let map = TestPicture.disparity(width, height) { values[$1 * width + $0] }
        let lines = 2..<10
        let spans = [0..<(width + 1) / 2, width / 3..<width]
        let ends = spans.flatMap { [Int32($0.lowerBound), Int32($0.upperBound)] }
        let tiles = TileRadii.Extremes.tiles(in: map.buffer.plane(0), lines, ends, focus: focus, slight: slight)
        for (tile, span) in zip(tiles, spans) {
            let own = lines.flatMap { y in span.map { values[y * width + $0] } }.filter { !$0.isNaN }
            #expect(tile.low == own.min() ?? Self.greatest)
            #expect(tile.high == own.max() ?? -Self.greatest)
            #expect(tile.closestFar == own.filter { $0 < focus }.max() ?? -Self.greatest)
            #expect(tile.closestNear == own.filter { $0 >= focus }.min() ?? Self.greatest)
            #expect(tile.leastBlurredFar == own.filter { $0 < focus - slight }.max() ?? -Self.greatest)
            let shares = TileRadii.Extremes.shares(
                in: map.buffer.plane(0), lines, span, focus: focus, slight: slight, near: 0.1, far: 0.15)
            let fourths = [2, 6].flatMap { y in span.map { values[y * width + $0] - focus } }
            #expect(shares.x == Float(fourths.count { $0 > slight && $0 < 0.1 }) / Float(fourths.count))
            #expect(shares.y == Float(fourths.count { $0 < -slight && $0 > -0.15 }) / Float(fourths.count))
        }
    }

    @Test(
        "peaks of squares, where the last ones are cut off or lie outside",
        arguments: [kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange], [4, 8])
    func peaks(pixelFormat: OSType, side: Int) throws {
        var random = FuzzGenerator(seed: UInt64(side))
        for width in [18, 40, 66] {
            let height = 22
            let image = CVPixelBuffer(width: width, height: height, pixelFormat: pixelFormat)
            let format = try #require(PictureFormat(image))
            let unit = format.layout == .deep ? 64 : 1
            // Many dark codes and some of any, so that squares differ.
            func code() -> Int { Int.random(in: 0..<4, using: &random) == 0 ? Int.random(in: 0...255, using: &random) : 30 }
            func put(_ plane: Int, _ x: Int, _ y: Int, _ code: Int) {
                if unit == 1 {
                    image.plane(plane).row(y, as: UInt8.self)[x] = UInt8(code)
                } else {
                    image.plane(plane).row(y, as: UInt16.self)[x] = UInt16(code) << 8
                }
            }
            for y in 0..<height { for x in 0..<width { put(0, x, y, code()) } }
            for y in 0..<height / 2 { for x in 0..<width { put(1, x, y, code()) } }
            let (columns, rows) = ((width + 2 * side) / side, (height + side) / side)
            let peaks = BlockPeaks(image, format: format, side: side, columns: columns, rows: rows)
            for row in 0..<rows {
                for column in 0..<columns {
                    let xs = min(column * side, width - 2)..<min((column + 1) * side, width)
                    let ys = min(row * side, height - 2)..<min((row + 1) * side, height)
                    let luma = ys.flatMap { y in xs.map { format.code(of: image, channel: 0, $0, y) } }.max()!
                    func chroma(_ channel: Int) -> [Float] {
                        (ys.lowerBound / 2..<(ys.upperBound + 1) / 2).flatMap { y in
                            (xs.lowerBound / 2..<(xs.upperBound + 1) / 2).map { format.code(of: image, channel: channel, $0, y) }
                        }
                    }
                    let (cb, cr) = (chroma(1), chroma(2))
                    let blue = 2 * (1 - format.blue) / format.chromaRange, red = 2 * (1 - format.red) / format.chromaRange
                    let green = 1 - format.red - format.blue
                    let offset = max(
                        (cb.max()! - format.grey) * blue, (cr.max()! - format.grey) * red,
                        ((format.grey - cb.min()!) * blue * format.blue + (format.grey - cr.min()!) * red * format.red) / green)
                    let expected = min(max(((luma - format.black) / format.lumaRange + offset) * 255, 0), 255)
                    #expect(abs(Float(peaks.codes[row * columns + column]) - expected) <= 1.01, "square \(column), \(row) of \(width)x\(height)")
                }
            }
        }
    }
}
