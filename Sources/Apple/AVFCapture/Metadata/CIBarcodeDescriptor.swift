import Foundation

/// Data of a bar code or matrix code as its symbol holds it; Core Image's, which has it from here, as metadata objects bring it.
open class CIBarcodeDescriptor: NSObject, @unchecked Sendable {
    override init() {}
}

/// Data of a QR code (ISO/IEC 18004).
open class CIQRCodeDescriptor: CIBarcodeDescriptor, @unchecked Sendable {
    /// Share of a symbol that may be lost, by the letter of its level.
    public enum ErrorCorrectionLevel: Int, Sendable {
        /// About 7 %.
        case levelL = 76
        /// About 15 %.
        case levelM = 77
        /// About 25 %.
        case levelQ = 81
        /// About 30 %.
        case levelH = 72
    }

    /// Codewords of the data, one a byte, before they are split into blocks: segments, terminator and padding.
    public let errorCorrectedPayload: Data
    /// Version of the symbol, 1…40: it has 17 + 4 · version modules on a side.
    public let symbolVersion: Int
    /// Number of the mask, 0…7.
    public let maskPattern: UInt8
    /// Level of error correction.
    public let errorCorrectionLevel: ErrorCorrectionLevel

    /// Makes a descriptor; nil for a version or a mask that there is not.
    public init?(payload: Data, symbolVersion: Int, maskPattern: UInt8, errorCorrectionLevel: ErrorCorrectionLevel) {
        guard (1...40).contains(symbolVersion), maskPattern < 8 else { return nil }
        errorCorrectedPayload = payload
        self.symbolVersion = symbolVersion
        self.maskPattern = maskPattern
        self.errorCorrectionLevel = errorCorrectionLevel
        super.init()
    }
}

/// Data of an Aztec code (ISO/IEC 24778).
open class CIAztecCodeDescriptor: CIBarcodeDescriptor, @unchecked Sendable {
    /// Codewords of the data, before error correction.
    public let errorCorrectedPayload: Data
    /// Whether the symbol is of the compact kind.
    public let isCompact: Bool
    /// Layers around the core: 1…4 of a compact symbol, else 1…32.
    public let layerCount: Int
    /// Codewords that hold data, from 1: up to 64 in a compact symbol, else up to 2048.
    public let dataCodewordCount: Int

    /// Makes a descriptor; nil for numbers that there are not.
    public init?(payload: Data, isCompact: Bool, layerCount: Int, dataCodewordCount: Int) {
        guard (1...(isCompact ? 4 : 32)).contains(layerCount), (1...(isCompact ? 64 : 2048)).contains(dataCodewordCount) else { return nil }
        errorCorrectedPayload = payload
        self.isCompact = isCompact
        self.layerCount = layerCount
        self.dataCodewordCount = dataCodewordCount
        super.init()
    }
}

/// Data of a PDF417 code (ISO/IEC 15438).
open class CIPDF417CodeDescriptor: CIBarcodeDescriptor, @unchecked Sendable {
    /// Codewords of the data, before error correction.
    public let errorCorrectedPayload: Data
    /// Whether the symbol has no right row indicators.
    public let isCompact: Bool
    /// Rows, 3…90.
    public let rowCount: Int
    /// Columns of data, 1…30.
    public let columnCount: Int

    /// Makes a descriptor; nil for numbers that there are not.
    public init?(payload: Data, isCompact: Bool, rowCount: Int, columnCount: Int) {
        guard (3...90).contains(rowCount), (1...30).contains(columnCount) else { return nil }
        errorCorrectedPayload = payload
        self.isCompact = isCompact
        self.rowCount = rowCount
        self.columnCount = columnCount
        super.init()
    }
}

/// Data of a Data Matrix code (ISO/IEC 16022).
open class CIDataMatrixCodeDescriptor: CIBarcodeDescriptor, @unchecked Sendable {
    /// Kind of error correction.
    public enum ECCVersion: Int, Sendable {
        /// None.
        case v000 = 0
        /// Convolutional, a quarter of the symbol.
        case v050 = 50
        /// Convolutional, a third of the symbol.
        case v080 = 80
        /// Convolutional, half of the symbol.
        case v100 = 100
        /// Convolutional, three quarters of the symbol.
        case v140 = 140
        /// Reed-Solomon, that of today's symbols.
        case v200 = 200
    }

    /// Codewords of the data, before error correction.
    public let errorCorrectedPayload: Data
    /// Rows of modules, 8…144.
    public let rowCount: Int
    /// Columns of modules, 8…144.
    public let columnCount: Int
    /// Kind of error correction.
    public let eccVersion: ECCVersion

    /// Makes a descriptor; nil for numbers that there are not.
    public init?(payload: Data, rowCount: Int, columnCount: Int, eccVersion: ECCVersion) {
        guard (8...144).contains(rowCount), (8...144).contains(columnCount) else { return nil }
        errorCorrectedPayload = payload
        self.rowCount = rowCount
        self.columnCount = columnCount
        self.eccVersion = eccVersion
        super.init()
    }
}
