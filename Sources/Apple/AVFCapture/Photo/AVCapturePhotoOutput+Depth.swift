import Foundation
import Pipeline
import Synchronization

/// Depth maps beside photos.
extension AVCapturePhotoOutput {
    /// Whether photos can bring depth: the active format has it and cinematic capture is off. Observable.
    public var isDepthDataDeliverySupported: Bool {
        guard let input = connections.lazy.flatMap(\.inputPorts).compactMap({ $0.input as? AVCaptureDeviceInput }).first else { return false }
        return input.device.activeDepthDataFormat != nil && !input.isCinematicVideoCaptureEnabled
    }

    /// Whether settings may ask for depth; default false, raises without support, and falls back where support goes. Observable.
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
        /// As observers were notified last.
        var isSupported = false
        var isEnabled = false
    }

    /// Takes note of a configuration that may have changed what is supported.
    func settleDepth() {
        let isSupported = isDepthDataDeliverySupported
        let old = state.withLock { state in
            defer { state.depth = Depth(isSupported: isSupported, isEnabled: state.depth.isEnabled && isSupported) }
            return state.depth
        }
        _observers.changed(\AVCapturePhotoOutput.isDepthDataDeliverySupported, from: old.isSupported, to: isSupported)
        _observers.changed(\AVCapturePhotoOutput.isDepthDataDeliveryEnabled, from: old.isEnabled, to: old.isEnabled && isSupported)
    }

    /// Makes the depth map of a photo: of the active depth format, its pixels as the camera saw them. Nil for a frame without depth.
    func depthData(_ decided: DecidedFrame, through connection: AVCaptureConnection) -> AVDepthData? {
        guard let map = decided.depth else { return nil }
        guard let format = connection.inputPorts.first?.device?.activeDepthDataFormat else { return nil }
        let buffer = DepthConverter.make(map, like: format.formatDescription, rotation: 0, isMirrored: false)
        return AVDepthData(map: buffer, accuracy: map.isMetric ? .absolute : .relative, isFiltered: true, calibration: decided.calibration)
    }
}
