import CoreVideo
import Foundation

/// Conversion of 8-bit YCbCr of any matrix and range to `420v` of BT.709 (ITU-R BT.709-6, BT.601-7, BT.2020-2), in fixed point of 14 bits.
///
/// The transfer function is not converted. Chroma of two rows (4:2:2) is averaged; its position within the four pixels is not moved.
struct YCbCrConversion {
    /// Matrix by the shares of red and blue in luma.
    struct Matrix: Equatable {
        let red: Double
        let blue: Double
        static let bt601 = Matrix(red: 0.299, blue: 0.114)
        static let bt709 = Matrix(red: 0.2126, blue: 0.0722)
        static let bt2020 = Matrix(red: 0.2627, blue: 0.0593)
        var green: Double { 1 - red - blue }
    }

    private static let bits: Int32 = 14
    private let isIdentity: Bool
    /// Zero of luma, and factors: luma on luma; Cb and Cr on luma, on Cb and on Cr.
    private let (black, luma): (Int32, Int32)
    private let (cbToY, crToY, cbToCb, crToCb, cbToCr, crToCr): (Int32, Int32, Int32, Int32, Int32, Int32)

    init(from source: Matrix, isFullRange: Bool) {
        isIdentity = source == .bt709 && !isFullRange
        black = isFullRange ? 0 : 16
        let target = Matrix.bt709
        let (lumaScale, chromaScale) = (219 / (isFullRange ? 255 : 219.0), 224 / (isFullRange ? 255 : 224.0))
        // Red and blue are Y + 2 (1 - K) C; green is what is left of Y.
        let (blueOfCb, redOfCr) = (2 * (1 - source.blue), 2 * (1 - source.red))
        let (greenOfCb, greenOfCr) = (-source.blue * blueOfCb / source.green, -source.red * redOfCr / source.green)
        let yOfCb = target.blue * blueOfCb + target.green * greenOfCb
        let yOfCr = target.red * redOfCr + target.green * greenOfCr
        func fixed(_ factor: Double) -> Int32 { Int32((factor * Double(1 << Self.bits)).rounded()) }
        luma = fixed(lumaScale)
        // Coded luma has 219 steps where coded chroma has 224.
        (cbToY, crToY) = (fixed(yOfCb * chromaScale * 219 / 224), fixed(yOfCr * chromaScale * 219 / 224))
        let (blueScale, redScale) = (chromaScale / (2 * (1 - target.blue)), chromaScale / (2 * (1 - target.red)))
        (cbToCb, crToCb) = (fixed((blueOfCb - yOfCb) * blueScale), fixed(-yOfCr * blueScale))
        (cbToCr, crToCr) = (fixed(-yOfCb * redScale), fixed((redOfCr - yOfCr) * redScale))
    }

    /// Fills a `420v` buffer.
    func convert(_ samples: Samples, into picture: CVPixelBuffer) {
        let steps = (samples.lumaStep, samples.chromaStep, samples.isTall)
        switch (isIdentity, steps) {
        case (true, (1, 2, false)) where samples.cr == samples.cb + 1: copy(samples, into: picture)
        // Constant steps are what lets the compiler vectorise.
        case (_, (1, 2, false)): fill(picture, samples, lumaStep: 1, chromaStep: 2, isTall: false)
        case (_, (1, 1, false)): fill(picture, samples, lumaStep: 1, chromaStep: 1, isTall: false)
        default: fill(picture, samples, lumaStep: 2, chromaStep: 4, isTall: true)
        }
    }

    private func copy(_ samples: Samples, into picture: CVPixelBuffer) {
        let (luma, chroma) = (picture.plane(0), picture.plane(1))
        for row in 0..<luma.height { memcpy(luma.row(row, as: UInt8.self), samples.y + row * samples.lumaStride, luma.width) }
        for row in 0..<chroma.height { memcpy(chroma.row(row, as: UInt8.self), samples.cb + row * samples.chromaStride, luma.width) }
    }

    @inline(__always)
    private func fill(_ picture: CVPixelBuffer, _ samples: Samples, lumaStep: Int, chromaStep: Int, isTall: Bool) {
        let (luma, chroma) = (picture.plane(0), picture.plane(1))
        let half = Int32(1) << (Self.bits - 1)
        let (lumaBase, chromaBase) = ((16 << Self.bits) + half, (128 << Self.bits) + half)
        @inline(__always) func clamped(_ value: Int32) -> UInt8 { UInt8(truncatingIfNeeded: min(max(value >> Self.bits, 0), 255)) }
        for row in 0..<luma.height / 2 {
            let top = samples.y + 2 * row * samples.lumaStride
            let bottom = top + samples.lumaStride
            let first = (isTall ? 2 * row : row) * samples.chromaStride
            let (cbs, crs) = (samples.cb + first, samples.cr + first)
            let below = isTall ? samples.chromaStride : 0
            let upper = luma.row(2 * row, as: UInt8.self)
            let lower = luma.row(2 * row + 1, as: UInt8.self)
            let pairs = chroma.row(row, as: UInt8.self)
            for x in 0..<luma.width / 2 {
                var (cb, cr) = (Int32(cbs[x &* chromaStep]), Int32(crs[x &* chromaStep]))
                if isTall {
                    cb = (cb &+ Int32(cbs[x &* chromaStep &+ below]) &+ 1) >> 1
                    cr = (cr &+ Int32(crs[x &* chromaStep &+ below]) &+ 1) >> 1
                }
                cb = cb &- 128
                cr = cr &- 128
                pairs[2 &* x] = clamped(cbToCb &* cb &+ crToCb &* cr &+ chromaBase)
                pairs[2 &* x &+ 1] = clamped(cbToCr &* cb &+ crToCr &* cr &+ chromaBase)
                let shift = cbToY &* cb &+ crToY &* cr &+ lumaBase &- black &* self.luma
                let (a, b) = (2 &* x &* lumaStep, (2 &* x &+ 1) &* lumaStep)
                upper[2 &* x] = clamped(self.luma &* Int32(top[a]) &+ shift)
                upper[2 &* x &+ 1] = clamped(self.luma &* Int32(top[b]) &+ shift)
                lower[2 &* x] = clamped(self.luma &* Int32(bottom[a]) &+ shift)
                lower[2 &* x &+ 1] = clamped(self.luma &* Int32(bottom[b]) &+ shift)
            }
        }
    }
}
