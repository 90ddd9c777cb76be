import CoreMedia
import Foundation
import Pipeline
import Synchronization

/// One step of a bracket: the exposure of one of its photos.
open class AVCaptureBracketedStillImageSettings: NSObject, @unchecked Sendable {
    fileprivate override init() {}
}

/// Step of a bracket with automatic exposure, brighter or darker than the camera would have it.
public final class AVCaptureAutoExposureBracketedStillImageSettings: AVCaptureBracketedStillImageSettings, @unchecked Sendable {
    /// Bias in EV, positive is brighter; `AVCaptureDevice.currentExposureTargetBias` for the camera's.
    public let exposureTargetBias: Float

    private init(_ bias: Float) { exposureTargetBias = bias }

    /// Makes a step of automatic exposure with a bias in EV; a capture raises for one that the camera lacks.
    public class func autoExposureSettings(exposureTargetBias: Float) -> AVCaptureAutoExposureBracketedStillImageSettings {
        AVCaptureAutoExposureBracketedStillImageSettings(exposureTargetBias)
    }
}

/// Step of a bracket with exposure by hand.
public final class AVCaptureManualExposureBracketedStillImageSettings: AVCaptureBracketedStillImageSettings, @unchecked Sendable {
    /// Shutter time; `AVCaptureDevice.currentExposureDuration` for the camera's.
    public let exposureDuration: CMTime
    /// ISO sensitivity; `AVCaptureDevice.currentISO` for the camera's.
    public let iso: Float

    private init(_ duration: CMTime, _ iso: Float) {
        exposureDuration = duration
        self.iso = iso
    }

    /// Makes a step of exposure by hand; a capture raises for values outside of the format's ranges.
    public class func manualExposureSettings(exposureDuration: CMTime, iso: Float) -> AVCaptureManualExposureBracketedStillImageSettings {
        AVCaptureManualExposureBracketedStillImageSettings(exposureDuration, iso)
    }
}

extension AVCaptureDevice {
    /// Exposure of a bracket's step; nil where the camera or its format lacks it.
    func metering(of step: AVCaptureBracketedStillImageSettings) -> CameraSettings.Metering? {
        let controls = state.withLock { $0.controls }
        switch step {
        case let step as AVCaptureAutoExposureBracketedStillImageSettings:
            let bias = step.exposureTargetBias == Self.currentExposureTargetBias ? controls.bias : step.exposureTargetBias
            guard (minExposureTargetBias...maxExposureTargetBias).contains(bias) else { return nil }
            return .automatic(bias: Double(bias), longest: controls.maxExposure?.seconds)
        case let step as AVCaptureManualExposureBracketedStillImageSettings:
            let duration = step.exposureDuration.isValid ? step.exposureDuration : controls.exposureDuration
            let iso = step.iso == Self.currentISO ? controls.iso : step.iso
            let format = activeFormat
            guard (format.minExposureDuration...format.maxExposureDuration).contains(duration), (format.minISO...format.maxISO).contains(iso) else {
                return nil
            }
            return .manual(duration: duration.seconds, iso: Double(iso))
        default: return nil
        }
    }
}
