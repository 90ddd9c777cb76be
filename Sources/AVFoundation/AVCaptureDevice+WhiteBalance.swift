import CoreMedia
import Foundation
import Synchronization

extension AVCaptureDevice {
    public enum WhiteBalanceMode: Int, Sendable {
        case locked = 0
        case autoWhiteBalance = 1
        case continuousAutoWhiteBalance = 2
    }

    /// Factors of the three colours, each from 1 to `maxWhiteBalanceGain`.
    public struct WhiteBalanceGains: Sendable, Equatable {
        public var redGain: Float
        public var greenGain: Float
        public var blueGain: Float

        public init() { self.init(redGain: 0, greenGain: 0, blueGain: 0) }
        public init(redGain: Float, greenGain: Float, blueGain: Float) {
            self.redGain = redGain
            self.greenGain = greenGain
            self.blueGain = blueGain
        }
    }

    /// Stands for the gains at hand.
    public static let currentWhiteBalanceGains = WhiteBalanceGains(
        redGain: .greatestFiniteMagnitude, greenGain: .greatestFiniteMagnitude, blueGain: .greatestFiniteMagnitude)

    public func isWhiteBalanceModeSupported(_ whiteBalanceMode: WhiteBalanceMode) -> Bool { hasMediaType(.video) }
    public var isAdjustingWhiteBalance: Bool { false }
    public var isLockingWhiteBalanceWithCustomDeviceGainsSupported: Bool { hasMediaType(.video) && !isVirtualDevice }
    public var maxWhiteBalanceGain: Float { 4 }

    /// `.autoWhiteBalance` balances once and locks; automatically all gains are 1, for a source's light is white. Observable.
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

    /// Observable.
    public var deviceWhiteBalanceGains: WhiteBalanceGains { state.withLock { $0.controls.gains } }

    /// Balances by hand and holds it, in the pictures of a stage; a virtual camera takes only `currentWhiteBalanceGains`.
    public func setWhiteBalanceModeLocked(
        with whiteBalanceGains: WhiteBalanceGains, completionHandler handler: (@Sendable (CMTime) -> Void)? = nil
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
