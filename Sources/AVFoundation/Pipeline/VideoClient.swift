import CoreMedia
import CoreVideo
import Foundation

/// How far a video delegate is behind: decides what reaches it and what is dropped.
struct VideoClient: Sendable {
    /// Frames that may wait behind the one in the callback, where late frames are kept.
    static let queueDepth = 5
    /// When the client will be done with each frame it was handed, by the clock of the frames.
    private var ends: [CMTime] = []
    private var lent: [Loan] = []

    /// Another run, whose time may begin anew: the client is idle. What it holds it still holds.
    mutating func beginRun() { ends = [] }

    private struct Loan: Sendable {
        weak var buffer: CVPixelBuffer?
    }

    /// Why the frame at `time` cannot be delivered; nil when it can. `waiting`: frames handed over that the client has not done with.
    mutating func refusal(
        at time: CMTime, waiting: Int, discardsLate: Bool, limit: Int?
    ) -> AVCaptureOutput.DataDroppedReason? {
        ends.removeAll { $0 <= time }
        if ends.count + waiting > (discardsLate ? 0 : Self.queueDepth) { return .lateData }
        lent.removeAll { $0.buffer == nil }
        if let limit, lent.count >= limit { return .outOfBuffers }
        return nil
    }

    /// The client gets `buffer` and is busy with it for `cost`, after all it has to do before.
    mutating func take(_ buffer: CVPixelBuffer, at time: CMTime, cost: CMTime?) {
        lent.append(Loan(buffer: buffer))
        if let cost, cost > .zero { ends.append(max(time, ends.last ?? time) + cost) }
    }
}

extension AVCaptureOutput.DataDroppedReason {
    /// The same reason as an attachment of the dropped sample says it.
    var attachment: CFString {
        switch self {
        case .outOfBuffers: kCMSampleBufferDroppedFrameReason_OutOfBuffers
        case .discontinuity: kCMSampleBufferDroppedFrameReason_Discontinuity
        case .lateData, .none: kCMSampleBufferDroppedFrameReason_FrameWasLate
        }
    }
}
