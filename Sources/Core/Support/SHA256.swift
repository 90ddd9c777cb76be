import Foundation

/// FIPS 180-4 SHA-256, small: names the inputs and the trace of a run, so that `sha256sum` finds them again.
package struct SHA256 {
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01,
        0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc,
        0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147,
        0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116, 0x1e37_6c08,
        0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3, 0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
        0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]

    /// Bytes taken in, fewer than a block of 64.
    private var rest: [UInt8] = []
    /// Number of bytes taken in.
    private var count = 0

    /// Creates the hash of no bytes.
    package init() {}

    /// Creates the hash of a text in UTF-8.
    package init(_ text: String) { self = SHA256().adding(Array(text.utf8)) }

    /// The hash with these bytes behind those taken in so far.
    package func adding(_ bytes: [UInt8]) -> SHA256 {
        var hash = self
        let message = rest + bytes
        let whole = message.count / 64 * 64
        hash.compress(message[..<whole])
        hash.rest = Array(message[whole...])
        hash.count += bytes.count
        return hash
    }

    /// The digest of a whole message, in lower-case hexadecimal.
    package static func hexadecimal(_ message: [UInt8]) -> String { SHA256().adding(message).hexadecimal }

    /// The digest of a file, read piece by piece, in lower-case hexadecimal; nil when it cannot be read.
    package static func hexadecimal(contentsOf path: String) -> String? {
        let descriptor = SystemCall.repeated { open(path, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var hash = SHA256()
        var piece = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = SystemCall.repeated { read(descriptor, &piece, piece.count) }
            guard count >= 0 else { return nil }
            if count == 0 { return hash.hexadecimal }
            hash = hash.adding(Array(piece[..<count]))
        }
    }

    /// The digest of the bytes taken in so far, 32 bytes.
    package var bytes: [UInt8] {
        var hash = self
        var tail = rest + [0x80]
        tail += [UInt8](repeating: 0, count: (120 - tail.count % 64) % 64)
        let bits = UInt64(count) * 8
        for shift in stride(from: 56, through: 0, by: -8) { tail.append(UInt8(truncatingIfNeeded: bits >> shift)) }
        hash.compress(tail[...])
        return (0..<8).flatMap { word in stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: hash.state[word] >> $0) } }
    }

    /// The digest of the bytes taken in so far, in lower-case hexadecimal.
    package var hexadecimal: String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

    private var state = SIMD8<UInt32>(
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19)

    /// Takes in whole blocks of 64 bytes.
    private mutating func compress(_ message: ArraySlice<UInt8>) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
            message.withUnsafeBytes { bytes in
                for start in stride(from: 0, to: bytes.count, by: 64) {
                    for i in 0..<16 { schedule[i] = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: start + 4 * i, as: UInt32.self)) }
                    for i in 16..<64 {
                        let (a, b) = (schedule[i &- 15], schedule[i &- 2])
                        let (low, high) = (a.rotatedRight(7) ^ a.rotatedRight(18) ^ a &>> 3, b.rotatedRight(17) ^ b.rotatedRight(19) ^ b &>> 10)
                        schedule[i] = schedule[i &- 16] &+ low &+ schedule[i &- 7] &+ high
                    }
                    mix(UnsafeBufferPointer(schedule))
                }
            }
        }
    }

    private mutating func mix(_ schedule: UnsafeBufferPointer<UInt32>) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        Self.constants.withUnsafeBufferPointer { constants in
            // Eight steps at a time: after them every variable is back in its place, and none has to be moved.
            for i in stride(from: 0, to: 64, by: 8) {
                Self.step(a, b, c, &d, e, f, g, &h, constants[i] &+ schedule[i])
                Self.step(h, a, b, &c, d, e, f, &g, constants[i &+ 1] &+ schedule[i &+ 1])
                Self.step(g, h, a, &b, c, d, e, &f, constants[i &+ 2] &+ schedule[i &+ 2])
                Self.step(f, g, h, &a, b, c, d, &e, constants[i &+ 3] &+ schedule[i &+ 3])
                Self.step(e, f, g, &h, a, b, c, &d, constants[i &+ 4] &+ schedule[i &+ 4])
                Self.step(d, e, f, &g, h, a, b, &c, constants[i &+ 5] &+ schedule[i &+ 5])
                Self.step(c, d, e, &f, g, h, a, &b, constants[i &+ 6] &+ schedule[i &+ 6])
                Self.step(b, c, d, &e, f, g, h, &a, constants[i &+ 7] &+ schedule[i &+ 7])
            }
        }
        state &+= SIMD8(a, b, c, d, e, f, g, h)
    }

    @inline(__always)
    private static func step(
        _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32, _ h: inout UInt32, _ word: UInt32
    ) {
        let first = h &+ (e.rotatedRight(6) ^ e.rotatedRight(11) ^ e.rotatedRight(25)) &+ (g ^ e & (f ^ g)) &+ word
        d = d &+ first
        h = first &+ (a.rotatedRight(2) ^ a.rotatedRight(13) ^ a.rotatedRight(22)) &+ (a & b | c & (a | b))
    }
}

extension UInt32 {
    /// Rotated to the right.
    @inline(__always) fileprivate func rotatedRight(_ count: UInt32) -> UInt32 { self &>> count | self &<< (32 &- count) }
}
