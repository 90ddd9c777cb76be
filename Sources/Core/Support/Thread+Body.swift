import Foundation
import Synchronization

extension Thread {
    /// Makes a thread that has let go of all that its body holds before it ends; every thread of ours is one.
    ///
    /// Foundation lets go of a thread's block when the thread is over already. By then libdispatch (`_libdispatch_tsd_cleanup`) has freed the memory that
    /// it keeps for the thread, and what ends with the block and touches a queue, as a session does, is given that memory again: the heap is spoiled.
    ///
    /// - Parameter name: name that `ps` and debuggers show; the system takes 15 bytes of it.
    package convenience init(named name: String, body: @escaping @Sendable () -> Void) {
        let body = Mutex<(@Sendable () -> Void)?>(body)
        self.init {
            // Foundation forgets a name that is set before `start()` has returned. Without a name it does its work as well.
            try? Data(name.utf8).write(to: URL(fileURLWithPath: "/proc/thread-self/comm"))
            body.withLock { $0.take() }?()
        }
    }

    /// Starts a thread that has let go of all that its body holds before it ends.
    package static func detach(named name: String, body: @escaping @Sendable () -> Void) { Thread(named: name, body: body).start() }
}
