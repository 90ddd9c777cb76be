import CoreVideo
import Synchronization

/// The pictures under way, first come first: the device draws them one after the other.
final class LensQueue: Sendable {
    private let drawings = Mutex<[LensDrawing]>([])
    /// Held while a picture is taken from the device; others may start meanwhile.
    private let taking = Mutex<Void>(())

    func append(_ drawing: LensDrawing) { drawings.withLock { $0.append(drawing) } }

    /// The picture of `drawing`, once those ahead of it are done as well.
    func finish(_ drawing: LensDrawing) throws -> CVPixelBuffer {
        try taking.withLock { _ in
            while drawing.result == nil { completeFirst() }
            return try drawing.result!.get()
        }
    }

    /// Returns when fewer than `count` pictures are under way.
    func wait(below count: Int) {
        while isFull(count) { taking.withLock { _ in if isFull(count) { completeFirst() } } }
    }

    private func isFull(_ count: Int) -> Bool { drawings.withLock { $0.count >= count } }

    private func completeFirst() {
        guard let first = drawings.withLock({ $0.first }) else { return }
        first.complete()
        drawings.withLock { _ = $0.removeFirst() }
    }
}
