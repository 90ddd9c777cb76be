internal import CChildProcess
import Foundation
import Synchronization

/// A program run as a child, which ends when this process ends, whatever ends that: return, crash, or a signal, SIGKILL too.
///
/// It leads a process group of its own with all that it starts.
package final class ChildProcess: Sendable {
    /// A program that could not be started.
    package struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
        package let executable: String
        package let underlying: Int32

        package init(executable: String, underlying: Int32) { (self.executable, self.underlying) = (executable, underlying) }

        package var description: String { "\(executable): cannot be started (\(String(cString: strerror(underlying))))" }
    }

    package enum Ending: Sendable, Equatable {
        case exited(Int32)
        case signal(Int32)
    }

    /// The group's number, and that of the process to be told of.
    package let identifier: Int32
    private let state: Mutex<State>

    private struct State {
        var alive: Int32
        var ending: Ending?
    }

    /// Starts a program with three descriptors as its streams, which stay the caller's; `environment` is added to that of this process.
    /// `deathSignal` is what ends it with this process: SIGTERM for one that has something to tidy up.
    package init(
        _ executable: String, _ arguments: [String], environment: [String: String] = [:], input: Int32, output: Int32, errors: Int32,
        deathSignal: Int32 = SIGKILL
    ) throws(Failure) {
        let words = ([executable] + arguments).map { strdup($0) } + [nil]
        let merged = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let variables = merged.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var (guardian, alive) = (Int32(0), Int32(-1))
        let failure = executable.withCString { path in
            words.withUnsafeBufferPointer { words in
                variables.withUnsafeBufferPointer { variables in
                    var request = child_process_request(
                        path: path, arguments: words.baseAddress, environment: variables.baseAddress, input: input, output: output, errors: errors,
                        death_signal: deathSignal)
                    return child_process_start(&request, &guardian, &alive)
                }
            }
        }
        guard failure == 0 else { throw Failure(executable: executable, underlying: failure) }
        identifier = guardian
        state = Mutex(State(alive: alive))
    }

    deinit {
        kill()
        _ = wait()
    }

    /// Waits for the end.
    @discardableResult package func wait() -> Ending {
        var information = siginfo_t()
        // Without reaping, so that `kill` never meets another process of the same number.
        while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return state.withLock { state in
            if let ending = state.ending { return ending }
            var status: Int32 = 0
            while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
            close(state.alive)
            let ending = status & 0x7f == 0 ? Ending.exited(status >> 8 & 0xff) : .signal(status & 0x7f)
            if ending == .signal(SIGKILL) { waitForGroup() }
            state.ending = ending
            return ending
        }
    }

    /// Waits for those who were killed along with the process that is told of: each lets go of its files and locks in its own time. 2 s at most.
    private func waitForGroup() {
        for _ in 0..<2000 where Foundation.kill(-identifier, 0) == 0 { usleep(1000) }
    }

    /// Ends it and all that it has started; harmless when it has ended.
    package func kill() {
        state.withLock { state in
            if state.ending == nil { _ = Foundation.kill(-identifier, SIGKILL) }
        }
    }

    /// The program of this process.
    package static var runningProgram: URL { URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath() }

    /// One of the two streams that a program writes to.
    package enum Stream { case output, errors }

    /// Runs a program to its end, with nothing to read, and gives what it wrote to one stream; the other goes nowhere.
    package static func finished(_ executable: String, _ arguments: [String], reading stream: Stream) throws -> (text: String, exitCode: Int32) {
        guard let nowhere = FileHandle(forUpdatingAtPath: "/dev/null") else { throw Failure(executable: "/dev/null", underlying: errno) }
        let (pipe, other) = (Pipe(), nowhere.fileDescriptor)
        let written = pipe.fileHandleForWriting
        let child = try ChildProcess(
            executable, arguments, input: other, output: stream == .output ? written.fileDescriptor : other,
            errors: stream == .errors ? written.fileDescriptor : other)
        try written.close()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        switch child.wait() {
        case .exited(let code): return (text, code)
        case .signal(let number): return (text, 128 + number)
        }
    }
}
