import Dispatch

/// Work that goes on beside the caller's own, on another core, and is joined before the frame is over: what comes out depends on no clock.
final class Aside<Value>: @unchecked Sendable {
    private let group = DispatchGroup()
    private var result: Result<Value, VisionError>?

    /// `work` touches nothing that the caller touches before `value()`.
    init(_ work: @escaping () throws(VisionError) -> Value) {
        nonisolated(unsafe) let work = work
        DispatchQueue.global(qos: .userInitiated).async(group: group) {
            do throws(VisionError) { self.result = .success(try work()) } catch { self.result = .failure(error) }
        }
    }

    /// Whether there is nothing to wait for.
    var isDone: Bool { group.wait(timeout: .now()) == .success }

    /// Waits for the end.
    func join() { group.wait() }

    /// Waits for the end and gives what came out.
    func value() throws(VisionError) -> Value {
        join()
        return try result!.get()
    }
}
