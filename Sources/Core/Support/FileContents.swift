import Foundation

/// Whole files, read as the file system gives them.
package enum FileContents {
    /// Bytes of a file, the first `limit` of a longer one; throws when it is not there or cannot be read.
    package static func read(_ path: String, upTo limit: Int = .max) throws(InputError) -> Data {
        guard let data = try readIfThere(path, upTo: limit) else { throw InputError(path: path, errno: ENOENT, action: "open") }
        return data
    }

    /// The same; nil when there is no such file.
    package static func readIfThere(_ path: String, upTo limit: Int = .max) throws(InputError) -> Data? {
        let descriptor = SystemCall.repeated { open(path, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 || (errno != ENOENT && errno != ENOTDIR) else { return nil }
        guard descriptor >= 0 else { throw InputError(path: path, errno: errno, action: "open") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw InputError(path: path, errno: errno, action: "read") }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw InputError(path: path, errno: EISDIR, action: "read") }
        var data = Data(count: max(Int(status.st_size), 1 << 12))
        var count = 0
        while count < limit {
            if count == data.count { data.count *= 2 }
            let read = data.withUnsafeMutableBytes { bytes in
                SystemCall.repeated { Foundation.read(descriptor, bytes.baseAddress! + count, bytes.count - count) }
            }
            guard read >= 0 else { throw InputError(path: path, errno: errno, action: "read") }
            if read == 0 { break }
            count += read
        }
        return data.prefix(min(count, limit))
    }
}
