import CoreVideo
import Testing

@testable import VideoDevice

@Suite("YCbCr of cameras to BT.709")
struct YCbCrConversionTests {
    private static let matrices: [YCbCrConversion.Matrix] = [.bt601, .bt709, .bt2020]

    /// The same by way of red, green and blue, in floating point.
    private func truth(_ y: Double, _ cb: Double, _ cr: Double, _ matrix: YCbCrConversion.Matrix, _ isFullRange: Bool) -> [Double] {
        let luma = isFullRange ? y / 255 : (y - 16) / 219
        let (u, v) = ((cb - 128) / (isFullRange ? 255 : 224), (cr - 128) / (isFullRange ? 255 : 224))
        let (red, blue) = (luma + 2 * (1 - matrix.red) * v, luma + 2 * (1 - matrix.blue) * u)
        let green = (luma - matrix.red * red - matrix.blue * blue) / matrix.green
        let result = 0.2126 * red + 0.7152 * green + 0.0722 * blue
        return [16 + 219 * result, 128 + 224 * (blue - result) / (2 * (1 - 0.0722)), 128 + 224 * (red - result) / (2 * (1 - 0.2126))]
    }

    private func converted(_ bytes: [UInt8], _ format: FourCC, strides: [Int] = [0], _ conversion: YCbCrConversion) -> [[UInt8]] {
        let picture = CVPixelBufferPool(width: 4, height: 2, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange).makeBuffer()
        bytes.withUnsafeBytes { bytes in
            let source = PictureReader.Source(pixelFormat: format, width: 4, height: 2, strides: strides, planes: [bytes])
            if let samples = Samples(source) { conversion.convert(samples, into: picture) }
        }
        return [(0, 0), (0, 1), (1, 0)].map { plane, row in
            [UInt8](UnsafeBufferPointer(start: picture.plane(plane).row(row, as: UInt8.self), count: 4))
        }
    }

    @Test("Every matrix and range is within one code of the way over RGB", arguments: matrices, [false, true])
    func exact(_ matrix: YCbCrConversion.Matrix, _ isFullRange: Bool) {
        let conversion = YCbCrConversion(from: matrix, isFullRange: isFullRange)
        for (y, cb, cr) in [(30, 90, 200), (128, 128, 128), (200, 180, 90), (235, 128, 128), (16, 128, 128), (100, 60, 140)]
            as [(UInt8, UInt8, UInt8)]
        {
            let expected = truth(Double(y), Double(cb), Double(cr), matrix, isFullRange)
            let found = converted([y, y, y, y, y, y, y, y, cb, cr, cb, cr], .nv12, conversion)
            for (value, truth) in zip([found[0][0], found[2][0], found[2][1]], expected) {
                #expect(abs(Double(value) - min(max(truth, 0), 255)) <= 1, "\(y) \(cb) \(cr)")
            }
        }
    }

    @Test("Every arrangement of the same picture is read alike")
    func arrangements() {
        let same = YCbCrConversion(from: .bt709, isFullRange: false)
        let expected: [[UInt8]] = [[10, 20, 30, 40], [50, 60, 70, 80], [101, 201, 102, 202]]
        let rows: [UInt8] = [10, 20, 30, 40, 50, 60, 70, 80]
        #expect(converted(rows + [101, 201, 102, 202], .nv12, same) == expected)
        #expect(converted(rows + [201, 101, 202, 102], .nv21, same) == expected)
        #expect(converted(rows + [101, 102, 201, 202], .yuv420, same) == expected)
        #expect(converted(rows + [201, 202, 101, 102], .yvu420, same) == expected)
        let yuyv: [UInt8] = [10, 101, 20, 201, 30, 102, 40, 202, 50, 101, 60, 201, 70, 102, 80, 202]
        #expect(converted(yuyv, .yuyv, same) == expected)
        let uyvy: [UInt8] = [101, 10, 201, 20, 102, 30, 202, 40, 101, 50, 201, 60, 102, 70, 202, 80]
        #expect(converted(uyvy, .uyvy, same) == expected)
        #expect(converted([10, 20, 30, 40, 0, 0, 50, 60, 70, 80, 0, 0, 101, 201, 102, 202], .nv12, strides: [6], same) == expected)
    }
}
