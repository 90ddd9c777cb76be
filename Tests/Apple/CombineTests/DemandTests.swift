import Combine
import Testing

@Suite("Demand")
struct DemandTests {
    typealias Subject = PassthroughSubject<Int, Fault>
    /// Operators that hand every value on, each with its own subscription.
    static let operators: [(String, @Sendable (Subject) -> AnyPublisher<Int, Fault>)] = [
        ("map", { $0.map { $0 }.eraseToAnyPublisher() }),
        ("tryMap", { $0.tryMap { $0 }.mapError { _ in Fault() }.eraseToAnyPublisher() }),
        ("compactMap", { $0.compactMap { $0 }.eraseToAnyPublisher() }),
        ("filter", { $0.filter { _ in true }.eraseToAnyPublisher() }),
        ("removeDuplicates", { $0.removeDuplicates().eraseToAnyPublisher() }),
        ("dropFirst(0)", { $0.dropFirst(0).eraseToAnyPublisher() }),
        ("scan", { $0.scan(0) { $1 }.eraseToAnyPublisher() }),
        ("handleEvents", { $0.handleEvents().eraseToAnyPublisher() }),
        ("receive(on:)", { $0.receive(on: ImmediateScheduler.shared).eraseToAnyPublisher() }),
        ("debounce", { $0.debounce(for: 0, scheduler: ImmediateScheduler.shared).eraseToAnyPublisher() }),
        ("throttle", { $0.throttle(for: 0, scheduler: ImmediateScheduler.shared, latest: true).eraseToAnyPublisher() }),
        ("combineLatest", { $0.combineLatest(Just(0).setFailureType(to: Fault.self)) { value, _ in value }.eraseToAnyPublisher() }),
    ]

    @Test("is never exceeded, and adds up", arguments: operators.map(\.0))
    func limit(name: String) throws {
        let (subject, probe) = (Subject(), Probe<Int, Fault>(.max(2)))
        try #require(Self.operators.first { $0.0 == name }).1(subject).subscribe(probe)
        for value in 1...4 { subject.send(value) }
        #expect(probe.values == [1, 2])
        probe.subscription?.request(.max(1))
        for value in 5...6 { subject.send(value) }
        #expect(probe.values == [1, 2, 5])
    }

    @Test("ends with cancellation, whoever sends on", arguments: operators.map(\.0))
    func cancellation(name: String) throws {
        let (subject, probe) = (Subject(), Probe<Int, Fault>())
        try #require(Self.operators.first { $0.0 == name }).1(subject).subscribe(probe)
        subject.send(1)
        probe.subscription?.cancel()
        subject.send(2)
        subject.send(completion: .finished)
        #expect(probe.values == [1] && probe.completion == nil)
    }

    @Test("outlives nothing: an error comes once and last", arguments: operators.map(\.0))
    func failure(name: String) throws {
        let (subject, probe) = (Subject(), Probe<Int, Fault>())
        try #require(Self.operators.first { $0.0 == name }).1(subject).subscribe(probe)
        subject.send(1)
        subject.send(completion: .failure(Fault()))
        subject.send(2)
        #expect(probe.values == [1] && probe.completion == .failure(Fault()))
    }

    @Test("a value that a filter leaves out is asked for again")
    func leftOut() {
        let probe = Probe<Int, Never>(.max(2))
        (1...9).publisher.filter { $0.isMultiple(of: 3) }.subscribe(probe)
        #expect(probe.values == [3, 6] && probe.completion == nil)
        probe.subscription?.request(.max(1))
        #expect(probe.values == [3, 6, 9] && probe.completion == .finished)
    }

    @Test("a value's answer adds to it")
    func answers() {
        let probe = Probe<Int, Never>(.max(1), more: .max(1))
        (1...5).publisher.subscribe(probe)
        #expect(probe.values == [1, 2, 3, 4, 5] && probe.completion == .finished)
    }

    @Test("of none is not met; a subject with a value keeps the newest, one without loses it")
    func subjects() {
        let (current, passing) = (CurrentValueSubject<Int, Never>(0), PassthroughSubject<Int, Never>())
        let (late, lost) = (Probe<Int, Never>(.none), Probe<Int, Never>(.none))
        current.subscribe(late)
        passing.subscribe(lost)
        for value in 1...3 {
            current.send(value)
            passing.send(value)
        }
        late.subscription?.request(.max(1))
        lost.subscription?.request(.max(1))
        #expect(late.values == [3] && lost.values.isEmpty && current.value == 3)
        passing.send(4)
        #expect(lost.values == [4])
    }

    @Test("merged, each publisher's next value waits for it")
    func merged() {
        let probe = Probe<Int, Never>(.max(1))
        [1, 2].publisher.merge(with: [11, 12].publisher).subscribe(probe)
        #expect(probe.values == [1] && probe.completion == nil)
        probe.subscription?.request(.max(2))
        #expect(probe.values.count == 3 && probe.completion == nil)
        probe.subscription?.request(.unlimited)
        #expect(Set(probe.values) == [1, 2, 11, 12] && probe.completion == .finished)
    }

    @Test("merged by name, three and four publishers bring all of their values")
    func mergedByName() {
        let three = Probe<Int, Never>()
        Publishers.Merge3(Just(1), [2, 3].publisher, Just(4)).subscribe(three)
        #expect(three.values == [1, 2, 3, 4] && three.completion == .finished)
        let four = Probe<Int, Never>()
        Publishers.Merge4(Just(1), Just(2), Empty<Int, Never>(), Just(3)).subscribe(four)
        #expect(four.values == [1, 2, 3])
        let two: Publishers.Merge<Just<Int>, Just<Int>> = Just(1).merge(with: Just(2))
        let both = Probe<Int, Never>()
        two.subscribe(both)
        #expect(both.values == [1, 2])
    }

    @Test("merged, publishers that come after the end are let go")
    func mergedAfterTheEnd() {
        let first = Probe<Int, Never>()
        Just(1).merge(with: Just(2)).first().subscribe(first)
        #expect(first.values == [1] && first.completion == .finished)
        let failed = Probe<Int, Fault>()
        Fail<Int, Fault>(error: Fault()).merge(with: Just(1).setFailureType(to: Fault.self)).subscribe(failed)
        #expect(failed.values.isEmpty && failed.completion == .failure(Fault()))
    }

    @Test("is arithmetic with unlimited on top")
    func arithmetic() {
        typealias Demand = Subscribers.Demand
        #expect(Demand.max(2) + .max(3) == 5 && Demand.max(2) - .max(3) == .none && Demand.unlimited - .max(1) == .unlimited)
        #expect(Demand.max(.max) + 1 == .unlimited && Demand.max(9) < .unlimited && !(Demand.unlimited < .unlimited))
        #expect("\(Demand.max(2)) \(Demand.unlimited)" == "max(2) unlimited")
    }
}
