import Foundation
import Synchronization

/// Cameras of a virtual one, and how it changes between them. Pictures here come from one source, so that it never does.
extension AVCaptureDevice {
    /// Way in which a virtual camera changes to another of its cameras.
    public enum PrimaryConstituentDeviceSwitchingBehavior: Int, Sendable {
        /// The camera is not virtual.
        case unsupported = 0
        /// Whenever it is better.
        case auto = 1
        /// Under a condition of the app.
        case restricted = 2
        /// Never.
        case locked = 3
    }

    /// Conditions under which a camera that is restricted changes.
    public struct PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions: OptionSet, Sendable {
        /// Bit mask of the conditions.
        public let rawValue: UInt
        /// Makes conditions from a bit mask.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// The zoom changed.
        public static let videoZoomChanged = Self(rawValue: 1)
        /// The focus mode changed.
        public static let focusModeChanged = Self(rawValue: 2)
        /// The exposure mode changed.
        public static let exposureModeChanged = Self(rawValue: 4)
    }

    /// Way in which the camera changes; `.unsupported` unless it is virtual. Observable.
    public var primaryConstituentDeviceSwitchingBehavior: PrimaryConstituentDeviceSwitchingBehavior {
        isVirtualDevice ? state.withLock { $0.switchingBehavior } : .unsupported
    }
    /// Conditions under which it changes.
    public var primaryConstituentDeviceRestrictedSwitchingBehaviorConditions: PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions {
        state.withLock { $0.switchingConditions }
    }
    /// Way in which it changes now; equal to the one asked for.
    public var activePrimaryConstituentDeviceSwitchingBehavior: PrimaryConstituentDeviceSwitchingBehavior {
        primaryConstituentDeviceSwitchingBehavior
    }
    /// Conditions under which it changes now; equal to those asked for.
    public var activePrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions: PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions {
        primaryConstituentDeviceRestrictedSwitchingBehaviorConditions
    }

    /// Sets the way in which a virtual camera changes; kept, as there is one source of pictures. Raises without the lock, on a camera that is not
    /// virtual, and for conditions without `.restricted`.
    public func setPrimaryConstituentDeviceSwitchingBehavior(
        _ switchingBehavior: PrimaryConstituentDeviceSwitchingBehavior,
        restrictedSwitchingBehaviorConditions: PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions = []
    ) {
        let selector = "setPrimaryConstituentDeviceSwitchingBehavior:restrictedSwitchingBehaviorConditions:"
        guard requiresLock(selector) else { return }
        guard isVirtualDevice, switchingBehavior != .unsupported else {
            return environment.raise(
                .invalidArgument, "-[AVCaptureDevice \(selector)]", "Not supported - use primaryConstituentDeviceSwitchingBehavior")
        }
        guard switchingBehavior == .restricted || restrictedSwitchingBehaviorConditions.isEmpty else {
            return environment.raise(
                .invalidArgument, "-[AVCaptureDevice \(selector)]", "Conditions may only be given with the restricted switching behavior")
        }
        change { state in
            state.switchingBehavior = switchingBehavior
            state.switchingConditions = restrictedSwitchingBehaviorConditions
        }
    }

    /// Whether a virtual camera can be held to one of its cameras; never here.
    public var isPrimaryConstituentDeviceSwitchingBehaviorLockedWithDeviceSupported: Bool { false }
    /// Holds a virtual camera to one of its cameras; raises, as none here can be.
    public func setPrimaryConstituentDeviceSwitchingBehaviorLockedWith(_ device: AVCaptureDevice) {
        let selector = "setPrimaryConstituentDeviceSwitchingBehaviorLockedWithDevice:"
        guard requiresLock(selector) else { return }
        _ = requires(
            isPrimaryConstituentDeviceSwitchingBehaviorLockedWithDeviceSupported, selector,
            "isPrimaryConstituentDeviceSwitchingBehaviorLockedWithDeviceSupported")
    }

    /// Cameras that may stand in where the best one cannot: those of a virtual camera but its longest. Empty of another.
    public var supportedFallbackPrimaryConstituentDevices: [AVCaptureDevice] { Array(constituentDevices.dropLast()) }
    /// Cameras that stand in where the best one cannot; equal to those that may.
    public var fallbackPrimaryConstituentDevices: [AVCaptureDevice] { supportedFallbackPrimaryConstituentDevices }
}
