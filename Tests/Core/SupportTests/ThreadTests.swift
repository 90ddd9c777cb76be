import Foundation
import Support
import Synchronization
import TestSupport
import Testing

@Suite("A thread")
struct ThreadTests {
    /// Tells whether it ends on a thread that is still at work.
    private final class Guest: Sendable {
        let tell: @Sendable (Bool) -> Void
        init(_ tell: @escaping @Sendable (Bool) -> Void) { self.tell = tell }
        deinit { tell(Thread.current.isExecuting) }
    }

    @Test("lets go of what its body holds before it ends")
    func guest() {
        let (begins, ends) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let isAtWork = Mutex(false)
        /// Holds the guest nowhere but in the thread.
        func start() {
            let guest = Guest { told in
                isAtWork.withLock { $0 = told }
                ends.signal()
            }
            Thread.detach(named: "host") {
                begins.wait()
                withExtendedLifetime(guest) {}
            }
        }
        start()
        begins.signal()
        #expect(ends.wait(timeout: .now() + patience) == .success && isAtWork.withLock { $0 })
    }

    @Test("bears its name, as far as the system takes it")
    func name() {
        let ended = DispatchSemaphore(value: 0)
        let name = Mutex<String?>(nil)
        Thread.detach(named: "a name of many letters") {
            name.withLock { $0 = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8) }
            ended.signal()
        }
        ended.wait()
        #expect(name.withLock { $0 } == "a name of many \n")
    }
}
