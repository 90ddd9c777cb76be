import Foundation

extension Publishers {
    /// Publisher that writes what passes through it, a line each.
    public struct Print<Upstream: Publisher>: Publisher {
        /// Kind of the values.
        public typealias Output = Upstream.Output
        /// Kind of the failure.
        public typealias Failure = Upstream.Failure
        /// Text in front of each line, with a colon behind it where it is not empty.
        public let prefix: String
        /// Source.
        public let upstream: Upstream
        /// Stream that takes the lines; nil for standard output.
        public let stream: (any TextOutputStream)?

        /// Makes the publisher.
        public init(upstream: Upstream, prefix: String, to stream: (any TextOutputStream)? = nil) {
            self.upstream = upstream
            self.prefix = prefix
            self.stream = stream
        }

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let lines = PrintedLines(prefix, stream)
            upstream.handleEvents(
                receiveSubscription: { lines.write("receive subscription: (\($0))") }, receiveOutput: { lines.write("receive value: (\($0))") },
                receiveCompletion: { completion in
                    switch completion {
                    case .finished: lines.write("receive finished")
                    case .failure(let error): lines.write("receive error: (\(error))")
                    }
                }, receiveCancel: { lines.write("receive cancel") },
                receiveRequest: { demand in lines.write(demand == .unlimited ? "request unlimited" : "request max: (\(demand.max ?? 0))") }
            ).receive(subscriber: subscriber)
        }
    }
}

/// Stream of lines that several threads write to.
private final class PrintedLines: @unchecked Sendable {
    private let lock = NSLock()
    private let prefix: String
    private var stream: (any TextOutputStream)?

    init(_ prefix: String, _ stream: (any TextOutputStream)?) {
        self.prefix = prefix.isEmpty ? "" : prefix + ": "
        self.stream = stream
    }

    func write(_ text: String) {
        lock.lock()
        defer { lock.unlock() }
        if stream == nil { return print(prefix + text) }
        stream?.write(prefix + text + "\n")
    }
}

extension Publisher {
    /// Publishes the same, and writes each subscription, demand, value, end and cancel as a line.
    public func print(_ prefix: String = "", to stream: (any TextOutputStream)? = nil) -> Publishers.Print<Self> {
        Publishers.Print(upstream: self, prefix: prefix, to: stream)
    }
}
