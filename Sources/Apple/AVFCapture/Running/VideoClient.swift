import CoreMedia
import CoreVideo
import Foundation

/// Model of a video delegate's delay: decides which frames reach it and which are dropped.
struct VideoClient: Sendable {
    /// Frames that may wait behind the one in the callback, where late frames are kept.
    static let queueDepth = 5
    /// Times at which the client will be done with each frame it was handed, by the clock of the frames.
    private var ends: [CMTime] = []
    private var lent: [Loan] = []

    /// Begins another run, whose time may begin anew: the client is idle. It keeps the buffers it holds.
    mutating func beginRun() { ends = [] }

    private struct Loan: Sendable {
        weak var buffer: CVPixelBuffer?
    }

    /// Reason why the frame at `time` cannot be delivered; nil when it can. `waiting`: frames handed over that the client is not done with.
    mutating func refusal(
        at time: CMTime, waiting: Int, discardsLate: Bool, limit: Int?
    ) -> AVCaptureOutput.DataDroppedReason? {
        ends.removeAll { $0 <= time }
        if ends.count + waiting > (discardsLate ? 0 : Self.queueDepth) { return .lateData }
        lent.removeAll { $0.buffer == nil }
        if let limit, lent.count >= limit { return .outOfBuffers }
        return nil
    }

    /// Lends `buffer` to the client, which is busy with it for `cost`, after all it has to do before.
    mutating func take(_ buffer: CVPixelBuffer, at time: CMTime, cost: CMTime?) {
        lent.append(Loan(buffer: buffer))
        if let cost, cost > .zero { ends.append(max(time, ends.last ?? time) + cost) }
    }
}

extension AVCaptureOutput.DataDroppedReason {
    /// Reason as the attachment of the dropped sample.
    var attachment: CFString {
        switch self {
        case .outOfBuffers: kCMSampleBufferDroppedFrameReason_OutOfBuffers
        case .discontinuity: kCMSampleBufferDroppedFrameReason_Discontinuity
        case .lateData, .none: kCMSampleBufferDroppedFrameReason_FrameWasLate
        }
    }
}
