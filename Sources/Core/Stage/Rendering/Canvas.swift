import Dispatch
import Foundation

/// Picture of 8-bit red, green, blue and a fourth byte, in one 32-bit word per pixel (red lowest).
///
/// Sprites are premultiplied and keep their coverage in the fourth byte; on the frame's canvas it is emission.
final class Canvas: @unchecked Sendable {
    let width: Int
    let height: Int
    let pixels: UnsafeMutablePointer<UInt32>

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        pixels = .allocate(capacity: width * height)
        pixels.initialize(repeating: 0, count: width * height)
    }

    deinit { pixels.deallocate() }

    var byteCount: Int { width * height * 4 }

    @inline(__always)
    func row(_ y: Int) -> UnsafeMutablePointer<UInt32> { pixels + y * width }
}

/// Runs `body` in parallel on bands of rows, at least two rows and an even number each.
func forEachBand(of rows: Int, _ body: (Range<Int>) -> Void) {
    let height = (max((rows + 15) / 16, 2) + 1) & ~1
    let count = (rows + height - 1) / height
    withoutActuallyEscaping(body) { body in
        let work = UncheckedWork(body: body)
        DispatchQueue.concurrentPerform(iterations: count) { band in
            work.body(band * height..<min((band + 1) * height, rows))
        }
    }
}

private struct UncheckedWork: @unchecked Sendable {
    let body: (Range<Int>) -> Void
}

/// Arithmetic on four packed bytes at once (SIMD within a register).
enum Packed {
    @inline(__always)
    static func lerp(_ a: UInt32, _ b: UInt32, _ weight: UInt32) -> UInt32 {
        let keep = 256 - weight
        let low = ((a & 0x00FF_00FF) &* keep &+ (b & 0x00FF_00FF) &* weight) >> 8
        let high = ((a >> 8) & 0x00FF_00FF) &* keep &+ ((b >> 8) & 0x00FF_00FF) &* weight
        return (low & 0x00FF_00FF) | (high & 0xFF00_FF00)
    }

    /// Mixes four words, each by its own weight, 0…256.
    @inline(__always)
    static func lerp(_ a: SIMD4<UInt32>, _ b: SIMD4<UInt32>, _ weight: SIMD4<UInt32>) -> SIMD4<UInt32> {
        let part = halves(weight | weight &<< 16), keep = 256 &- part
        let low = (evenBytes(a) &* keep &+ evenBytes(b) &* part) &>> 8
        let high = (evenBytes(a &>> 8) &* keep &+ evenBytes(b &>> 8) &* part) & 0xFF00
        return unsafeBitCast(low | high, to: SIMD4<UInt32>.self)
    }

    /// Multiplies every byte of four words by their weights / 256.
    @inline(__always)
    static func scale(_ a: SIMD4<UInt32>, _ weight: SIMD4<UInt32>) -> SIMD4<UInt32> {
        let part = halves(weight | weight &<< 16)
        let low = (evenBytes(a) &* part) &>> 8, high = (evenBytes(a &>> 8) &* part) & 0xFF00
        return unsafeBitCast(low | high, to: SIMD4<UInt32>.self)
    }

    @inline(__always)
    private static func halves(_ a: SIMD4<UInt32>) -> SIMD8<UInt16> { unsafeBitCast(a, to: SIMD8<UInt16>.self) }

    @inline(__always)
    private static func evenBytes(_ a: SIMD4<UInt32>) -> SIMD8<UInt16> { halves(a) & 0xFF }

    /// Packs a colour of 0…1 components, clipped.
    @inline(__always)
    static func color(_ rgb: SIMD3<Float>, fourth: Float = 0) -> UInt32 {
        let v = SIMD4(rgb, fourth).clamped(lowerBound: .zero, upperBound: .one) * 255 + 0.5
        return UInt32(v.x) | UInt32(v.y) << 8 | UInt32(v.z) << 16 | UInt32(v.w) << 24
    }

    @inline(__always)
    static func unpacked(_ c: UInt32) -> SIMD4<Float> {
        SIMD4(Float(c & 255), Float(c >> 8 & 255), Float(c >> 16 & 255), Float(c >> 24))
    }
}
