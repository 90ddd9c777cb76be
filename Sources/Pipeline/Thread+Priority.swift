import Foundation
import Glibc

extension Thread {
    /// Lets every other thread go before this one from now on, and before those that it starts: for work that nobody waits for.
    package static func giveWay() {
        // On Linux niceness is a thread's.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
    }
}
