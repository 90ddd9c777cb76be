import AVFCapture
import Foundation
import ScenarioRun
import Stage
import Synchronization

extension TestPhone {
    /// Virtual time since the start.
    public var time: Duration { .nanoseconds(now) }

    /// Delivers `count` frames and returns when the app has had them; without a running session time passes without frames.
    ///
    /// Ahead of each frame, what the app has sent on to its own queues and actors has a turn, as in the time between two frames of a phone.
    public func step(frames count: Int = 1) async {
        for _ in 0..<max(0, count) {
            await Rest.passQueues()
            if let run = witness.run { await stepScenario(run) } else { await stepper.step() }
            passFrame()
        }
    }

    /// Sets the time to that of the frame just delivered.
    private func passFrame() {
        let next = nextFrame + 1
        skip(to: next)
        let time = frameTime(next - 1)
        state.withLock { state in
            state.nextFrame = next
            state.time = max(state.time, time)
        }
    }

    /// Advances virtual time, with every frame that falls into it.
    public func step(for duration: Duration) async { await step(toNanoseconds: now + duration.nanoseconds) }

    /// Advances virtual time to a time since the start; without effect when that has passed.
    public func step(to time: Duration) async { await step(toNanoseconds: time.nanoseconds) }

    func step(toNanoseconds time: Int64) async {
        var count = 0
        let next = nextFrame
        while frameTime(next + count) <= time { count += 1 }
        await step(frames: count)
        state.withLock { $0.time = max($0.time, time) }
    }

    /// Steps frames until `condition` holds; throws `TestFailure` when it does not within `limit` of virtual time.
    ///
    /// Before a session runs, what the app has sent on to its own queues and actors has its turn before any time passes: no frame waits for it. After
    /// `limit` no more frames come, and what the app has sent on to its own queues and actors has its turn. What waits for a timer of the app's own
    /// is not waited for.
    public func until(
        within limit: Duration, isolation: isolated (any Actor)? = #isolation, file: StaticString = #filePath, line: UInt = #line,
        _ condition: () async throws -> Bool
    ) async throws {
        guard try await rest(after: limit, longest: .seconds(1), file, line, condition) != nil else { return }
        throw TestFailure("it did not become true within \(limit), until \(time)\(sessionRemark)", file, line)
    }

    /// The rest that followed `limit` of virtual time and ended, after `longest` of real time at most, before `condition` held; nil where it came to hold.
    private func rest(
        after limit: Duration, longest: Duration, _ file: StaticString, _ line: UInt, isolation: isolated (any Actor)? = #isolation,
        _ condition: () async throws -> Bool
    ) async throws -> Rest? {
        let end = now + limit.nanoseconds
        if try await condition() { return nil }
        if limit > .zero { await awaitStart() }
        while true {
            if try await condition() { return nil }
            try requireAlive(file, line)
            guard frameTime(nextFrame) <= end else { break }
            await step()
        }
        var rest = Rest(longest: longest)
        while await rest.goesOn() {
            try Task.checkCancellation()
            if try await condition() { return nil }
            try requireAlive(file, line)
        }
        return rest
    }

    /// Result of work of the app that frames have to come for, as of an asynchronous capture: steps frames until it is over. Throws its error, and `TestFailure`
    /// where it is not over within `limit` of virtual time, and up to 30 s of real time in which the process goes on computing.
    ///
    ///     let photo = try await phone.result { try await camera.takePhoto() }
    public func result<Value: Sendable>(
        within limit: Duration = .seconds(5), isolation: isolated (any Actor)? = #isolation, file: StaticString = #filePath, line: UInt = #line,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        // Atomic, as optimised code may lock a `Mutex` after an `await` with the thread number of the thread before, which ends the process.
        let isOver = Atomic(false)
        let task = Task {
            defer { isOver.store(true, ordering: .releasing) }
            return try await work()
        }
        defer { task.cancel() }
        if let rest = try await rest(after: limit, longest: .seconds(30), file, line, { isOver.load(ordering: .acquiring) }) {
            let remark = rest.isBusy ? ", and the process computes on after 30 s of real time" : ""
            throw TestFailure("the work was not over within \(limit), until \(time)\(remark)\(sessionRemark)", file, line)
        }
        return try await task.value
    }

    /// Gives what the app has sent on to its own queues and actors its turn until a session runs, or nothing more can come: before one runs no frame
    /// waits for them, and time would pass without them.
    func awaitStart() async {
        var rest = Rest()
        while !stepper.isRunning, !isEnded, await rest.goesOn() {}
    }

    /// Words on a session that does not run; empty while one does.
    var sessionRemark: String { stepper.isRunning ? "" : "; no session is running" }

    /// Presentation time of frame `index`, nanoseconds.
    func frameTime(_ index: Int) -> Int64 { world.presentationTime(of: index).nanoseconds }
}

extension Duration {
    /// Nanoseconds, rounded down.
    var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
