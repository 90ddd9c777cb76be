import CoreMedia
import Foundation
import Synchronization

extension AVCaptureDevice {
    /// Mode of white balance.
    public enum WhiteBalanceMode: Int, Sendable {
        /// Gains stay as they are.
        case locked = 0
        /// One balancing, then `.locked`.
        case autoWhiteBalance = 1
        /// Balancing of every frame; the default.
        case continuousAutoWhiteBalance = 2
    }

    /// Factors of the three colours, each from 1 to `maxWhiteBalanceGain`.
    public struct WhiteBalanceGains: Sendable, Equatable {
        /// Factor of red.
        public var redGain: Float
        /// Factor of green.
        public var greenGain: Float
        /// Factor of blue.
        public var blueGain: Float

        /// Makes gains of 0, which no setter takes.
        public init() { self.init(redGain: 0, greenGain: 0, blueGain: 0) }
        /// Makes gains; checked where they are set.
        public init(redGain: Float, greenGain: Float, blueGain: Float) {
            self.redGain = redGain
            self.greenGain = greenGain
            self.blueGain = blueGain
        }
    }

    /// Placeholder for the gains in use; a virtual camera takes no others.
    public static let currentWhiteBalanceGains = WhiteBalanceGains(
        redGain: .greatestFiniteMagnitude, greenGain: .greatestFiniteMagnitude, blueGain: .greatestFiniteMagnitude)

    /// Whether the device has the mode: every camera, but for one without controls of white balance, which has only the continuous.
    public func isWhiteBalanceModeSupported(_ whiteBalanceMode: WhiteBalanceMode) -> Bool {
        hasMediaType(.video) && (whiteBalanceMode == .continuousAutoWhiteBalance || profile.hardware.holdsWhiteBalance)
    }
    /// Whether a change of white balance is under way: never, as it is over within a frame.
    public var isAdjustingWhiteBalance: Bool { false }
    /// Whether gains can be set by hand; false for virtual cameras, and for those without controls of gains.
    public var isLockingWhiteBalanceWithCustomDeviceGainsSupported: Bool {
        hasMediaType(.video) && !isVirtualDevice && profile.hardware.setsWhiteBalanceGains
    }
    /// Greatest gain: 4.
    public var maxWhiteBalanceGain: Float { 4 }

    /// Mode of white balance; `.autoWhiteBalance` balances once and locks. Automatic gains are all 1, for a source's light is white.
    /// Observable. Raises without the lock.
    public var whiteBalanceMode: WhiteBalanceMode {
        get { state.withLock { $0.controls.whiteBalanceMode } }
        set {
            let selector = "setWhiteBalanceMode:"
            guard requiresLock(selector), requires(isWhiteBalanceModeSupported(newValue), selector, "isWhiteBalanceModeSupported:") else { return }
            change { state in
                state.controls.whiteBalanceMode = newValue == .autoWhiteBalance ? .locked : newValue
                if newValue != .locked { state.controls.gains = WhiteBalanceGains(redGain: 1, greenGain: 1, blueGain: 1) }
            }
        }
    }

    /// Factors of the colours in use. Observable.
    public var deviceWhiteBalanceGains: WhiteBalanceGains { state.withLock { $0.controls.gains } }

    /// Sets the gains by hand and holds them, in the pictures of a stage; a virtual camera takes only `currentWhiteBalanceGains`.
    /// The handler gets the time of the session's clock. Raises without the lock, and for a gain outside 1…4.
    public func setWhiteBalanceModeLocked(
        with whiteBalanceGains: WhiteBalanceGains, completionHandler handler: ((CMTime) -> Void)? = nil
    ) {
        let selector = "setWhiteBalanceModeLockedWithDeviceWhiteBalanceGains:completionHandler:"
        guard requiresLock(selector), requires(isWhiteBalanceModeSupported(.locked), selector, "isWhiteBalanceModeSupported:") else { return }
        let isCustom = whiteBalanceGains != Self.currentWhiteBalanceGains
        if isCustom {
            guard
                requires(
                    isLockingWhiteBalanceWithCustomDeviceGainsSupported, selector, "isLockingWhiteBalanceWithCustomDeviceGainsSupported")
            else { return }
            for gain in [whiteBalanceGains.redGain, whiteBalanceGains.greenGain, whiteBalanceGains.blueGain] {
                guard requires(gain, in: 1...maxWhiteBalanceGain, selector) else { return }
            }
        }
        change { state in
            state.controls.whiteBalanceMode = .locked
            if isCustom { state.controls.gains = whiteBalanceGains }
        }
        finish(handler)
    }
}
