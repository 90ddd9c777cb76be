import Foundation

/// Calls to the kernel that a signal may interrupt.
package enum SystemCall {
    /// Result of a call that is repeated for as long as a signal interrupts it (EINTR).
    @discardableResult
    package static func repeated<Result: SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            if result != -1 || errno != EINTR { return result }
        }
    }

    /// Writes all of the bytes at a place of a file: nil, or the errno.
    package static func write(_ bytes: [UInt8], to descriptor: Int32, at offset: Int64) -> Int32? {
        bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let count = repeated { pwrite(descriptor, buffer.baseAddress! + written, buffer.count - written, off_t(offset) + off_t(written)) }
                if count <= 0 { return count < 0 ? errno : EIO }
                written += count
            }
            return nil
        }
    }

    /// Closes a descriptor: nil, or the errno. Linux has closed it also where a signal interrupts that.
    package static func close(_ descriptor: Int32) -> Int32? {
        Foundation.close(descriptor) == 0 || errno == EINTR ? nil : errno
    }
}
