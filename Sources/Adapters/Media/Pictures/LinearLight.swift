import Optics

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
            case 16: return Float(TransferFunction.pq.light(of: value) * 10_000 / 203)
            case 18: return Float(TransferFunction.hlg.light(of: value) / TransferFunction.hlg.white)
            default: return Float(TransferFunction.sRGB.light(of: value))
            }
        }
    }

    subscript(code: UInt16) -> Float { table[Int(code)] }
}
