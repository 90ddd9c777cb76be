import Foundation

/// Curve of sRGB (IEC 61966-2-1), by tables: exact for the 256 values of a byte, to 0.004 of one between.
enum ColorCurve {
    static func linear(_ value: Float) -> Float {
        value <= 0.04045 ? value / 12.92 : Float(pow((Double(value) + 0.055) / 1.055, 2.4))
    }

    static func coded(_ value: Float) -> Float {
        value <= 0.0031308 ? value * 12.92 : Float(1.055 * pow(Double(value), 1 / 2.4) - 0.055)
    }

    /// Linear light of each byte.
    static let linearBytes: [Float] = (0..<256).map { linear(Float($0) / 255) }

    private static let steps = 4096
    private static let codedSteps: [Float] = (0...steps + 1).map { coded(Float($0) / Float(steps)) }

    /// Byte of linear light, cut off at 0 and 255.
    static func byte(_ value: Float) -> UInt8 {
        guard value > 0 else { return 0 }
        guard value < 1 else { return 255 }
        let place = value * Float(steps)
        let step = Int(place)
        let low = codedSteps[step]
        return UInt8((low + (codedSteps[step + 1] - low) * (place - Float(step))) * 255 + 0.5)
    }

    /// Byte of a value that stays as it is.
    static func plainByte(_ value: Float) -> UInt8 { UInt8(max(0, min(255, value * 255 + 0.5))) }
}
