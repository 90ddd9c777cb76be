import CoreMedia
import Foundation
import Synchronization

/// Lenses of variable aperture, exposure of which a part is automatic, and signals to automatic exposure, as of iOS 27: no camera here has any of them.
extension AVCaptureDevice {
    /// Stands for a duration that automatic exposure chooses; which value Apple takes is not known.
    public static let autoExposureDuration = CMTime.indefinite
    /// Stands for an ISO that automatic exposure chooses; which value Apple takes is not known.
    public static let autoISO: Float = 0
    /// Stands for an aperture that automatic exposure chooses; which value Apple takes is not known.
    public static let autoLensAperture: Float = 0
    /// Stands for the aperture in use.
    public static let currentLensAperture = Float.greatestFiniteMagnitude

    /// Sets exposure by hand, `current…` keeps a value in use. The handler gets the time of the session's clock. Raises without the lock, on a virtual
    /// camera, outside of the format's ranges, and for `auto…`: no format has a priority (`Format.supportsExposureModeCustom(lensAperture:duration:iso:)`).
    public func setExposureModeCustom(lensAperture: Float, duration: CMTime, iso: Float, completionHandler handler: ((CMTime) -> Void)? = nil) {
        let name = "setExposureModeCustomWithLensAperture:duration:ISO:completionHandler:"
        setExposure(lensAperture: lensAperture, duration: duration, iso: iso, name, handler)
    }

    /// Whether automatic exposure chooses the duration: in `.continuousAutoExposure`. Observable.
    public var automaticallyAdjustsExposureDuration: Bool { exposureMode == .continuousAutoExposure }
    /// Whether automatic exposure chooses the ISO: in `.continuousAutoExposure`. Observable.
    public var automaticallyAdjustsISO: Bool { exposureMode == .continuousAutoExposure }
    /// Whether automatic exposure may choose the aperture: in `.continuousAutoExposure`, though none here can be changed. Observable.
    public var automaticallyAdjustsLensAperture: Bool { exposureMode == .continuousAutoExposure }

    /// Greatest ratio of the aperture's areas from frame to frame; 0, the default, leaves it to the system. Kept. Raises without the lock, and between
    /// 0 and 1.
    public var autoExposureLensApertureRateLimit: Float {
        get { state.withLock { $0.controls.apertureRate } }
        set {
            let selector = "setAutoExposureLensApertureRateLimit:"
            guard requiresLock(selector) else { return }
            guard newValue == 0 || newValue >= 1 else {
                return environment.raise(.range, "-[AVCaptureDevice \(selector)]", "\(newValue) is neither 0 nor at least 1")
            }
            change { $0.controls.apertureRate = newValue }
        }
    }

    /// Signals that automatic exposure can heed: none.
    public var supportedExposureSignals: Set<AVCaptureDeviceExposureSignal> { [] }
    /// Signals that automatic exposure sees in the picture: none.
    public var activeExposureSignals: Set<AVCaptureDeviceExposureSignal> { [] }
    /// Whether the system chooses the signals to heed; the default. Kept. Raises without the lock.
    public var automaticallyEnablesExposureSignals: Bool {
        get { state.withLock { $0.controls.choosesSignals } }
        set {
            guard requiresLock("setAutomaticallyEnablesExposureSignals:") else { return }
            change { $0.controls.choosesSignals = newValue }
        }
    }
    /// Signals that automatic exposure heeds: none. Raises without the lock, while the system chooses them, and for any.
    public var enabledExposureSignals: Set<AVCaptureDeviceExposureSignal> {
        get { [] }
        set {
            let selector = "setEnabledExposureSignals:"
            guard requiresLock(selector) else { return }
            guard !automaticallyEnablesExposureSignals else {
                return environment.raise(
                    .invalidArgument, "-[AVCaptureDevice \(selector)]", "May not be set while automaticallyEnablesExposureSignals is YES")
            }
            _ = requires(newValue.isEmpty, selector, "supportedExposureSignals")
        }
    }
}

/// Something in the picture that automatic exposure can heed.
public struct AVCaptureDeviceExposureSignal: RawRepresentable, Hashable, Sendable {
    /// Name of the signal, as Apple's constant is called.
    public let rawValue: String
    /// Makes a signal from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Text.
    public static let document = Self(rawValue: "AVCaptureDeviceExposureSignalDocument")
    /// Light that flickers with the mains.
    public static let flicker = Self(rawValue: "AVCaptureDeviceExposureSignalFlicker")
    /// Several faces.
    public static let groupPhoto = Self(rawValue: "AVCaptureDeviceExposureSignalGroupPhoto")
    /// Lights that shall have rays.
    public static let starburst = Self(rawValue: "AVCaptureDeviceExposureSignalStarburst")
    /// Movement of the subject.
    public static let subjectMotion = Self(rawValue: "AVCaptureDeviceExposureSignalSubjectMotion")
}

extension AVCaptureDevice.Format {
    /// Widest aperture of the lens, an f-number, where it can be changed; 0, as none can.
    public var minLensAperture: Float { 0 }
    /// Narrowest aperture of the lens, an f-number, where it can be changed; 0, as none can.
    public var maxLensAperture: Float { 0 }
    /// Aperture of the lens at first, an f-number, where it can be changed; 0, as none can.
    public var defaultLensAperture: Float { 0 }
    /// Apertures of the lens that an app should offer: none.
    public var recommendedLensApertureStops: [Float] { [] }
    /// Whether exposure can be set so: by hand and within the format's ranges, or as it stands (`current…`); none can be left to the camera (`auto…`).
    public func supportsExposureModeCustom(lensAperture: Float, duration: CMTime, iso: Float) -> Bool {
        mediaType == .video && lensAperture == AVCaptureDevice.currentLensAperture
            && (!duration.isValid || (minExposureDuration...maxExposureDuration).contains(duration))
            && (iso == AVCaptureDevice.currentISO || (minISO...maxISO).contains(iso))
    }
}
