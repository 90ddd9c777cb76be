import CoreMedia
import CoreVideo
import Foundation
import Media
import Pipeline
import TestSupport
import Testing

@Suite("The colours of a chart")
struct DeliveredColorTests {
    private static let columns = 8
    private static let rows = 4
    private static let side = 16

    /// Colour of each patch as luma, Cb and Cr in 8-bit video range: greys, then saturated and skin-like ones.
    private static let patches: [SIMD3<Double>] = (0..<columns * rows).map { index in
        let level = Double(40 + (index * 37) % 160)
        return index < columns
            ? SIMD3(16 + 31 * Double(index), 128, 128) : SIMD3(level, 128 + 40 * cos(Double(index)), 128 + 40 * sin(Double(index) * 1.7))
    }

    /// A chart of patches in a pixel format.
    private func chart(_ format: OSType) -> CVPixelBuffer {
        let chart = CVPixelBuffer(width: Self.columns * Self.side, height: Self.rows * Self.side, pixelFormat: format)
        let isDeep = format == kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
        let isFull = format == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
        for plane in 0..<2 {
            let step = Self.side / (plane + 1)
            for y in 0..<chart.plane(plane).height {
                for x in 0..<chart.plane(plane).width * (plane + 1) {
                    let patch = Self.patches[y / step * Self.columns + x / (plane + 1) / step]
                    let code = plane == 0 ? patch.x : x % 2 == 0 ? patch.y : patch.z
                    let full = plane == 0 ? (code - 16) * 255 / 219 : (code - 128) * 255 / 224 + 128
                    if isDeep {
                        chart.plane(plane).row(y, as: UInt16.self)[x] = UInt16((code * 4).rounded()) << 6
                    } else {
                        chart.plane(plane).row(y, as: UInt8.self)[x] = UInt8((isFull ? full : code).rounded())
                    }
                }
            }
        }
        return chart
    }

    /// Mean CIE L*a*b* of each patch's middle, from codes of the picture's format by the matrix of its colours.
    private func lab(_ picture: CVPixelBuffer, matrix: Int) -> [SIMD3<Double>] {
        let (red, blue) = matrix == 6 ? (0.299, 0.114) : matrix == 9 ? (0.2627, 0.0593) : (0.2126, 0.0722)
        let isDeep = picture.format == kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
        let isFull = picture.format == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
        func value(_ plane: Int, _ x: Int, _ y: Int) -> Double {
            isDeep ? Double(picture.plane(plane).row(y, as: UInt16.self)[x] >> 6) / 4 : Double(picture.plane(plane).row(y, as: UInt8.self)[x])
        }
        return Self.patches.indices.map { index in
            let (left, top) = (index % Self.columns * Self.side, index / Self.columns * Self.side)
            var sum = SIMD3<Double>.zero
            for y in stride(from: top + 4, to: top + 12, by: 2) {
                for x in stride(from: left + 4, to: left + 12, by: 2) {
                    sum += SIMD3(value(0, x, y), value(1, x, y / 2), value(1, x + 1, y / 2))
                }
            }
            let mean = sum / 16
            let luma = isFull ? mean.x / 255 : (mean.x - 16) / 219
            let (cb, cr) = ((mean.y - 128) / (isFull ? 255 : 224), (mean.z - 128) / (isFull ? 255 : 224))
            let r = luma + 2 * (1 - red) * cr
            let b = luma + 2 * (1 - blue) * cb
            return ColorDifference.lab(SIMD3(r, (luma - red * r - blue * b) / (1 - red - blue), b))
        }
    }

    /// The chart, tagged as HLG or PQ, through the whole chain.
    @Test("come out within a difference of 1 (CIEDE2000) in HLG and PQ", arguments: [18, 16])
    func highDynamicRange(transfer: Int) throws {
        try deliver(kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, PictureColors(primaries: 9, transfer: transfer, matrix: 9), "hevc")
    }

    @Test(
        "come out within a difference of 1 (CIEDE2000) where nothing is blurred, in every matrix, range and depth",
        arguments: [
            (kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, 1, "h264"), (kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, 6, "h264"),
            (kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, 1, "hevc"), (kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, 1, "hevc"),
            (kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, 9, "hevc"), (kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, 6, "prores"),
            (kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, 9, "prores"), (kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, 6, "ffv1"),
            (kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, 1, "ffv1"),
        ] as [(OSType, Int, String)])
    func chart(format: OSType, matrix: Int, codec: String) throws {
        try deliver(format, PictureColors(primaries: matrix, transfer: matrix == 9 ? 14 : matrix, matrix: matrix), codec)
    }

    private func deliver(_ format: OSType, _ colors: PictureColors, _ codec: String) throws {
        let (scratch, matrix) = (try Scratch(), colors.matrix)
        let (width, height) = (Self.columns * Self.side, Self.rows * Self.side)
        let thirtieth = CMTime(value: 1, timescale: 30)
        let isDeep = format == kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
        var movie = MovieDescription(width: width, height: height, frameDuration: thirtieth, codec: isDeep ? .hevc : .h264, pixelFormat: format)
        movie.colors = colors
        let writer = try MovieFileWriter(path: scratch("in.mov"), movie: movie, settings: .init(rate: .quality(100)))
        let flat = MovieDescription(width: width, height: height, frameDuration: thirtieth)
        let grey = try MovieFileWriter(path: scratch("d.mov"), movie: flat)
        let even = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        for plane in 0..<2 { for y in 0..<even.plane(plane).height { even.plane(plane).row(y, as: UInt8.self).update(repeating: 128, count: width) } }
        for index in 0..<3 {
            try writer.append(chart(format), at: CMTime(value: Int64(index), timescale: 30))
            try grey.append(even, at: CMTime(value: Int64(index), timescale: 30))
        }
        try writer.finish()
        try grey.finish()
        let run = try ToolRun(
            ["render", "--video", "in.mov", "--disparity", "d.mov", "-o", "out.mov", "--codec", codec, "--highlights", "0"], directory: scratch.url)
        #expect(run.exitCode == 0, "\(run.errors)")
        let source = try VideoFileSource(path: scratch("out.mov"), reading: FootageReading(keepsCoding: true))
        #expect(source.description.colors == movie.colors)
        let picture = try #require(try source.nextFrame()).picture
        let (before, after) = (lab(chart(format), matrix: matrix), lab(picture, matrix: matrix))
        let differences = zip(before, after).map(ColorDifference.ciede2000)
        #expect(differences.max() ?? .infinity <= 1, "\(differences)")
    }
}
