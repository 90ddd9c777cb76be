import Foundation

/// Kind of a colour space's components.
public enum CGColorSpaceModel: Int32, Sendable {
    /// Not known.
    case unknown = -1
    /// Grey.
    case monochrome = 0
    /// Red, green, blue.
    case rgb = 1
    /// Cyan, magenta, yellow, black; no space here has it.
    case cmyk = 2
    /// Lightness and two colour axes; no space here has it.
    case lab = 3
    /// As many inks as there are; no space here has it.
    case deviceN = 4
    /// Entries of a table; no space here has it.
    case indexed = 5
    /// Tiles of a picture; no space here has it.
    case pattern = 6
    /// Tristimulus values; no space here has it.
    case XYZ = 7
}

/// Meaning of a picture's components, by name; pixels are never converted from one to another.
public final class CGColorSpace: Sendable, Hashable {
    /// Name of the space; nil for a device's.
    public nonisolated(unsafe) let name: CFString?
    /// Kind of its components.
    public let model: CGColorSpaceModel

    init(name: CFString?, model: CGColorSpaceModel) {
        self.name = name
        self.model = model
    }

    /// Makes the space of one of the names below; nil for another.
    public convenience init?(name: CFString) {
        if Self.grey.contains(name) {
            self.init(name: name, model: .monochrome)
        } else if Self.colour.contains(name) {
            self.init(name: name, model: .rgb)
        } else {
            return nil
        }
    }

    /// Number of components without alpha: 1 for grey, 3 for colour.
    public var numberOfComponents: Int { model == .monochrome ? 1 : 3 }
    /// Whether the colours go beyond those of sRGB.
    public var isWideGamutRGB: Bool { name.map(Self.wide.contains) ?? false }

    /// Whether both are the space of one name, or a device's of the same kind.
    public static func == (lhs: CGColorSpace, rhs: CGColorSpace) -> Bool { lhs.name == rhs.name && lhs.model == rhs.model }
    /// Hashes name and kind.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(model)
    }

    /// IEC 61966-2-1.
    public nonisolated(unsafe) static let sRGB: CFString = "kCGColorSpaceSRGB"
    /// sRGB's primaries without its curve.
    public nonisolated(unsafe) static let linearSRGB: CFString = "kCGColorSpaceLinearSRGB"
    /// sRGB with values below 0 and above 1.
    public nonisolated(unsafe) static let extendedSRGB: CFString = "kCGColorSpaceExtendedSRGB"
    /// Linear sRGB with values below 0 and above 1.
    public nonisolated(unsafe) static let extendedLinearSRGB: CFString = "kCGColorSpaceExtendedLinearSRGB"
    /// DCI-P3 primaries with the white and the curve of sRGB.
    public nonisolated(unsafe) static let displayP3: CFString = "kCGColorSpaceDisplayP3"
    /// Display P3 with the hybrid log-gamma curve of BT.2100.
    public nonisolated(unsafe) static let displayP3_HLG: CFString = "kCGColorSpaceDisplayP3_HLG"
    /// Display P3 with values below 0 and above 1, linear.
    public nonisolated(unsafe) static let extendedLinearDisplayP3: CFString = "kCGColorSpaceExtendedLinearDisplayP3"
    /// ITU-R BT.709.
    public nonisolated(unsafe) static let itur_709: CFString = "kCGColorSpaceITUR_709"
    /// ITU-R BT.2020.
    public nonisolated(unsafe) static let itur_2020: CFString = "kCGColorSpaceITUR_2020"
    /// ITU-R BT.2100 with its hybrid log-gamma curve.
    public nonisolated(unsafe) static let itur_2100_HLG: CFString = "kCGColorSpaceITUR_2100_HLG"
    /// ITU-R BT.2100 with the curve of SMPTE ST 2084.
    public nonisolated(unsafe) static let itur_2100_PQ: CFString = "kCGColorSpaceITUR_2100_PQ"
    /// Adobe RGB (1998).
    public nonisolated(unsafe) static let adobeRGB1998: CFString = "kCGColorSpaceAdobeRGB1998"
    /// Grey with the exponent 2.2.
    public nonisolated(unsafe) static let genericGrayGamma2_2: CFString = "kCGColorSpaceGenericGrayGamma2_2"
    /// Grey without a curve.
    public nonisolated(unsafe) static let linearGray: CFString = "kCGColorSpaceLinearGray"

    private nonisolated(unsafe) static let grey: Set<CFString> = [genericGrayGamma2_2, linearGray]
    private nonisolated(unsafe) static let wide: Set<CFString> = [
        displayP3, displayP3_HLG, extendedLinearDisplayP3, itur_2020, itur_2100_HLG, itur_2100_PQ, adobeRGB1998,
    ]
    private nonisolated(unsafe) static let colour = wide.union([sRGB, linearSRGB, extendedSRGB, extendedLinearSRGB, itur_709])
}

/// Makes the space of red, green and blue that depends on the device.
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace(name: nil, model: .rgb) }
/// Makes the space of grey that depends on the device.
public func CGColorSpaceCreateDeviceGray() -> CGColorSpace { CGColorSpace(name: nil, model: .monochrome) }
