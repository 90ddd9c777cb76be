import Foundation

/// Source of a bitmap's bytes: all of them, in memory.
public final class CGDataProvider: @unchecked Sendable {
    /// Bytes, as a copy that stays valid. Never nil here.
    public var data: CFData? { bytes as CFData }
    let bytes: Data

    /// Makes a provider of these bytes.
    public init?(data: CFData) {
        // Foundation's own bridging goes byte by byte where the bytes are not its own.
        bytes = data.length == 0 ? Data() : Data(bytes: data.bytes, count: data.length)
    }

    /// Makes a provider of the `size` bytes at `data`, which are given back with `releaseData` when nobody needs them.
    public init?(
        dataInfo info: UnsafeMutableRawPointer?, data: UnsafeRawPointer, size: Int,
        releaseData: @escaping @Sendable (UnsafeMutableRawPointer?, UnsafeRawPointer, Int) -> Void
    ) {
        guard size >= 0 else { return nil }
        let lent = Lent(info: info, data: data, size: size)
        bytes = Data(bytesNoCopy: UnsafeMutableRawPointer(mutating: data), count: size, deallocator: .custom { _, _ in lent.giveBack(releaseData) })
    }

    /// Makes a provider of a file's bytes; nil where it cannot be read.
    public init?(url: CFURL) {
        guard let read = try? Data(contentsOf: url as URL) else { return nil }
        bytes = read
    }

    private struct Lent: @unchecked Sendable {
        let info: UnsafeMutableRawPointer?
        let data: UnsafeRawPointer
        let size: Int

        func giveBack(_ release: (UnsafeMutableRawPointer?, UnsafeRawPointer, Int) -> Void) { release(info, data, size) }
    }
}
