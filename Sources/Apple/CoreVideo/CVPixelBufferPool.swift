import Foundation
import Synchronization

/// Buffers of one size and format whose memory is used again when the last owner lets go.
public final class CVPixelBufferPool: Sendable {
    package let width: Int
    package let height: Int
    package let pixelFormat: OSType
    /// The most buffers out at one time; nil is no limit.
    package let limit: Int?
    private let state = Mutex(State())

    private struct State {
        var idle: [CVBufferStorage] = []
        var lent = 0
    }

    package init(width: Int, height: Int, pixelFormat: OSType, limit: Int? = nil) {
        self.width = width
        self.height = height
        self.pixelFormat = pixelFormat
        self.limit = limit
    }

    /// Takes a buffer with undefined contents; nil when as many as `limit` or `threshold` are out, or for an unknown format.
    package func tryMakeBuffer(threshold: Int? = nil) -> CVPixelBuffer? {
        guard CVBuffer.arrangement(width: width, height: height, pixelFormat: pixelFormat) != nil else { return nil }
        let storage: CVBufferStorage?? = state.withLock {
            if $0.lent >= min(limit ?? .max, threshold ?? .max) { return .none }
            $0.lent += 1
            return .some($0.idle.popLast())
        }
        guard let storage else { return nil }
        return CVBuffer.make(width: width, height: height, pixelFormat: pixelFormat, storage: storage) { [weak self] storage in
            self?.state.withLock {
                $0.lent -= 1
                $0.idle.append(storage)
            }
        }
    }

    /// Frees the idle memory.
    func flush() { state.withLock { $0.idle = [] } }

    /// Takes a buffer with undefined contents. Traps when the pool has a limit and it is reached, or on an unknown format.
    package func makeBuffer() -> CVPixelBuffer {
        guard let buffer = tryMakeBuffer() else {
            preconditionFailure("no pixel buffer \(width)x\(height) in format \(pixelFormat): unknown, or all lent out")
        }
        return buffer
    }
}
