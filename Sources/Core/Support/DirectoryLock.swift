import Foundation

/// The right of one process to write into a directory, until its last reference goes or the process ends, whatever ends that.
///
/// A lock of the kernel on `.rackfocus.lock`, in which the owner's process number is to be read.
package final class DirectoryLock: Sendable {
    private let path: String
    private let descriptor: Int32
    private let slot: UnfinishedOutput.Slot

    /// Throws `OutputError.Code.busy` with the owner's process while another holds it.
    package init(_ directory: String) throws(OutputError) {
        let path = "\(directory)/.rackfocus.lock"
        while true {
            let descriptor = SystemCall.repeated { open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666) }
            guard descriptor >= 0 else { throw OutputError(errno: errno, path: directory, action: "write to it") }
            guard SystemCall.repeated({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 else {
                let failure = errno
                let owner = Self.text(descriptor)
                close(descriptor)
                guard failure == EWOULDBLOCK else { throw OutputError(errno: failure, path: directory, action: "lock it") }
                throw OutputError(code: .busy, path: directory, action: "write to it", other: owner.isEmpty ? "another run" : owner)
            }
            // The one before may have removed it between `open` and `flock`.
            var (named, held) = (stat(), stat())
            guard stat(path, &named) == 0, fstat(descriptor, &held) == 0, named.st_ino == held.st_ino else {
                close(descriptor)
                continue
            }
            (self.path, self.descriptor) = (path, descriptor)
            slot = UnfinishedOutput.register(path)
            ftruncate(descriptor, 0)
            _ = Array("process \(getpid()) on \(Self.host)".utf8).withUnsafeBytes { OutputFile.writeAll($0, to: descriptor) }
            return
        }
    }

    deinit {
        unlink(path)
        slot.release()
        close(descriptor)
    }

    private static var host: String {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func text(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 200)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }
}
