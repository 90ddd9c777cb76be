import Foundation
import Synchronization

/// How much a movie is steadied; the pictures of the source stay as they are.
public enum AVCaptureVideoStabilizationMode: Int, Sendable {
    case off = 0
    case standard = 1
    case cinematic = 2
    case cinematicExtended = 3
    case previewOptimized = 4
    case cinematicExtendedEnhanced = 5
    case lowLatency = 6
    case auto = -1
}

/// The way the phone was held, for code from before `videoRotationAngle`.
public enum AVCaptureVideoOrientation: Int, Sendable {
    case portrait = 1
    case portraitUpsideDown = 2
    case landscapeRight = 3
    case landscapeLeft = 4

    var rotationAngle: CGFloat {
        switch self {
        case .portrait: 90
        case .portraitUpsideDown: 270
        case .landscapeRight: 0
        case .landscapeLeft: 180
        }
    }
}

extension AVCaptureConnection {
    public var isVideoStabilizationSupported: Bool { mediaType == .video && output != nil }

    /// What the app would like; `.auto` takes `.standard`. Raises where there is no stabilization.
    public var preferredVideoStabilizationMode: AVCaptureVideoStabilizationMode {
        get { state.withLock { $0.stabilization } }
        set {
            guard isVideoStabilizationSupported else {
                return environment.raise(
                    .invalidArgument, "-[AVCaptureConnection setPreferredVideoStabilizationMode:]",
                    "Not supported - use isVideoStabilizationSupported")
            }
            _observers.change(
                \AVCaptureConnection.activeVideoStabilizationMode, from: activeVideoStabilizationMode, to: activeMode(for: newValue)
            ) {
                state.withLock { $0.stabilization = newValue }
            }
        }
    }

    /// What is in use: the preferred mode where the format has it, else off; never `.auto`. Observable.
    public var activeVideoStabilizationMode: AVCaptureVideoStabilizationMode { activeMode(for: preferredVideoStabilizationMode) }

    private func activeMode(for preferred: AVCaptureVideoStabilizationMode) -> AVCaptureVideoStabilizationMode {
        let mode = preferred == .auto ? .standard : preferred
        guard let format = inputPorts.first?.device?.activeFormat, format.isVideoStabilizationModeSupported(mode) else { return .off }
        return mode
    }

    /// No camera here is calibrated.
    public var isCameraIntrinsicMatrixDeliverySupported: Bool { false }

    /// Raises when it is turned on: it is never supported.
    public var isCameraIntrinsicMatrixDeliveryEnabled: Bool {
        get { false }
        set {
            guard newValue else { return }
            environment.raise(
                .invalidArgument, "-[AVCaptureConnection setCameraIntrinsicMatrixDeliveryEnabled:]",
                "Not supported - use isCameraIntrinsicMatrixDeliverySupported")
        }
    }

    public var isVideoOrientationSupported: Bool { carriesPicture }

    /// `videoRotationAngle` as a word: portrait is 90.
    public var videoOrientation: AVCaptureVideoOrientation {
        get {
            switch videoRotationAngle {
            case 90: .portrait
            case 180: .landscapeLeft
            case 270: .portraitUpsideDown
            default: .landscapeRight
            }
        }
        set { videoRotationAngle = newValue.rotationAngle }
    }
}

extension AVCaptureDevice.Format {
    /// Every mode up to 4K at 30 frames; above that none.
    public func isVideoStabilizationModeSupported(_ videoStabilizationMode: AVCaptureVideoStabilizationMode) -> Bool {
        if videoStabilizationMode == .off { return true }
        return mediaType == .video && profile.width <= 3840 && profile.maxFrameRate <= 30
    }
}
