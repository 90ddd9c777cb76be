import Foundation

/// Transfer function between code values and linear light: sRGB (IEC 61966-2-1), HLG (ARIB STD-B67) or PQ (SMPTE ST 2084), the latter two as in
/// ITU-R BT.2100.
///
/// Codes run from 0 to 1. Light of 1 is white in sRGB, the brightest scene light in HLG and 10,000 cd/m² of the display in PQ. Both directions compute in
/// the precision of their argument.
public enum TransferFunction: Int, Sendable, Hashable, Codable {
    case sRGB, hlg, pq

    /// Linear signal of diffuse white: 75 % of HLG's code, 203 cd/m² of PQ (ITU-R BT.2408); 1 in sRGB.
    public var white: Double {
        switch self {
        case .sRGB: 1
        case .hlg: 0.264963
        case .pq: 203.0 / 10_000
        }
    }

    /// Linear light of a code; PQ takes a negative one for 0.
    @inlinable public func light<Value: TransferValue>(of code: Value) -> Value {
        switch self {
        case .sRGB: return code <= 0.04045 ? code / 12.92 : .power((code + 0.055) / 1.055, 2.4)
        case .hlg: return code <= 0.5 ? code * code / 3 : (.exponential((code - 0.55991073) / 0.17883277) + 0.28466892) / 12
        case .pq:
            let p = Value.power(max(code, 0), 1 / 78.84375)
            return .power(max(p - 0.8359375, 0) / (18.8515625 - 18.6875 * p), 1 / 0.1593017578125)
        }
    }

    /// Code of linear light, inverse of `light`; HLG and PQ take negative light for 0.
    @inlinable public func code<Value: TransferValue>(of light: Value) -> Value {
        switch self {
        case .sRGB: return light <= 0.0031308 ? light * 12.92 : 1.055 * .power(light, 1 / 2.4) - 0.055
        case .hlg: return light <= 1 / 12 ? (3 * max(light, 0)).squareRoot() : 0.17883277 * .logarithm(12 * light - 0.28466892) + 0.55991073
        case .pq:
            let p = Value.power(max(light, 0), 0.1593017578125)
            return .power((0.8359375 + 18.8515625 * p) / (1 + 18.6875 * p), 78.84375)
        }
    }
}

/// Precision in which a transfer function computes, by the C library's functions of that type.
public protocol TransferValue: BinaryFloatingPoint {
    /// Power of a base ≥ 0.
    static func power(_ base: Self, _ exponent: Self) -> Self
    /// Exponential, base e.
    static func exponential(_ value: Self) -> Self
    /// Natural logarithm.
    static func logarithm(_ value: Self) -> Self
}

extension Float: TransferValue {
    /// Power of a base ≥ 0.
    @inlinable public static func power(_ base: Float, _ exponent: Float) -> Float { pow(base, exponent) }
    /// Exponential, base e.
    @inlinable public static func exponential(_ value: Float) -> Float { exp(value) }
    /// Natural logarithm.
    @inlinable public static func logarithm(_ value: Float) -> Float { log(value) }
}

extension Double: TransferValue {
    /// Power of a base ≥ 0.
    @inlinable public static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
    /// Exponential, base e.
    @inlinable public static func exponential(_ value: Double) -> Double { exp(value) }
    /// Natural logarithm.
    @inlinable public static func logarithm(_ value: Double) -> Double { log(value) }
}
