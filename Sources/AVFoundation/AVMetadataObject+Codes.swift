import Foundation

/// A bar code or a matrix code. No detector here reads codes; an app's tests make them.
public final class AVMetadataMachineReadableCodeObject: AVMetadataObject, @unchecked Sendable {
    /// Counter-clockwise from the code's own top left, in the space of `bounds`.
    public var corners: [CGPoint] { content.corners }
    /// Nil where the code holds no text.
    public var stringValue: String? { content.stringValue }
}

extension AVMetadataObject.ObjectType {
    public static let upce = Self(rawValue: "org.gs1.UPC-E")
    public static let code39 = Self(rawValue: "org.iso.Code39")
    public static let code39Mod43 = Self(rawValue: "org.iso.Code39Mod43")
    public static let ean13 = Self(rawValue: "org.gs1.EAN-13")
    public static let ean8 = Self(rawValue: "org.gs1.EAN-8")
    public static let code93 = Self(rawValue: "com.intermec.Code93")
    public static let code128 = Self(rawValue: "org.iso.Code128")
    public static let interleaved2of5 = Self(rawValue: "org.ansi.Interleaved2of5")
    public static let itf14 = Self(rawValue: "org.gs1.ITF14")
    public static let codabar = Self(rawValue: "Codabar")
    public static let gs1DataBar = Self(rawValue: "org.gs1.GS1DataBar")
    public static let gs1DataBarExpanded = Self(rawValue: "org.gs1.GS1DataBarExpanded")
    public static let gs1DataBarLimited = Self(rawValue: "org.gs1.GS1DataBarLimited")
    public static let pdf417 = Self(rawValue: "org.iso.PDF417")
    public static let qr = Self(rawValue: "org.iso.QRCode")
    public static let aztec = Self(rawValue: "org.iso.Aztec")
    public static let dataMatrix = Self(rawValue: "org.iso.DataMatrix")
    public static let microQR = Self(rawValue: "org.iso.MicroQR")
    public static let microPDF417 = Self(rawValue: "org.iso.MicroPDF417")

    static let codes: Set<Self> = [
        .upce, .code39, .code39Mod43, .ean13, .ean8, .code93, .code128, .interleaved2of5, .itf14, .codabar, .gs1DataBar, .gs1DataBarExpanded,
        .gs1DataBarLimited, .pdf417, .qr, .aztec, .dataMatrix, .microQR, .microPDF417,
    ]
}
