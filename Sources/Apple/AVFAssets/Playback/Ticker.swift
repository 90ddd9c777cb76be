import AVFCapture
import Dispatch

/// Call every hundredth of a second by the machine's clock, as long as somebody holds it.
final class Ticker: @unchecked Sendable {
    private let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "AVPlayer"))

    init(_ tick: @escaping @Sendable () -> Void) {
        timer.schedule(deadline: .now(), repeating: .milliseconds(10))
        timer.setEventHandler(handler: tick)
        timer.resume()
    }

    deinit { timer.cancel() }
}
