import CoreMedia
import Foundation
import Synchronization

/// Strength of video stabilization; kept and checked only, the pictures of the source stay as they are.
public enum AVCaptureVideoStabilizationMode: Int, Sendable {
    /// None; the default.
    case off = 0
    /// Light, with a small crop.
    case standard = 1
    /// Stronger, with a larger crop and more delay.
    case cinematic = 2
    /// Stronger than `.cinematic`, with a larger crop still.
    case cinematicExtended = 3
    /// Tuned for previews, with little delay.
    case previewOptimized = 4
    /// The strongest, recommended for movies of cinematic capture.
    case cinematicExtendedEnhanced = 5
    /// Tuned for the least delay.
    case lowLatency = 6
    /// Chosen by the system: `.standard` here.
    case auto = -1
}

/// Orientation of the phone, for code from before `videoRotationAngle`.
public enum AVCaptureVideoOrientation: Int, Sendable {
    /// Upright: rotated by 90° clockwise.
    case portrait = 1
    /// Upside down: rotated by 270° clockwise.
    case portraitUpsideDown = 2
    /// The sensor's own: not rotated.
    case landscapeRight = 3
    /// Rotated by 180°.
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
    /// Whether a mode can be preferred: for video to an output, not to a preview layer.
    public var isVideoStabilizationSupported: Bool { mediaType == .video && output != nil }

    /// Mode that the app would like; default `.off`, `.auto` takes `.standard`. Raises where there is no stabilization.
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

    /// Mode in use: the preferred one where the format has it, else off; never `.auto`. Observable.
    public var activeVideoStabilizationMode: AVCaptureVideoStabilizationMode { activeMode(for: preferredVideoStabilizationMode) }

    private func activeMode(for preferred: AVCaptureVideoStabilizationMode) -> AVCaptureVideoStabilizationMode {
        let mode = preferred == .auto ? .standard : preferred
        guard let format = inputPorts.first?.device?.activeFormat, format.isVideoStabilizationModeSupported(mode) else { return .off }
        return mode
    }

    /// Whether noise of dark video can be lessened; never here.
    public var isLowLightVideoNoiseReductionSupported: Bool { false }
    /// Whether noise of dark video is lessened; false. Raises where it is set to true.
    public var isLowLightVideoNoiseReductionEnabled: Bool {
        get { false }
        set {
            guard newValue else { return }
            environment.raise(
                .invalidArgument, "-[AVCaptureConnection setLowLightVideoNoiseReductionEnabled:]",
                "Not supported - use isLowLightVideoNoiseReductionSupported")
        }
    }
    /// Whether the system lessens noise of dark video where it can; at first in recordings. Kept, without effect.
    public var automaticallyEnablesLowLightVideoNoiseReduction: Bool {
        get { state.withLock { $0.lessensNoise } ?? (output is AVCaptureMovieFileOutput) }
        set { state.withLock { $0.lessensNoise = newValue } }
    }

    /// Whether samples can bring their intrinsic matrix: to a video data output, without stabilization.
    public var isCameraIntrinsicMatrixDeliverySupported: Bool {
        output is AVCaptureVideoDataOutput && mediaType == .video && activeVideoStabilizationMode == .off
    }

    /// Whether samples bring their camera matrix under `kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix`. Raises without support.
    public var isCameraIntrinsicMatrixDeliveryEnabled: Bool {
        get { state.withLock { $0.deliversIntrinsics } && isCameraIntrinsicMatrixDeliverySupported }
        set {
            guard !newValue || isCameraIntrinsicMatrixDeliverySupported else {
                return environment.raise(
                    .invalidArgument, "-[AVCaptureConnection setCameraIntrinsicMatrixDeliveryEnabled:]",
                    "Not supported - use isCameraIntrinsicMatrixDeliverySupported")
            }
            state.withLock { $0.deliversIntrinsics = newValue }
        }
    }

    /// Whether the connection can space pictures, as in iOS before 7; never: the device's `activeVideoMinFrameDuration` does.
    public var isVideoMinFrameDurationSupported: Bool { false }
    /// Least time between pictures: invalid. Raises where one is set, as it is not supported.
    public var videoMinFrameDuration: CMTime {
        get { .invalid }
        set { refuseFrameDuration("setVideoMinFrameDuration", "isVideoMinFrameDurationSupported") }
    }
    /// Whether the connection can repeat pictures, as in iOS before 7; never.
    public var isVideoMaxFrameDurationSupported: Bool { false }
    /// Greatest time between pictures: invalid. Raises where one is set, as it is not supported.
    public var videoMaxFrameDuration: CMTime {
        get { .invalid }
        set { refuseFrameDuration("setVideoMaxFrameDuration", "isVideoMaxFrameDurationSupported") }
    }

    private func refuseFrameDuration(_ setter: String, _ question: String) {
        environment.raise(.invalidArgument, "-[AVCaptureConnection \(setter):]", "Not supported - use \(question)")
    }

    /// Whether the pictures can be rotated: for video and depth.
    public var isVideoOrientationSupported: Bool { carriesPicture }

    /// Rotation as an orientation: portrait is a `videoRotationAngle` of 90.
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
    /// Whether noise of dark video can be lessened; never here.
    public var isLowLightVideoNoiseReductionSupported: Bool { false }
    /// Whether the format has the mode: every mode up to 3840 pixels wide at 30 frames per second, else only `.off`.
    public func isVideoStabilizationModeSupported(_ videoStabilizationMode: AVCaptureVideoStabilizationMode) -> Bool {
        if videoStabilizationMode == .off { return true }
        return mediaType == .video && profile.width <= 3840 && profile.maxFrameRate <= 30
    }
}
