import AVFCapture
import Synchronization

/// Capture client whose video delegate sleeps over every frame.
final class SlowClient: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
    struct Seen: Sendable {
        var got = 0
        /// Number of dropped frames by Core Media's name of the reason.
        var lost: [String: Int] = [:]
    }

    private let seconds: Double
    private let state = Mutex(Seen())

    init(seconds: Double) { self.seconds = seconds }

    var seen: Seen { state.withLock { $0 } }

    func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        Thread.sleep(forTimeInterval: seconds)
        state.withLock { $0.got += 1 }
    }

    func captureOutput(_ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        let reason = CMGetAttachment(sampleBuffer, key: kCMSampleBufferAttachmentKey_DroppedFrameReason, attachmentModeOut: nil)
        state.withLock { $0.lost[reason as? String ?? "no reason", default: 0] += 1 }
    }
}
