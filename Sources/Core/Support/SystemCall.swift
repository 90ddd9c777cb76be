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

    /// Closes a descriptor: nil, or the errno. Linux has closed it also where a signal interrupts that.
    static func close(_ descriptor: Int32) -> Int32? {
        Foundation.close(descriptor) == 0 || errno == EINTR ? nil : errno
    }
}
