import CoreMedia
import Foundation

// Setters with a handler, for code that awaits: each returns the time that the handler would get.

extension AVCaptureDevice {
    /// Sets exposure by hand, and returns the time of the session's clock from which it holds.
    @discardableResult
    public func setExposureModeCustom(duration: CMTime, iso: Float) async -> CMTime {
        setExposureModeCustom(duration: duration, iso: iso, completionHandler: nil)
        return await settingTime
    }

    /// Sets exposure by hand, the lens's aperture included, and returns the time of the session's clock from which it holds.
    @discardableResult
    public func setExposureModeCustom(lensAperture: Float, duration: CMTime, iso: Float) async -> CMTime {
        setExposureModeCustom(lensAperture: lensAperture, duration: duration, iso: iso, completionHandler: nil)
        return await settingTime
    }

    /// Brightens (positive) or darkens automatic exposure, in EV, and returns the time of the session's clock from which it holds.
    @discardableResult
    public func setExposureTargetBias(_ bias: Float) async -> CMTime {
        setExposureTargetBias(bias, completionHandler: nil)
        return await settingTime
    }

    /// Moves the lens by hand, and returns the time of the session's clock from which it stands there.
    @discardableResult
    public func setFocusModeLocked(lensPosition: Float) async -> CMTime {
        setFocusModeLocked(lensPosition: lensPosition, completionHandler: nil)
        return await settingTime
    }

    /// Sets the gains of white balance by hand, and returns the time of the session's clock from which they hold.
    @discardableResult
    public func setWhiteBalanceModeLocked(with gains: WhiteBalanceGains) async -> CMTime {
        setWhiteBalanceModeLocked(with: gains, completionHandler: nil)
        return await settingTime
    }

    /// Time that handlers get, also after a call that raised.
    private var settingTime: CMTime {
        get async { await withCheckedContinuation { time in finish { time.resume(returning: $0) } } }
    }
}
