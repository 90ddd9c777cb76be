import Combine
import Foundation
import Testing

@Suite("Publishers of publishers")
struct FlatteningTests {
    private func all<P: Publisher>(_ publisher: P) -> [P.Output] {
        let probe = Probe<P.Output, P.Failure>()
        publisher.subscribe(probe)
        return probe.values
    }

    @Test("flatMap joins values, ends with the last publisher and hands on an error")
    func flatMap() {
        #expect(all((1...3).publisher.flatMap { [$0, 10 * $0].publisher }) == [1, 10, 2, 20, 3, 30])
        let (a, b, source) = (PassthroughSubject<Int, Fault>(), PassthroughSubject<Int, Fault>(), PassthroughSubject<Int, Fault>())
        let probe = Probe<Int, Fault>()
        source.flatMap { $0 == 0 ? a : b }.subscribe(probe)
        source.send(0)
        source.send(1)
        source.send(completion: .finished)
        a.send(1)
        b.send(2)
        a.send(completion: .finished)
        b.send(3)
        #expect(probe.values == [1, 2, 3] && probe.completion == nil)
        b.send(completion: .failure(Fault()))
        #expect(probe.completion == .failure(Fault()))
    }

    @Test("flatMap takes as many publishers as it is told, and one value of each that nobody asked for")
    func limits() throws {
        var begun: [Int] = []
        let probe = Probe<Int, Never>(.none)
        (1...3).publisher.flatMap(maxPublishers: .max(1)) { number in
            begun.append(number)
            return [number, 10 * number].publisher
        }
        .subscribe(probe)
        #expect(begun == [1] && probe.values.isEmpty)
        try #require(probe.subscription).request(.max(3))
        // The second has ended, and its last value waits.
        #expect(probe.values == [1, 10, 2] && begun == [1, 2, 3] && probe.completion == nil)
        probe.subscription?.request(.unlimited)
        #expect(probe.values == [1, 10, 2, 20, 3, 30] && probe.completion == .finished)
    }

    @Test("switchToLatest cancels the publisher before")
    func latest() {
        let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let (source, probe) = (PassthroughSubject<AnyPublisher<Int, Never>, Never>(), Probe<Int, Never>())
        var isCancelled = false
        source.switchToLatest().subscribe(probe)
        source.send(a.handleEvents(receiveCancel: { isCancelled = true }).eraseToAnyPublisher())
        a.send(1)
        source.send(b.eraseToAnyPublisher())
        a.send(2)
        b.send(3)
        source.send(completion: .finished)
        #expect(probe.values == [1, 3] && isCancelled && probe.completion == nil)
        b.send(completion: .finished)
        #expect(probe.completion == .finished)
    }

    @Test("append and prepend keep the demand across publishers")
    func succession() throws {
        #expect(all([2, 3].publisher.prepend(1).append([4, 5]).append(Just(6))) == [1, 2, 3, 4, 5, 6])
        let probe = Probe<Int, Never>(.max(2))
        Just(1).append(2, 3).subscribe(probe)
        #expect(probe.values == [1, 2] && probe.completion == nil)
        try #require(probe.subscription).request(.max(1))
        #expect(probe.values == [1, 2, 3] && probe.completion == .finished)
        let failed = Probe<Int, Fault>()
        Fail<Int, Fault>(error: Fault()).append(1).subscribe(failed)
        #expect(failed.values.isEmpty && failed.completion == .failure(Fault()))
    }

    @Test("catch goes on with another publisher, retry with the same")
    func errors() {
        var attempts = 0
        let broken = Deferred { () -> AnyPublisher<Int, Fault> in
            attempts += 1
            return Just(attempts).setFailureType(to: Fault.self).append(Fail(error: Fault())).eraseToAnyPublisher()
        }
        #expect(all(broken.catch { _ in Just(9) }) == [1, 9])
        let probe = Probe<Int, Fault>()
        broken.retry(2).subscribe(probe)
        #expect(probe.values == [2, 3, 4] && probe.completion == .failure(Fault()) && attempts == 4)
    }

    @Test("share has one subscription for all, until the last leaves, and begins anew")
    func share() {
        let subject = PassthroughSubject<Int, Never>()
        var (begun, cancelled) = (0, 0)
        let shared = subject.handleEvents(receiveSubscription: { _ in begun += 1 }, receiveCancel: { cancelled += 1 }).share()
        var values: [[Int]] = [[], []]
        let first = shared.sink { values[0].append($0) }
        subject.send(1)
        let second = shared.sink { values[1].append($0) }
        subject.send(2)
        first.cancel()
        subject.send(3)
        #expect(values == [[1, 2], [2, 3]] && begun == 1 && cancelled == 0)
        second.cancel()
        #expect(cancelled == 1)
        let third = shared.sink { values[0].append($0) }
        subject.send(4)
        #expect(values[0] == [1, 2, 4] && begun == 2)
        third.cancel()
    }

    @Test("collect, reduce and last wait for the end; prefix makes it")
    func collection() {
        #expect(all((1...3).publisher.collect()) == [[1, 2, 3]] && all((1...3).publisher.reduce(0, +)) == [6])
        let failing = Fail<Int, Fault>(error: Fault()).collect()
        let collected = Probe<[Int], Fault>()
        failing.subscribe(collected)
        #expect(collected.values.isEmpty && all(Empty<Int, Never>().collect()) == [[]])
        #expect(all((1...3).publisher.last()) == [3] && all(Empty<Int, Never>().last()).isEmpty)
        let subject = PassthroughSubject<Int, Never>()
        let probe = Probe<Int, Never>()
        subject.prefix(2).subscribe(probe)
        for value in 1...3 { subject.send(value) }
        #expect(probe.values == [1, 2] && probe.completion == .finished)
        #expect(all(subject.prefix(0)).isEmpty)
    }

    @Test("a timer gives dates on its run loop until it is cancelled")
    func timer() {
        var dates: [Date] = []
        let timer = Timer.publish(every: 0.001, on: .current, in: .default).autoconnect()
        let activity = timer.prefix(3).sink { dates.append($0) }
        let end = Date(timeIntervalSinceNow: 300)
        while dates.count < 3, Date() < end { _ = RunLoop.current.run(mode: .default, before: end) }
        #expect(dates.count == 3 && dates == dates.sorted())
        activity.cancel()
    }
}
