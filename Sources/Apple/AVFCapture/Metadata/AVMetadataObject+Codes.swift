import Foundation

/// Bar code or matrix code. No detector here reads codes: cameras see those that `CaptureConditions.showCodes(_:)` shows them.
public final class AVMetadataMachineReadableCodeObject: AVMetadataObject, @unchecked Sendable {
    /// Corners, counter-clockwise from the code's own top left, in the space of `bounds`.
    public var corners: [CGPoint] { content.corners }
    /// Text of the code; nil where it holds none.
    public var stringValue: String? { content.stringValue }
    /// Data of the symbol: of a QR code, as the smallest one of level M with mask 0 holds its bytes, or its text in UTF-8. Nil for other codes, for a
    /// QR code without either, and for more than 2331 bytes.
    public var descriptor: CIBarcodeDescriptor? {
        let bytes = content.codeBytes ?? content.stringValue.map { Data($0.utf8) }
        guard type == .qr, let payload = bytes.flatMap({ QRPayload($0) }) else { return nil }
        return CIQRCodeDescriptor(
            payload: Data(payload.codewords), symbolVersion: payload.version, maskPattern: 0, errorCorrectionLevel: .levelM)
    }
}

extension AVMetadataObject.ObjectType {
    /// UPC-E, a bar code of 6 digits and a check digit.
    public static let upce = Self(rawValue: "org.gs1.UPC-E")
    /// Code 39, a bar code of letters and digits.
    public static let code39 = Self(rawValue: "org.iso.Code39")
    /// Code 39 with a check digit modulo 43.
    public static let code39Mod43 = Self(rawValue: "org.iso.Code39Mod43")
    /// EAN-13, the bar code of 13 digits on goods; UPC-A is one of them.
    public static let ean13 = Self(rawValue: "org.gs1.EAN-13")
    /// EAN-8, a bar code of 8 digits.
    public static let ean8 = Self(rawValue: "org.gs1.EAN-8")
    /// Code 93, a denser bar code of letters and digits.
    public static let code93 = Self(rawValue: "com.intermec.Code93")
    /// Code 128, a bar code of all ASCII characters.
    public static let code128 = Self(rawValue: "org.iso.Code128")
    /// Interleaved 2 of 5, a bar code of an even number of digits.
    public static let interleaved2of5 = Self(rawValue: "org.ansi.Interleaved2of5")
    /// ITF-14, Interleaved 2 of 5 with the 14 digits of a trade unit.
    public static let itf14 = Self(rawValue: "org.gs1.ITF14")
    /// Codabar, a bar code of digits and a few signs.
    public static let codabar = Self(rawValue: "Codabar")
    /// GS1 DataBar, a small bar code of 14 digits.
    public static let gs1DataBar = Self(rawValue: "org.gs1.GS1DataBar")
    /// GS1 DataBar Expanded, with more data than a number.
    public static let gs1DataBarExpanded = Self(rawValue: "org.gs1.GS1DataBarExpanded")
    /// GS1 DataBar Limited, the smallest one.
    public static let gs1DataBarLimited = Self(rawValue: "org.gs1.GS1DataBarLimited")
    /// PDF417, stacked rows of bars.
    public static let pdf417 = Self(rawValue: "org.iso.PDF417")
    /// QR code, a matrix with three finder patterns.
    public static let qr = Self(rawValue: "org.iso.QRCode")
    /// Aztec code, a matrix around a bull's-eye.
    public static let aztec = Self(rawValue: "org.iso.Aztec")
    /// Data Matrix, a matrix with two solid edges.
    public static let dataMatrix = Self(rawValue: "org.iso.DataMatrix")
    /// Micro QR code, with one finder pattern.
    public static let microQR = Self(rawValue: "org.iso.MicroQR")
    /// MicroPDF417, a smaller PDF417.
    public static let microPDF417 = Self(rawValue: "org.iso.MicroPDF417")

    /// All codes.
    static let codes: [Self] = [
        .upce, .code39, .code39Mod43, .ean13, .ean8, .code93, .code128, .interleaved2of5, .itf14, .codabar, .gs1DataBar, .gs1DataBarExpanded,
        .gs1DataBarLimited, .pdf417, .qr, .aztec, .dataMatrix, .microQR, .microPDF417,
    ]
}
