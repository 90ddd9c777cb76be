import AVFoundation

// Cause 1: an actor derived from NSObject, as delegates of a capture session are written.

/// Counts drops on the actor that is the output's delegate.
public actor DropCounter: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate {
    public private(set) var drops = 0

    public override init() {}

    nonisolated public func captureOutput(_ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        Task { await self.count() }
    }

    public func count() { drops += 1 }
}
