import AVFCapture
import Foundation
import ScenarioRun
import Stage
import Synchronization

extension TestPhone {
    /// Virtual time since the start.
    public var time: Duration { .nanoseconds(now) }

    /// Delivers `count` frames and returns when the app has had them; without a running session time passes without frames.
    public func step(frames count: Int = 1) async {
        guard count > 0 else { return }
        guard let run = witness.run else {
            await stepper.step(frames: count)
            return pass(frames: count)
        }
        for _ in 0..<count {
            await stepScenario(run)
            pass(frames: 1)
        }
    }

    /// Sets the time to that of the frames just delivered.
    private func pass(frames count: Int) {
        let next = nextFrame + count
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
        let end = now + limit.nanoseconds
        if try await condition() { return }
        if limit > .zero { await awaitStart() }
        while true {
            if try await condition() { return }
            try requireAlive(file, line)
            guard frameTime(nextFrame) <= end else { break }
            await step()
        }
        var rest = Rest()
        while await rest.goesOn() {
            try Task.checkCancellation()
            if try await condition() { return }
            try requireAlive(file, line)
        }
        throw TestFailure("it did not become true within \(limit), until \(time)\(sessionRemark)", file, line)
    }

    /// Result of work of the app that frames have to come for, as of an asynchronous capture: steps frames until it is over. Throws its error, and `TestFailure`
    /// where it is not over within `limit` of virtual time.
    ///
    ///     let photo = try await phone.result { try await camera.takePhoto() }
    public func result<Value: Sendable>(
        within limit: Duration = .seconds(5), isolation: isolated (any Actor)? = #isolation, file: StaticString = #filePath, line: UInt = #line,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let end = End()
        let task = Task {
            defer { end.isOver.withLock { $0 = true } }
            return try await work()
        }
        defer { task.cancel() }
        try await until(within: limit, file: file, line: line) { end.isOver.withLock { $0 } }
        return try await task.value
    }

    /// End of work that may go on when nobody waits for it any more.
    private final class End: Sendable {
        let isOver = Mutex(false)
    }

    /// Gives what the app has sent on to its own queues and actors its turn until a session runs, or nothing more can come: before one runs no frame
    /// waits for them, and time would pass without them.
    func awaitStart() async {
        var rest = Rest()
        while !stepper.isRunning, await rest.goesOn() {}
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
