import Foundation
import RackfocusKit
import ScenarioResults
import Support
import Synchronization

/// Runs scenarios in other processes, one at a time in each, so that whatever ends such a process ends one scenario alone.
struct WorkerPool {
    /// End of a scenario.
    enum Ending: Sendable {
        /// Its result lies in its directory.
        case done
        /// Its process is gone: by which signal or exit code, and what it wrote last.
        case crashed(String)
        /// Its process was ended, as it took too long.
        case late
        /// The results cannot be written, as the message says.
        case stopped(ExitCode, String)
    }

    private final class State: Sendable {
        let next = Atomic(0)
        let endings = Mutex([Int: Ending]())
    }

    /// Of the workers.
    let arguments: [String]
    let count: Int
    /// Seconds a scenario may take, reading and drawing included.
    let timeLimit: Double

    /// Calls `body` for each item, in order, as soon as it and all before it are over.
    func run(_ items: [TestPlan.Item], _ body: (TestPlan.Item, Ending) throws -> Void) throws {
        let state = State()
        let (ended, threads) = (DispatchSemaphore(value: 0), DispatchGroup())
        for _ in 0..<min(count, items.count) {
            threads.enter()
            Thread.detach(named: "worker") {
                var worker: Worker?
                while true {
                    let index = state.next.add(1, ordering: .relaxed).oldValue
                    guard index < items.count else { break }
                    let ending = run(items[index], &worker)
                    state.endings.withLock { $0[index] = ending }
                    ended.signal()
                }
                worker?.finish()
                threads.leave()
            }
        }
        // The threads end with the items; after an error no more are begun.
        defer {
            state.next.store(items.count, ordering: .relaxed)
            threads.wait()
        }
        for (index, item) in items.enumerated() {
            var ending = state.endings.withLock { $0.removeValue(forKey: index) }
            while ending == nil {
                ended.wait()
                ending = state.endings.withLock { $0.removeValue(forKey: index) }
            }
            if let ending { try body(item, ending) }
        }
    }

    /// Runs one item in `worker`, or in a new one, which is kept unless it ended.
    private func run(_ item: TestPlan.Item, _ worker: inout Worker?) -> Ending {
        let current: Worker
        do { current = try worker ?? Worker(arguments) } catch {
            // Nor will there be one for the next scenario.
            return .stopped(.deviceMissing, "no worker process can be started: \(error)")
        }
        do {
            let ending = try current.run(item, timeLimit: timeLimit)
            if case .done = ending { worker = current } else { worker = nil }
            return ending
        } catch {
            worker = nil
            return .crashed("\(error)")
        }
    }
}

/// One process of a pool, and what is said to it and by it.
private final class Worker {
    private let child: ChildProcess
    /// Both ways: items to it, a line for each from it.
    private let socket: Int32
    private let errors: Int32
    private var lastLine = ""
    private var partOfLine: [UInt8] = []

    init(_ arguments: [String]) throws {
        var (sockets, pipes) = ([Int32](repeating: -1, count: 2), [Int32](repeating: -1, count: 2))
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &sockets) == 0, pipe(&pipes) == 0 else {
            let failure = ChildProcess.Failure(executable: ToolProcess.path, underlying: errno)
            for socket in sockets where socket >= 0 { close(socket) }
            throw failure
        }
        defer {
            close(sockets[1])
            close(pipes[1])
        }
        // A crash is told in one line; whoever wants more sets the variable.
        let isSet = ProcessInfo.processInfo.environment["SWIFT_BACKTRACE"] != nil
        child = try ChildProcess(
            ToolProcess.path, ["test", "--worker"] + arguments, environment: isSet ? [:] : ["SWIFT_BACKTRACE": "enable=no"], input: sockets[1],
            output: sockets[1], errors: pipes[1], deathSignal: SIGTERM)
        (socket, errors) = (sockets[0], pipes[0])
    }

    deinit {
        close(socket)
        close(errors)
    }

    /// Lets it end, as there is nothing more to run.
    func finish() {
        shutdown(socket, Int32(SHUT_WR))
        while receive(until: nil) != .ended {}
        child.wait()
    }

    func run(_ item: TestPlan.Item, timeLimit: Double) throws -> WorkerPool.Ending {
        lastLine = ""
        let request = try JSONEncoder().encode(item) + [UInt8(ascii: "\n")]
        let deadline = ContinuousClock.now + .seconds(timeLimit + 1)
        // To one that is gone nothing can be sent; what it ended of comes out below.
        request.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = send(socket, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
                if count < 0, errno != EINTR { break }
                sent += max(count, 0)
            }
        }
        while true {
            switch receive(until: deadline) {
            case .answer: return .done
            case .nothing: continue
            case .late:
                child.kill()
                child.wait()
                return .late
            case .ended: return ending(of: child.wait())
            }
        }
    }

    private func ending(of ending: ChildProcess.Ending) -> WorkerPool.Ending {
        let last = lastLine.isEmpty ? "" : ": \(lastLine)"
        switch ending {
        case .signal(let number): return .crashed("its process ended by signal \(number) (\(String(cString: strsignal(number))))\(last)")
        case .exited(let code):
            if let code = ExitCode(rawValue: code), [.cannotCreate, .outputFailed].contains(code) {
                return .stopped(code, String(lastLine.trimmingPrefix("rackfocus: ")))
            }
            return .crashed("its process ended with exit code \(code)\(last)")
        }
    }

    private enum Event { case answer, nothing, late, ended }

    /// Waits for what comes next; what goes to standard error is passed on, and its last line kept.
    private func receive(until deadline: ContinuousClock.Instant?) -> Event {
        let left = deadline.map { max(0, min(Double(Int32.max), ((($0 - .now) / .milliseconds(1)).rounded(.up)))) }
        var polled = [pollfd(fd: errors, events: Int16(POLLIN), revents: 0), pollfd(fd: socket, events: Int16(POLLIN), revents: 0)]
        let count = poll(&polled, 2, left.map { Int32($0) } ?? -1)
        if count == 0 { return .late }
        guard count > 0 else { return .nothing }
        var bytes = [UInt8](repeating: 0, count: 4096)
        if polled[0].revents != 0 {
            let read = Foundation.read(errors, &bytes, bytes.count)
            if read > 0 {
                take(bytes[..<read])
                return .nothing
            }
            // Its end of the pipe is closed: it is gone, or about to be.
            if polled[1].revents == 0 { return read == 0 ? .ended : .nothing }
        }
        let read = Foundation.read(socket, &bytes, bytes.count)
        if read < 0 { return errno == EINTR ? .nothing : .ended }
        return read == 0 ? .ended : .answer
    }

    private func take(_ bytes: ArraySlice<UInt8>) {
        partOfLine += bytes
        while let end = partOfLine.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: partOfLine[..<end], as: UTF8.self)
            partOfLine.removeSubrange(...end)
            StandardError.print(line)
            if !line.allSatisfy(\.isWhitespace) { lastLine = line }
        }
        if partOfLine.count > 1 << 16 { partOfLine.removeFirst(1 << 15) }
    }
}
