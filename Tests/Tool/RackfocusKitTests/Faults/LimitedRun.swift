import Foundation
import Support
import TestSupport

/// A run of a program that is ended when it takes too long, and all that it started with it.
struct LimitedRun {
    /// Moment at which SIGKILL ends the run and its process group.
    enum Kill {
        /// Seconds after its start.
        case after(Double)
        /// Microseconds after a condition has come to hold.
        case once(() throws -> Bool, then: UInt32)
    }

    /// Nil for one that did not end in time.
    let ending: ChildProcess.Ending?
    let output: String
    let errors: String

    /// - Parameters:
    ///   - scratch: where its streams go, in files of their own.
    ///   - limit: seconds.
    init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], scratch: Scratch, limit: Double = patience,
        killed: Kill? = nil
    ) throws {
        let names = ["out", "err"].map { scratch("\($0)-\(UUID().uuidString)") }
        let streams = names.map { open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o666) }
        let nowhere = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer {
            for descriptor in streams + [nowhere] { close(descriptor) }
            for name in names { unlink(name) }
        }
        let child = try ChildProcess(
            program, arguments, environment: environment, input: nowhere, output: streams[0], errors: streams[1])
        let ended = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var ending: ChildProcess.Ending?
        Thread.detach(named: "waiter") {
            ending = child.wait()
            ended.signal()
        }
        var isOver = false
        switch killed {
        case nil: isOver = ended.wait(timeout: .now() + limit) == .success
        case .after(let seconds): isOver = ended.wait(timeout: .now() + seconds) == .success
        case .once(let isDue, let delay):
            _ = try eventually(within: limit) {
                isOver = ended.wait(timeout: .now()) == .success
                return try isOver || isDue()
            }
            if !isOver { usleep(delay) }
        }
        if !isOver {
            child.kill()
            ended.wait()
        }
        self.ending = isOver || killed != nil ? ending : nil
        (output, errors) = (try String(contentsOfFile: names[0], encoding: .utf8), try String(contentsOfFile: names[1], encoding: .utf8))
    }
}
