import Foundation

/// Whole files, read as the file system gives them.
package enum FileContents {
    /// Bytes that a file may have where its reader names no limit of its own; memory holds them, and a device without end is refused.
    package static let mostBytes = 1 << 30

    /// Bytes of a file; throws when it is not there, cannot be read, or has more than `limit` bytes.
    package static func read(_ path: String, atMost limit: Int = mostBytes) throws(InputError) -> Data {
        guard let data = try readIfThere(path, atMost: limit) else { throw InputError(path: path, reason: "there is no such file") }
        return data
    }

    /// The same; nil when there is no such file.
    package static func readIfThere(_ path: String, atMost limit: Int = mostBytes) throws(InputError) -> Data? {
        let descriptor = SystemCall.repeated { open(path, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 || (errno != ENOENT && errno != ENOTDIR) else { return nil }
        guard descriptor >= 0 else { throw InputError(path: path, errno: errno, action: "open") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw InputError(path: path, errno: errno, action: "read") }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw InputError(path: path, errno: EISDIR, action: "read") }
        // One byte beyond the limit shows that there is more; what a file says of its size is not relied on.
        var data = Data(count: min(max(Int(status.st_size), 1 << 12), limit) + 1)
        var count = 0
        while count <= limit {
            if count == data.count { data.count = min(2 * count, limit + 1) }
            let read = data.withUnsafeMutableBytes { bytes in
                SystemCall.repeated { Foundation.read(descriptor, bytes.baseAddress! + count, bytes.count - count) }
            }
            guard read >= 0 else { throw InputError(path: path, errno: errno, action: "read") }
            if read == 0 { break }
            count += read
        }
        guard count <= limit else { throw InputError(path: path, reason: "it has more than \(Self.described(limit)), the most that are read") }
        return data.prefix(count)
    }

    private static func described(_ bytes: Int) -> String { bytes >= 1 << 20 ? "\(bytes >> 20) MiB" : "\(bytes >> 10) KiB" }
}
