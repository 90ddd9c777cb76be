import CoreMedia
import Foundation
import Synchronization

extension AVCaptureDevice {
    /// Format of the depth maps beside the pictures; nil without depth. Nil sets the active format's first. Observable.
    /// Raises without the lock, and for a format that is not in `activeFormat.supportedDepthDataFormats`.
    public var activeDepthDataFormat: Format? {
        get { state.withLock { $0.activeDepthFormat } }
        set {
            let selector = "setActiveDepthDataFormat:"
            guard requiresLock(selector) else { return }
            if let newValue, !activeFormat.supportedDepthDataFormats.contains(where: { $0 === newValue }) {
                return environment.raise(
                    .invalidArgument, "-[AVCaptureDevice \(selector)]",
                    "The passed format is not supported - use activeFormat.supportedDepthDataFormats")
            }
            change { $0.depthFormat = newValue }
        }
    }
}

extension AVCaptureDevice {
    /// Least distance of two depth maps; invalid where the camera has no depth: maps come with the pictures. A write is checked, and without effect.
    public var activeDepthDataMinFrameDuration: CMTime {
        get { activeDepthDataFormat == nil ? .invalid : activeVideoMinFrameDuration }
        set { _ = requiresLock("setActiveDepthDataMinFrameDuration:") }
    }
}

extension AVCaptureDevice.State {
    var activeDepthFormat: AVCaptureDevice.Format? { depthFormat ?? activeFormat.supportedDepthDataFormats.first }
}
