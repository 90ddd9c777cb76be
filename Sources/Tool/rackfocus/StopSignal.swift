import Foundation
import Support
import Synchronization

/// Ctrl-C, and a request to terminate: the first asks for an end, the second ends the program at once.
final class StopSignal: Sendable {
    private static let numbers = [SIGINT, SIGTERM]
    private let sources: Mutex<[any DispatchSourceSignal]>

    init(_ stop: @escaping @Sendable () -> Void) {
        let queue = DispatchQueue(label: "rackfocus signals")
        let count = Counter()
        sources = Mutex(
            Self.numbers.map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
                source.setEventHandler {
                    guard count.next() > 1 else {
                        StandardError.print("rackfocus: finishing; Ctrl-C again ends at once")
                        return stop()
                    }
                    UnfinishedOutput.removeAll()
                    signal(number, SIG_DFL)
                    raise(number)
                }
                source.resume()
                return source
            })
    }

    func end() {
        sources.withLock { sources in
            for source in sources { source.cancel() }
            sources = []
        }
        for number in Self.numbers { signal(number, SIG_DFL) }
    }

    private final class Counter: Sendable {
        private let value = Mutex(0)
        func next() -> Int {
            value.withLock { value in
                value += 1
                return value
            }
        }
    }
}
