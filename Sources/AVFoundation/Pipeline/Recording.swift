import CoreMedia
import CoreVideo
import Foundation
import Pipeline

/// One request to record. Used on the queue of its output only.
///
///     waiting ──first frame──► writing ──close──► closed
///        └─────────────────close──────────────────►┘
final class Recording: @unchecked Sendable {
    let url: URL
    /// As they were at the start.
    let connections: [AVCaptureConnection]
    let delegate: any AVCaptureFileOutputRecordingDelegate
    private var phase = Phase.waiting
    /// Where in the file the next frame goes.
    private(set) var duration = CMTime.zero
    /// From the session's time to the file's; nil when the next frame follows the last one whatever its time.
    private var shift: CMTime?

    private enum Phase {
        case waiting
        case writing(any MovieWriter)
        case closed
    }

    init(url: URL, connections: [AVCaptureConnection], delegate: any AVCaptureFileOutputRecordingDelegate) {
        self.connections = connections
        self.url = url
        self.delegate = delegate
    }

    var isClosed: Bool { if case .closed = phase { true } else { false } }

    /// Bytes in the file so far.
    var byteCount: Int64 { if case .writing(let writer) = phase { writer.byteCount } else { 0 } }

    /// Time left out of the file ends with the next frame.
    func leaveGap() { shift = nil }

    /// How long the file would be with a frame of `duration` at `time`.
    func duration(with duration: CMTime, at time: CMTime) -> CMTime { time - (shift ?? time - self.duration) + duration }

    /// Writes a frame; true for the first.
    func append(
        _ picture: CVPixelBuffer, at time: CMTime, duration: CMTime, open: () throws -> any MovieWriter
    ) throws -> Bool {
        let isFirst: Bool
        let writer: any MovieWriter
        switch phase {
        case .waiting: (isFirst, writer) = (true, try open())
        case .writing(let open): (isFirst, writer) = (false, open)
        case .closed: return false
        }
        phase = .writing(writer)
        let shift = shift ?? time - self.duration
        self.shift = shift
        try writer.append(picture, at: time - shift)
        self.duration = time - shift + duration
        return isFirst
    }

    /// Ends the file; throws what kept it from being complete, `noDataCaptured` when there is none.
    func close() throws {
        defer { phase = .closed }
        guard case .writing(let writer) = phase else { throw AVError(.noDataCaptured) }
        do {
            try writer.finish()
        } catch {
            writer.cancel()
            throw error
        }
    }

    func cancel() {
        if case .writing(let writer) = phase { writer.cancel() }
        phase = .closed
    }
}
