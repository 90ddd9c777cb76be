import CoreMedia
import Pipeline
import Synchronization

/// A source at a constant rate: for each time the frame of the original nearest to it, of two the earlier. What it drops and repeats is counted.
final class ConstantRateSource: FrameSource {
    let description: SourceDescription
    private let source: any FrameSource
    private let state = Mutex(State())

    private struct State {
        /// The frame of the original before or at the time asked for, and the one after it.
        var current: Frame?
        var next: Frame?
        /// Time from the frame before `current` to it; nil for the first.
        var interval: CMTime?
        /// Whether `current` was delivered.
        var isShown = false
        /// Frames delivered.
        var count: Int64 = 0
        var read = 0
        var dropped = 0
        var repeated = 0

        mutating func leaveCurrent() {
            if current != nil, !isShown { dropped += 1 }
            isShown = false
        }
    }

    init(_ source: any FrameSource, frameDuration: CMTime) {
        self.source = source
        var description = source.description
        description.frameCount = description.frameCount.map { count in
            Int((Double(count) * description.frameDuration.seconds / frameDuration.seconds).rounded())
        }
        description.frameDuration = frameDuration
        description.end = nil
        self.description = description
    }

    var remarks: [String] {
        let (read, dropped, repeated) = state.withLock { ($0.read, $0.dropped, $0.repeated) }
        guard dropped + repeated > 0 else { return source.remarks }
        let rate = description.frameDuration.rateText
        return source.remarks + ["at \(rate) frames/s, \(dropped) of \(read) frames of the footage are dropped and \(repeated) repeated"]
    }

    func nextFrame() throws -> Frame? {
        try state.withLock { state in
            let time = CMTimeMultiply(description.frameDuration, multiplier: Int32(clamping: state.count))
            if state.current == nil { try read(&state) }
            while let next = state.next, let current = state.current, next.presentationTime - time < time - current.presentationTime {
                try read(&state)
            }
            guard var frame = state.current, state.next != nil || state.count == 0 || isInLength(time, last: frame, state.interval) else {
                state.leaveCurrent()
                (state.current, state.next) = (nil, nil)
                return nil
            }
            if state.isShown { state.repeated += 1 }
            state.isShown = true
            (frame.index, frame.presentationTime) = (Int(state.count), time)
            state.count += 1
            return frame
        }
    }

    /// Steps to the next frame of the original.
    private func read(_ state: inout State) throws {
        state.leaveCurrent()
        let before = state.current?.presentationTime
        for _ in state.read == 0 ? 0..<2 : 0..<1 {
            state.current = state.next
            state.next = try source.nextFrame()
            if state.next != nil { state.read += 1 }
        }
        if let before, let now = state.current?.presentationTime { state.interval = now - before }
    }

    /// Whether at least half of a frame at this time lies before the end of the original's last one, which, where that is not known or told to be ahead of
    /// it, lasts as long as the one before it, and not longer than the average.
    private func isInLength(_ time: CMTime, last: Frame, _ interval: CMTime?) -> Bool {
        let average = source.description.frameDuration
        let told = source.description.end.flatMap { $0 > last.presentationTime ? $0 : nil }
        let end = told ?? last.presentationTime + min(interval ?? average, average)
        return CMTimeMultiply(end - time, multiplier: 2) >= description.frameDuration
    }
}
