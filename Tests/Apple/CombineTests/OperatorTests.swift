import Combine
import Dispatch
import Foundation
import Testing

@Suite("Operators")
struct OperatorTests {
    private func all<P: Publisher>(_ publisher: P) -> [P.Output] {
        let probe = Probe<P.Output, P.Failure>()
        publisher.subscribe(probe)
        return probe.values
    }

    @Test("change and choose values")
    func values() {
        #expect(all(["1", "x", "3"].publisher.compactMap(Int.init).map { $0 * 2 }) == [2, 6])
        #expect(all([1, 1, 2, 2, 1].publisher.removeDuplicates()) == [1, 2, 1])
        #expect(all((1...4).publisher.scan(0, +).dropFirst()) == [3, 6, 10])
        #expect(all((1...4).publisher.first { $0 > 2 }) == [3] && all((1...4).publisher.first()) == [1])
        #expect(all(["a", "bc"].publisher.map(\.count)) == [1, 2] && all([1, nil].publisher.replaceNil(with: 0)) == [1, 0])
    }

    @Test("first ends its source")
    func first() {
        let (subject, probe) = (PassthroughSubject<Int, Never>(), Probe<Int, Never>())
        var isCancelled = false
        subject.handleEvents(receiveCancel: { isCancelled = true }).first().subscribe(probe)
        subject.send(1)
        subject.send(2)
        #expect(probe.values == [1] && probe.completion == .finished && isCancelled)
    }

    @Test("print writes what passes, a line each")
    func printing() {
        let (subject, probe, text) = (PassthroughSubject<Int, Fault>(), Probe<Int, Fault>(.max(2)), Lines())
        subject.print("seen", to: text).subscribe(probe)
        subject.send(1)
        subject.send(completion: .failure(Fault()))
        let second = PassthroughSubject<Int, Fault>()
        second.print(to: text).sink(receiveCompletion: { _ in }, receiveValue: { _ in }).cancel()
        let lines = text.all.split(separator: "\n")
        #expect(lines.first?.hasPrefix("seen: receive subscription: (") == true)
        #expect(Array(lines[1...3]) == ["seen: request max: (2)", "seen: receive value: (1)", "seen: receive error: (Fault())"])
        #expect(lines.count == 7 && Array(lines[5...6]) == ["request unlimited", "receive cancel"])
        #expect(probe.values == [1])
    }

    private final class Lines: TextOutputStream {
        private(set) var all = ""
        func write(_ string: String) { all += string }
    }

    @Test("catch errors, give and change their types")
    func errors() {
        let broken = (1...3).publisher.tryMap { value in
            guard value < 3 else { throw Fault() }
            return value
        }
        #expect(all(broken.replaceError(with: 9)) == [1, 2, 9])
        let probe = Probe<Int, Fault>()
        Fail<Int, Fault>(error: Fault()).subscribe(probe)
        #expect(probe.completion == .failure(Fault()))
        let none = Probe<Int, Fault>()
        Empty<Int, Never>().setFailureType(to: Fault.self).subscribe(none)
        #expect(none.completion == .finished && none.values.isEmpty)
    }

