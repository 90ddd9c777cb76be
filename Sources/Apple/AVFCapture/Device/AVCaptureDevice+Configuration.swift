import CoreMedia
import Foundation
import Synchronization

private let lockReason =
    "May not be called without first successfully gaining exclusive ownership of the device using -lockForConfiguration:"

extension AVCaptureDevice {
    /// Whether somebody holds the lock; raises when not.
    func requiresLock(_ selector: String) -> Bool {
        if state.withLock({ $0.locks > 0 }) { return true }
        environment.raise(.generic, "-[AVCaptureDevice \(selector)]", lockReason)
        return false
    }

    func choose(_ format: Format) {
        guard requiresLock("setActiveFormat:") else { return }
        guard modes.contains(where: { $0 === format }) else {
            return environment.raise(
                .invalidArgument, "-[AVCaptureDevice setActiveFormat:]",
                "The activeFormat passed is not supported by the device. Use -formats to discover valid formats.")
        }
        let session = state.withLock { $0.session }
        guard !(session is AVCaptureMultiCamSession) || format.isMultiCamSupported || !profile.hardware.hasMultiCam else {
            return environment.raise(
                .invalidArgument, "-[AVCaptureDevice setActiveFormat:]",
                "The activeFormat passed is not supported by AVCaptureMultiCamSession - use isMultiCamSupported")
        }
        apply(format)
        session?.deviceDidChooseFormat()
    }

    /// Makes `format` active without asking for the lock or the preset.
    func apply(_ format: Format) {
        let old = change { state in
            state.activeFormat = format
            state.depthFormat = nil
            state.minFrameDuration = nil
            state.maxFrameDuration = nil
            state.zoom = state.isCinematic ? format.videoMinZoomFactorForCinematicVideo : 1
            state.controls.ramp = nil
            state.controls.torchLevel = 0
            state.controls.focusPoint = CGPoint(x: 0.5, y: 0.5)
            state.controls.exposurePoint = CGPoint(x: 0.5, y: 0.5)
            (state.controls.focusRect, state.controls.exposureRect) = (nil, nil)
            (state.controls.maxExposure, state.controls.lockedFrameDuration) = (nil, nil)
            state.controls.isAutoFrameRate = false
            if !format.supportedColorSpaces.contains(state.controls.colorSpace) { state.controls.colorSpace = .sRGB }
        }
        guard old.activeFormat !== format else { return }
        for port in state.withLock({ $0.session })?.inputs.flatMap(\.ports) ?? [] where port.device === self && port.mediaType == .video {
            NotificationCenter.default.post(name: AVCaptureInput.Port.formatDescriptionDidChangeNotification, object: port)
        }
    }

    /// Duration of a frame at the fastest rate allowed; `.invalid` resets it to the format's. Observable.
    /// Raises without the lock, for a duration outside of the format's rates, and while the rate is automatic.
    public var activeVideoMinFrameDuration: CMTime {
        get { state.withLock { $0.fastest } }
        set { setFrameDuration(newValue, "setActiveVideoMinFrameDuration:") { $0.minFrameDuration = $1 } }
    }

    /// Duration of a frame at the slowest rate allowed; `.invalid` resets it to the format's. Observable.
    /// Raises as `activeVideoMinFrameDuration`.
    public var activeVideoMaxFrameDuration: CMTime {
        get { state.withLock { $0.slowest } }
        set { setFrameDuration(newValue, "setActiveVideoMaxFrameDuration:") { $0.maxFrameDuration = $1 } }
    }

    private func setFrameDuration(_ duration: CMTime, _ selector: String, _ store: (inout State, CMTime?) -> Void) {
        guard requiresLock(selector) else { return }
        guard !isAutoVideoFrameRateEnabled else {
            return environment.raise(
                .invalidArgument, "-[AVCaptureDevice \(selector)]", "May not be set while autoVideoFrameRateEnabled is YES")
        }
        guard duration.isValid else { return _ = change { store(&$0, nil) } }
        let ranges = state.withLock { state in
            state.isCinematic
                ? [state.activeFormat.videoFrameRateRangeForCinematicVideo].compactMap { $0 } : state.activeFormat.videoSupportedFrameRateRanges
        }
        guard ranges.contains(where: { $0.contains(duration) }) else {
            return environment.raise(
                .invalidArgument, "-[AVCaptureDevice \(selector)]",
                "The passed frame duration \(duration.value)/\(duration.timescale) is not supported by the device. "
                    + "Use -activeFormat.videoSupportedFrameRateRanges to discover valid ranges.")
        }
        change { store(&$0, duration) }
    }
}

extension AVCaptureDevice.State {
    /// Lets frames last what the format allows; during cinematic capture, what that allows.
    mutating func freeFrameDurations() {
        (minFrameDuration, maxFrameDuration) = (nil, nil)
        if isCinematic { keepCinematicFrameDurations() }
    }

    /// Moves the frame durations into their cinematic range, where the format has one.
    mutating func keepCinematicFrameDurations() {
        guard let rates = activeFormat.videoFrameRateRangeForCinematicVideo else { return }
        minFrameDuration = min(max(fastest, rates.minFrameDuration), rates.maxFrameDuration)
        maxFrameDuration = min(max(slowest, rates.minFrameDuration), rates.maxFrameDuration)
    }

    var fastest: CMTime { minFrameDuration ?? activeFormat.videoSupportedFrameRateRanges.first?.minFrameDuration ?? .invalid }
    var slowest: CMTime { maxFrameDuration ?? activeFormat.videoSupportedFrameRateRanges.first?.maxFrameDuration ?? .invalid }

    var zoomRange: ClosedRange<CGFloat> {
        isCinematic
            ? activeFormat.videoMinZoomFactorForCinematicVideo...activeFormat.videoMaxZoomFactorForCinematicVideo
            : 1...max(activeFormat.videoMaxZoomFactor, 1)
    }
}
