import CoreMedia

/// Uncompressed samples as they lie in memory or in a file.
package struct SampleCoding: Equatable, Sendable {
    /// Whether samples are floats, full scale ±1; else they are signed integers.
    package let isFloat: Bool
    /// Whether the high byte comes first.
    package let isBigEndian: Bool
    /// Bytes of a sample: 2, 3 or 4, of floats 4 or 8.
    package let size: Int

    /// Nil for other widths.
    package init?(bits: Int, isFloat: Bool, isBigEndian: Bool) {
        guard (isFloat ? [32, 64] : [16, 24, 32]).contains(bits) else { return nil }
        (self.isFloat, self.isBigEndian, size) = (isFloat, isBigEndian, bits / 8)
    }

    /// Nil for compressed sound, unsigned samples, and other widths.
    package init?(_ stream: AudioStreamBasicDescription) {
        let isFloat = stream.mFormatFlags & kAudioFormatFlagIsFloat != 0
        guard stream.mFormatID == kAudioFormatLinearPCM, isFloat || stream.mFormatFlags & kAudioFormatFlagIsSignedInteger != 0 else { return nil }
        self.init(
            bits: Int(stream.mBitsPerChannel), isFloat: isFloat, isBigEndian: stream.mFormatFlags & kAudioFormatFlagIsBigEndian != 0)
    }

    /// Interleaved samples, packed; `sampleRate` in Hz.
    package func stream(sampleRate: Double, channels: Int) -> AudioStreamBasicDescription {
        AudioStreamBasicDescription(
            packed: sampleRate, channels: UInt32(channels), bits: UInt32(8 * size), isFloat: isFloat, isBigEndian: isBigEndian, isInterleaved: true)
    }

    /// Value of a sample, full scale ±1.
    package func load(_ sample: UnsafeRawPointer) -> Double {
        var bits: UInt64 = 0
        for index in 0..<size {
            bits |= UInt64(sample.load(fromByteOffset: isBigEndian ? size - 1 - index : index, as: UInt8.self)) << (8 * index)
        }
        guard !isFloat else { return size == 4 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits) }
        let unused = 64 - 8 * size
        return Double(Int64(bitPattern: bits << unused) >> unused) / scale
    }

    /// Stores a value, full scale ±1; integers are rounded, and clipped beyond it.
    package func store(_ value: Double, at sample: UnsafeMutableRawPointer) {
        let bits: UInt64 =
            if isFloat {
                size == 4 ? UInt64(Float(value).bitPattern) : value.bitPattern
            } else {
                UInt64(bitPattern: Int64(min(max((value.isNaN ? 0 : value * scale).rounded(), -scale), scale - 1)))
            }
        for index in 0..<size {
            sample.storeBytes(
                of: UInt8(truncatingIfNeeded: bits >> (8 * index)), toByteOffset: isBigEndian ? size - 1 - index : index, as: UInt8.self)
        }
    }

    private var scale: Double { Double(UInt64(1) << (8 * size - 1)) }
}
