import Foundation
import Pipeline
import Synchronization

/// A depth map beside the photo.
extension AVCapturePhotoOutput {
    /// Where the active format brings depth and cinematic capture is off. Observable.
    public var isDepthDataDeliverySupported: Bool {
        guard let input = connections.lazy.flatMap(\.inputPorts).compactMap({ $0.input as? AVCaptureDeviceInput }).first else { return false }
        return input.device.activeDepthDataFormat != nil && !input.isCinematicVideoCaptureEnabled
    }

    /// Whether settings may ask for depth; raises where it is not supported, and falls back where support goes. Observable.
    public var isDepthDataDeliveryEnabled: Bool {
        get { state.withLock { $0.depth.isEnabled } && isDepthDataDeliverySupported }
        set {
            guard !newValue || isDepthDataDeliverySupported else {
                return environment.raise(
                    .invalidArgument, "-[AVCapturePhotoOutput setDepthDataDeliveryEnabled:]", "Not supported - use isDepthDataDeliverySupported")
            }
            let old = isDepthDataDeliveryEnabled
            state.withLock { $0.depth.isEnabled = newValue }
            _observers.changed(\AVCapturePhotoOutput.isDepthDataDeliveryEnabled, from: old, to: newValue)
        }
    }

    struct Depth: Sendable {
        /// As observers know it.
        var isSupported = false
        var isEnabled = false
    }

    /// The configuration may have changed what is supported.
    func settleDepth() {
        let isSupported = isDepthDataDeliverySupported
        let old = state.withLock { state in
            defer { state.depth = Depth(isSupported: isSupported, isEnabled: state.depth.isEnabled && isSupported) }
            return state.depth
        }
        _observers.changed(\AVCapturePhotoOutput.isDepthDataDeliverySupported, from: old.isSupported, to: isSupported)
        _observers.changed(\AVCapturePhotoOutput.isDepthDataDeliveryEnabled, from: old.isEnabled, to: old.isEnabled && isSupported)
    }

    /// The map of a frame as a photo brings it: of the active depth format, its pixels as the camera saw them.
    func depthData(_ story: DecidedFrame, through connection: AVCaptureConnection) -> AVDepthData? {
        guard let map = story.depth else { return nil }
        guard let format = connection.inputPorts.first?.device?.activeDepthDataFormat else { return nil }
        let buffer = DepthConverter.make(map, like: format.formatDescription, rotation: 0, isMirrored: false)
        return AVDepthData(map: buffer, accuracy: map.isMetric ? .absolute : .relative, isFiltered: true, calibration: story.calibration)
    }
}