    @Test("join the newest values, from when all have one")
    func latest() {
        let (a, b, c) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<Int, Never>(10), PassthroughSubject<String, Never>())
        let probe = Probe<String, Never>()
        a.combineLatest(b, c).map { "\($0) \($1) \($2)" }.subscribe(probe)
        a.send(1)
        c.send("x")
        b.send(20)
        a.send(completion: .finished)
        b.send(completion: .finished)
        c.send("y")
        #expect(probe.values == ["1 10 x", "1 20 x", "1 20 y"] && probe.completion == nil)
        c.send(completion: .finished)
        #expect(probe.completion == .finished)
    }

    @Test("pair values in their order, and end with the shorter source")
    func zipped() {
        let probe = Probe<String, Never>()
        (1...3).publisher.zip(["a", "b"].publisher).map { "\($0)\($1)" }.subscribe(probe)
        #expect(probe.values == ["1a", "2b"] && probe.completion == .finished)
    }

    @Test("a future works once, for every subscriber")
    func future() {
        var count = 0
        let future = Future<Int, Never> { promise in
            count += 1
            promise(.success(7))
            promise(.success(8))
        }
        #expect(all(future) == [7] && all(future) == [7] && count == 1)
        #expect(all(Deferred { Just(1) }) == [1])
    }

    @Test("hand on in order, on the queue that was named")
    func queues() async {
        let queue = DispatchQueue(label: "values")
        let subject = PassthroughSubject<Int, Never>()
        let values = subject.receive(on: queue).map { value in
            dispatchPrecondition(condition: .onQueue(queue))
            return value
        }
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let token = values.sink(receiveCompletion: { _ in continuation.finish() }, receiveValue: { continuation.yield($0) })
        for value in 1...50 { subject.send(value) }
        subject.send(completion: .finished)
        var heard: [Int] = []
        for await value in stream { heard.append(value) }
        #expect(heard == Array(1...50))
        token.cancel()
    }

    @Test("subscribe on a scheduler, before which nothing is heard, and cancel there")
    func subscribing() {
        let clock = ManualScheduler()
        let (subject, probe) = (PassthroughSubject<Int, Never>(), Probe<Int, Never>())
        subject.subscribe(on: clock).subscribe(probe)
        subject.send(1)
        clock.advance(by: 1)
        subject.send(2)
        #expect(probe.values == [2])
        var heard: [Int] = []
        let token = subject.subscribe(on: clock).sink { heard.append($0) }
        clock.advance(by: 1)
        subject.send(3)
        token.cancel()
        subject.send(4)
        #expect(heard == [3])
        let late = subject.subscribe(on: clock).sink { heard.append($0) }
        late.cancel()
        clock.advance(by: 1)
        subject.send(5)
        #expect(heard == [3] && probe.values == [2, 3, 4, 5])
    }

    @Test("come on an operation queue, in order where it takes one at a time")
    func operations() async {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let subject = PassthroughSubject<Int, Never>()
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let values = subject.receive(on: queue).map { OperationQueue.current === queue ? $0 : -1 }
        let token = values.sink(receiveCompletion: { _ in continuation.finish() }, receiveValue: { continuation.yield($0) })
        for value in 1...50 { subject.send(value) }
        subject.send(completion: .finished)
        var heard: [Int] = []
        for await value in stream { heard.append(value) }
        #expect(heard == Array(1...50))
        token.cancel()
        // Each value has a timer of its own, and so has the end.
        let (late, lateEnd) = AsyncStream<Int>.makeStream()
        let delayed = (1...500).publisher.delay(for: .milliseconds(1), scheduler: queue)
            .sink(receiveCompletion: { _ in lateEnd.finish() }, receiveValue: { lateEnd.yield($0) })
        heard = []
        for await value in late { heard.append(value) }
        #expect(heard == Array(1...500))
        delayed.cancel()
    }

    @Test("wait for a pause, and give one value an interval")
    func time() {
        let clock = ManualScheduler()
        let subject = PassthroughSubject<Int, Never>()
        let (calm, rare, early) = (Probe<Int, Never>(), Probe<Int, Never>(), Probe<Int, Never>())
        subject.debounce(for: .milliseconds(100), scheduler: clock).subscribe(calm)
        subject.throttle(for: .milliseconds(100), scheduler: clock, latest: true).subscribe(rare)
        subject.throttle(for: .milliseconds(100), scheduler: clock, latest: false).subscribe(early)
        for value in 1...5 {
            subject.send(value)
            clock.advance(by: 0.04)
        }
        clock.advance(by: 1)
        #expect(calm.values == [5])
        #expect(rare.values == [1, 3, 5] && early.values == [1, 2, 4])
        subject.send(6)
        subject.send(completion: .finished)
        clock.advance(by: 1)
        // The pause after the last value never came.
        #expect(calm.values == [5] && calm.completion == .finished && rare.values.last == 6 && rare.completion == .finished)
    }

    @Test("come as an asynchronous sequence, which ends with its source")
    func sequence() async throws {
        var heard: [Int] = []
        for await value in (1...3).publisher.values { heard.append(value) }
        #expect(heard == [1, 2, 3])
        await #expect(throws: Fault.self) {
            for try await _ in Fail<Int, Fault>(error: Fault()).values {}
        }
        let waiting = Task { () -> Int? in
            for await value in PassthroughSubject<Int, Never>().values { return value }
            return nil
        }
        waiting.cancel()
        #expect(await waiting.value == nil)
    }

    @Test("bring notifications until they are cancelled")
    func notifications() {
        let (center, name) = (NotificationCenter(), Notification.Name("changed"))
        var heard: [Int?] = []
        let token = center.publisher(for: name).sink { heard.append($0.userInfo?["n"] as? Int) }
        center.post(name: name, object: nil, userInfo: ["n": 1])
        center.post(name: Notification.Name("other"), object: nil)
        token.cancel()
        center.post(name: name, object: nil)
        #expect(heard == [1])
    }
}
