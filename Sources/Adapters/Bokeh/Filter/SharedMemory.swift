import Foundation
import Glibc

/// Memory that two processes see, without a name.
final class SharedMemory {
    let bytes: UnsafeMutableRawPointer
    let descriptor: Int32
    private let byteCount: Int

    /// Zeroes. Throws `filterFailed` when the system gives none.
    convenience init(byteCount: Int) throws {
        let name = "/rackfocus-\(UUID().uuidString)"
        let descriptor = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
        shm_unlink(name)
        // All of it now: what a full file system refuses later is a signal.
        let refusal = descriptor < 0 ? errno : posix_fallocate(descriptor, 0, byteCount)
        guard refusal == 0 else {
            throw BokehError(.filterFailed, "no memory of \(byteCount >> 20) MiB to share with a filter: \(String(cString: strerror(refusal)))")
        }
        try self.init(descriptor: descriptor, byteCount: byteCount)
    }

    /// The memory that another process made; takes the descriptor over.
    init(descriptor: Int32, byteCount: Int) throws {
        guard let bytes = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), bytes != MAP_FAILED else {
            throw BokehError(.filterFailed, "no memory of \(byteCount >> 20) MiB to share with a filter: \(String(cString: strerror(errno)))")
        }
        self.bytes = bytes
        self.descriptor = descriptor
        self.byteCount = byteCount
    }

    deinit {
        munmap(bytes, byteCount)
        close(descriptor)
    }
}
