import CoreVideo
import Foundation

/// Conversion of YCbCr of any matrix, range and depth to `420v` of BT.709 (ITU-R BT.709-6, BT.601-7, BT.2020-2), in fixed point of 14 bits below a code.
///
/// The transfer function is not converted. Chroma of two rows (4:2:2) is averaged; its position within the four pixels is not moved.
package struct YCbCrConversion: Sendable {
    /// Matrix by the shares of red and blue in luma.
    package struct Matrix: Sendable, Equatable {
        package let red: Double
        package let blue: Double
        package static let bt601 = Matrix(red: 0.299, blue: 0.114)
        package static let bt709 = Matrix(red: 0.2126, blue: 0.0722)
        package static let bt2020 = Matrix(red: 0.2627, blue: 0.0593)
        var green: Double { 1 - red - blue }
    }

    /// Places of the components of a YCbCr picture.
    package struct Samples<Code: FixedWidthInteger & UnsignedInteger> {
        /// First luma, first blue-difference and first red-difference sample.
        package let (y, cb, cr): (UnsafePointer<Code>, UnsafePointer<Code>, UnsafePointer<Code>)
        /// Codes from a sample to the next of its row: of luma, and of chroma.
        package let (lumaStep, chromaStep): (Int, Int)
        /// Codes from a row to the next.
        package let (lumaStride, chromaStride): (Int, Int)
        /// Whether every row has chroma of its own (4:2:2).
        package let isTall: Bool

        package init(
            y: UnsafePointer<Code>, cb: UnsafePointer<Code>, cr: UnsafePointer<Code>, lumaStep: Int = 1, chromaStep: Int = 1, lumaStride: Int,
            chromaStride: Int, isTall: Bool = false
        ) {
            (self.y, self.cb, self.cr) = (y, cb, cr)
            (self.lumaStep, self.chromaStep) = (lumaStep, chromaStep)
            (self.lumaStride, self.chromaStride) = (lumaStride, chromaStride)
            self.isTall = isTall
        }
    }

    /// Fractional bits of the factors.
    private let bits: Int32
    private let isIdentity: Bool
    /// Zeros of luma and of chroma, and factors: luma on luma; Cb and Cr on luma, on Cb and on Cr.
    private let (black, gray, luma): (Int32, Int32, Int32)
    private let (cbToY, crToY, cbToCb, crToCb, cbToCr, crToCr): (Int32, Int32, Int32, Int32, Int32, Int32)

    /// - Parameter depth: bits of a code, 8...16.
    package init(from source: Matrix, isFullRange: Bool, depth: Int = 8) {
        precondition((8...16).contains(depth), "codes have 8 to 16 bits")
        isIdentity = source == .bt709 && !isFullRange && depth == 8
        let unit = 1 << (depth - 8)
        (black, gray) = (isFullRange ? 0 : Int32(16 * unit), Int32(128 * unit))
        let bits = Int32(depth + 6)
        self.bits = bits
        let target = Matrix.bt709
        let top = Double(256 * unit - 1)
        let (lumaScale, chromaScale) = (219 / (isFullRange ? top : Double(219 * unit)), 224 / (isFullRange ? top : Double(224 * unit)))
        // Red and blue are Y + 2 (1 - K) C; green is what is left of Y.
        let (blueOfCb, redOfCr) = (2 * (1 - source.blue), 2 * (1 - source.red))
        let (greenOfCb, greenOfCr) = (-source.blue * blueOfCb / source.green, -source.red * redOfCr / source.green)
        let yOfCb = target.blue * blueOfCb + target.green * greenOfCb
        let yOfCr = target.red * redOfCr + target.green * greenOfCr
        func fixed(_ factor: Double) -> Int32 { Int32((factor * Double(1 << bits)).rounded()) }
        luma = fixed(lumaScale)
        // Coded luma has 219 steps where coded chroma has 224.
        (cbToY, crToY) = (fixed(yOfCb * chromaScale * 219 / 224), fixed(yOfCr * chromaScale * 219 / 224))
        let (blueScale, redScale) = (chromaScale / (2 * (1 - target.blue)), chromaScale / (2 * (1 - target.red)))
        (cbToCb, crToCb) = (fixed((blueOfCb - yOfCb) * blueScale), fixed(-yOfCr * blueScale))
        (cbToCr, crToCr) = (fixed(-yOfCb * redScale), fixed((redOfCr - yOfCr) * redScale))
    }

    /// Fills a `420v` buffer from codes of 8 bits.
    package func convert(_ samples: Samples<UInt8>, into picture: CVPixelBuffer) {
        let steps = (samples.lumaStep, samples.chromaStep, samples.isTall)
        switch (isIdentity, steps) {
        case (true, (1, 2, false)) where samples.cr == samples.cb + 1: copy(samples, into: picture)
        // Constant steps are what lets the compiler vectorise.
        case (_, (1, 2, false)): fill(picture, samples, lumaStep: 1, chromaStep: 2, isTall: false)
        case (_, (1, 1, false)): fill(picture, samples, lumaStep: 1, chromaStep: 1, isTall: false)
        default: fill(picture, samples, lumaStep: 2, chromaStep: 4, isTall: true)
        }
    }

    /// Fills a `420v` buffer from planes of codes with more than 8 bits, the lower ones of 16.
    package func convert(_ samples: Samples<UInt16>, into picture: CVPixelBuffer) {
        precondition(samples.lumaStep == 1 && samples.chromaStep == 1, "each component has a plane")
        if samples.isTall {
            fill(picture, samples, lumaStep: 1, chromaStep: 1, isTall: true)
        } else {
            fill(picture, samples, lumaStep: 1, chromaStep: 1, isTall: false)
        }
    }

    private func copy(_ samples: Samples<UInt8>, into picture: CVPixelBuffer) {
        let (luma, chroma) = (picture.plane(0), picture.plane(1))
        for row in 0..<luma.height { memcpy(luma.row(row, as: UInt8.self), samples.y + row * samples.lumaStride, luma.width) }
        for row in 0..<chroma.height { memcpy(chroma.row(row, as: UInt8.self), samples.cb + row * samples.chromaStride, luma.width) }
    }

    @inline(__always)
    private func fill<Code>(_ picture: CVPixelBuffer, _ samples: Samples<Code>, lumaStep: Int, chromaStep: Int, isTall: Bool) {
        let (luma, chroma) = (picture.plane(0), picture.plane(1))
        let half = Int32(1) << (bits - 1)
        let (lumaBase, chromaBase) = ((16 << bits) + half, (128 << bits) + half)
        @inline(__always) func clamped(_ value: Int32) -> UInt8 { UInt8(truncatingIfNeeded: min(max(value &>> bits, 0), 255)) }
        @inline(__always) func wide(_ code: Code) -> Int32 { Int32(truncatingIfNeeded: code) }
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
                var (cb, cr) = (wide(cbs[x &* chromaStep]), wide(crs[x &* chromaStep]))
                if isTall {
                    cb = (cb &+ wide(cbs[x &* chromaStep &+ below]) &+ 1) >> 1
                    cr = (cr &+ wide(crs[x &* chromaStep &+ below]) &+ 1) >> 1
                }
                cb = cb &- gray
                cr = cr &- gray
                pairs[2 &* x] = clamped(cbToCb &* cb &+ crToCb &* cr &+ chromaBase)
                pairs[2 &* x &+ 1] = clamped(cbToCr &* cb &+ crToCr &* cr &+ chromaBase)
                let shift = cbToY &* cb &+ crToY &* cr &+ lumaBase &- black &* self.luma
                let (a, b) = (2 &* x &* lumaStep, (2 &* x &+ 1) &* lumaStep)
                upper[2 &* x] = clamped(self.luma &* wide(top[a]) &+ shift)
                upper[2 &* x &+ 1] = clamped(self.luma &* wide(top[b]) &+ shift)
                lower[2 &* x] = clamped(self.luma &* wide(bottom[a]) &+ shift)
                lower[2 &* x &+ 1] = clamped(self.luma &* wide(bottom[b]) &+ shift)
            }
        }
    }
}
