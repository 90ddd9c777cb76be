import Foundation
import Glibc

extension Thread {
    /// Lowers this thread's priority (niceness 10), and that of threads it starts: for work on which nothing waits.
    package static func giveWay() {
        // On Linux niceness is a thread's.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
    }
}
