import CoreVideo
import Pipeline
import Testing

@testable import VideoDevice

@Suite("Pictures in a driver's memory")
struct PictureReaderTests {
    private func converted(_ bytes: [UInt8], _ format: FourCC, strides: [Int] = [0]) -> [[UInt8]] {
        let picture = CVPixelBuffer(width: 4, height: 2, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        bytes.withUnsafeBytes { bytes in
            let source = PictureReader.Source(pixelFormat: format, width: 4, height: 2, strides: strides, planes: [bytes])
            if let samples = YCbCrConversion.Samples(source) { YCbCrConversion(from: .bt709, isFullRange: false).convert(samples, into: picture) }
        }
        return [(0, 0), (0, 1), (1, 0)].map { plane, row in
            [UInt8](UnsafeBufferPointer(start: picture.plane(plane).row(row, as: UInt8.self), count: 4))
        }
    }

    @Test("Every arrangement of the same picture is read alike")
    func arrangements() {
        let expected: [[UInt8]] = [[10, 20, 30, 40], [50, 60, 70, 80], [101, 201, 102, 202]]
        let rows: [UInt8] = [10, 20, 30, 40, 50, 60, 70, 80]
        #expect(converted(rows + [101, 201, 102, 202], .nv12) == expected)
        #expect(converted(rows + [201, 101, 202, 102], .nv21) == expected)
        #expect(converted(rows + [101, 102, 201, 202], .yuv420) == expected)
        #expect(converted(rows + [201, 202, 101, 102], .yvu420) == expected)
        let yuyv: [UInt8] = [10, 101, 20, 201, 30, 102, 40, 202, 50, 101, 60, 201, 70, 102, 80, 202]
        #expect(converted(yuyv, .yuyv) == expected)
        let uyvy: [UInt8] = [101, 10, 201, 20, 102, 30, 202, 40, 101, 50, 201, 60, 102, 70, 202, 80]
        #expect(converted(uyvy, .uyvy) == expected)
        #expect(converted([10, 20, 30, 40, 0, 0, 50, 60, 70, 80, 0, 0, 101, 201, 102, 202], .nv12, strides: [6]) == expected)
    }
}
