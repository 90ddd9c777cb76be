import Foundation

/// Bytes as the smallest QR code of level M holds them: one segment of byte mode (ISO/IEC 18004, 7.4.5), terminator and padding (7.4.9, 7.4.10).
struct QRPayload {
    /// Version of the symbol, 1…40.
    let version: Int
    /// Codewords of the data.
    let codewords: [UInt8]

    /// Codewords of data in a symbol of level M, by version from 1 (ISO/IEC 18004, table 7).
    private static let capacities = [
        16, 28, 44, 64, 86, 108, 124, 154, 182, 216, 254, 290, 334, 365, 415, 453, 507, 563, 627, 669, 714, 782, 860, 914, 1000, 1062, 1128, 1193,
        1267, 1373, 1455, 1541, 1631, 1725, 1812, 1914, 1992, 2102, 2216, 2334,
    ]

    /// Encodes bytes; nil for more than 2331 of them.
    init?(_ bytes: some Collection<UInt8>) {
        // Mode and count take 12 bits up to version 9, else 20; the terminator may be cut short at the end of the symbol.
        let version = (1...40).first { 8 * Self.capacities[$0 - 1] >= ($0 < 10 ? 12 : 20) + 8 * bytes.count }
        guard let version else { return nil }
        var bits = BitString()
        bits.append(0b0100, count: 4)
        bits.append(bytes.count, count: version < 10 ? 8 : 16)
        for byte in bytes { bits.append(Int(byte), count: 8) }
        bits.append(0, count: 4)
        let capacity = Self.capacities[version - 1]
        var padding: UInt8 = 0xEC
        while bits.bytes.count < capacity {
            bits.bytes.append(padding)
            padding = padding == 0xEC ? 0x11 : 0xEC
        }
        self.version = version
        codewords = Array(bits.bytes.prefix(capacity))
    }
}

/// Bits from the highest of the first byte on; the last byte is filled with zeros.
private struct BitString {
    var bytes: [UInt8] = []
    private var count = 0

    mutating func append(_ value: Int, count: Int) {
        for bit in stride(from: count - 1, through: 0, by: -1) {
            if self.count % 8 == 0 { bytes.append(0) }
            bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << (7 - self.count % 8)
            self.count += 1
        }
    }
}
