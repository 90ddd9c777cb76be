import Foundation
import Synchronization

/// Standard output of a program, checked: what cannot be written is remembered, and the program asks for it before it ends.
package enum StandardOutput {
    private static let firstFailure = Mutex<OutputError?>(nil)

    /// Failure of the first write that did not succeed; nil while all did. After it nothing more is written.
    package static var failure: OutputError? { firstFailure.withLock { $0 } }

    /// Writes a text as it is fit for a terminal (`String.printable`), at once.
    package static func print(_ text: String, terminator: String = "\n") {
        firstFailure.withLock { failure in
            if failure == nil, let number = write(text.printable + terminator, to: STDOUT_FILENO) {
                failure = OutputError(errno: number, path: "standard output", action: "write")
            }
        }
    }

    /// Writes all of a text; nil, or the errno.
    static func write(_ text: String, to descriptor: Int32) -> Int32? {
        var text = text
        return text.withUTF8 { bytes in
            var written = 0
            while written < bytes.count {
                let count = Foundation.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return count < 0 ? errno : EIO }
                written += count
            }
            return nil
        }
    }
}
