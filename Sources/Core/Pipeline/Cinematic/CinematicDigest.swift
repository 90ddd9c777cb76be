import CoreMedia
import Foundation
import Support

/// Digest by which edits name their movie: the SHA-256 of the metadata, each sample behind its time (nanoseconds, 64 bits, big-endian).
package struct CinematicDigest {
    private var hash = SHA256()
    private var bytes: [UInt8] = []

    package init() {}

    /// Adds a frame's sample.
    package mutating func add(_ sample: Data, at time: CMTime) {
        withUnsafeBytes(of: time.nanoseconds.bigEndian) { bytes += $0 }
        bytes += sample
        guard bytes.count > 1 << 16 else { return }
        hash = hash.adding(bytes)
        bytes.removeAll(keepingCapacity: true)
    }

    /// The digest in lower-case hexadecimal.
    package var text: String { hash.adding(bytes).hexadecimal }
}
