import Foundation

/// Table of linear light for 16-bit codes of a transfer function: sRGB, also for BT.709; HLG's scene light and PQ's display light.
///
/// White is 1: full code of sRGB, 75 % of HLG's, 203 cd/m² of PQ (ITU-R BT.2408).
struct LinearLight {
    private let table: [Float]

    /// - Parameter transfer: code point of H.273.
    init(transfer: Int) {
        table = (0...65535).map { code in
            let value = Double(code) / 65535
            switch transfer {
            case 16:
                let p = pow(value, 1 / 78.84375)
                return Float(pow(max(p - 0.8359375, 0) / (18.8515625 - 18.6875 * p), 1 / 0.1593017578125) * 10_000 / 203)
            case 18: return Float((value <= 0.5 ? value * value / 3 : (exp((value - 0.55991073) / 0.17883277) + 0.28466892) / 12) / 0.264963)
            default: return Float(value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
            }
        }
    }

    subscript(code: UInt16) -> Float { table[Int(code)] }
}
