import CoreVideo
import Pipeline
import Testing

@Suite("YCbCr to BT.709")
struct YCbCrConversionTests {
    private static let matrices: [YCbCrConversion.Matrix] = [.bt601, .bt709, .bt2020]
    /// Luma, Cb and Cr in 8 bits.
    private static let colors = [(30, 90, 200), (128, 128, 128), (200, 180, 90), (235, 128, 128), (16, 128, 128), (100, 60, 140)]

    /// The same by way of red, green and blue, in floating point, of codes of `depth` bits.
    private func truth(_ codes: [Int], _ matrix: YCbCrConversion.Matrix, isFullRange: Bool, depth: Int) -> [Double] {
        let unit = Double(1 << (depth - 8))
        let top = 256 * unit - 1
        let luma = isFullRange ? Double(codes[0]) / top : (Double(codes[0]) - 16 * unit) / (219 * unit)
        let steps = isFullRange ? top : 224 * unit
        let (u, v) = ((Double(codes[1]) - 128 * unit) / steps, (Double(codes[2]) - 128 * unit) / steps)
        let (red, blue) = (luma + 2 * (1 - matrix.red) * v, luma + 2 * (1 - matrix.blue) * u)
        let green = (luma - matrix.red * red - matrix.blue * blue) / (1 - matrix.red - matrix.blue)
        let result = 0.2126 * red + 0.7152 * green + 0.0722 * blue
        return [16 + 219 * result, 128 + 224 * (blue - result) / (2 * (1 - 0.0722)), 128 + 224 * (red - result) / (2 * (1 - 0.2126))]
    }

    private typealias Samples = YCbCrConversion.Samples

    /// Luma, Cb and Cr of 4x2 pixels of one colour as `420v`.
    private func converted<Code>(
        _ codes: [Int], isTall: Bool, _ convert: (Samples<Code>, CVPixelBuffer) -> Void
    ) -> [UInt8] {
        let picture = CVPixelBuffer(width: 4, height: 2, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        let planes = codes.map { [Code](repeating: Code($0), count: 8) }
        planes[0].withUnsafeBufferPointer { y in
            planes[1].withUnsafeBufferPointer { cb in
                planes[2].withUnsafeBufferPointer { cr in
                    convert(
                        .init(y: y.baseAddress!, cb: cb.baseAddress!, cr: cr.baseAddress!, lumaStride: 4, chromaStride: 2, isTall: isTall), picture)
                }
            }
        }
        let chroma = picture.plane(1).row(0, as: UInt8.self)
        return [picture.plane(0).row(1, as: UInt8.self)[3], chroma[2], chroma[3]]
    }

    @Test("Every matrix and range of 8 bits is within one code of the way over RGB", arguments: matrices, [false, true])
    func eight(_ matrix: YCbCrConversion.Matrix, _ isFullRange: Bool) {
        let conversion = YCbCrConversion(from: matrix, isFullRange: isFullRange)
        for color in Self.colors.map({ [$0.0, $0.1, $0.2] }) {
            let found = converted(color, isTall: false) { (samples: Samples<UInt8>, picture) in conversion.convert(samples, into: picture) }
            for (value, truth) in zip(found, truth(color, matrix, isFullRange: isFullRange, depth: 8)) {
                #expect(abs(Double(value) - min(max(truth, 0), 255)) <= 1, "\(color)")
            }
        }
    }

    @Test("More bits are rounded once, from 4:2:0 and 4:2:2", arguments: matrices, [(10, false), (10, true), (12, false), (16, true)])
    func deep(_ matrix: YCbCrConversion.Matrix, coding: (depth: Int, isFullRange: Bool)) {
        let conversion = YCbCrConversion(from: matrix, isFullRange: coding.isFullRange, depth: coding.depth)
        for color in Self.colors.map({ [$0.0, $0.1, $0.2] }) {
            let codes = color.map { $0 << (coding.depth - 8) + 1 }
            let truth = truth(codes, matrix, isFullRange: coding.isFullRange, depth: coding.depth)
            for isTall in [false, true] {
                let found = converted(codes, isTall: isTall) { (samples: Samples<UInt16>, picture) in conversion.convert(samples, into: picture) }
                for (value, truth) in zip(found, truth) { #expect(abs(Double(value) - min(max(truth, 0), 255)) <= 0.53, "\(color) \(coding)") }
            }
        }
    }

    @Test("Chroma of two rows is averaged")
    func tall() {
        let picture = CVPixelBuffer(width: 2, height: 2, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        let (y, cb, cr): ([UInt16], [UInt16], [UInt16]) = ([400, 400, 400, 400], [400, 480], [600, 560])
        let conversion = YCbCrConversion(from: .bt709, isFullRange: false, depth: 10)
        y.withUnsafeBufferPointer { y in
            cb.withUnsafeBufferPointer { cb in
                cr.withUnsafeBufferPointer { cr in
                    let samples = Samples(
                        y: y.baseAddress!, cb: cb.baseAddress!, cr: cr.baseAddress!, lumaStride: 2, chromaStride: 1, isTall: true)
                    conversion.convert(samples, into: picture)
                }
            }
        }
        let chroma = picture.plane(1).row(0, as: UInt8.self)
        #expect((chroma[0], chroma[1]) == (110, 145))
        #expect(picture.plane(0).row(1, as: UInt8.self)[1] == 100)
    }
}
