import Foundation

/// Heat and power of the phone, which Foundation for Linux does not know.
extension ProcessInfo {
    /// Heat of the machine, as far as it should keep an app from working.
    public enum ThermalState: Int, Sendable {
        /// Not hot.
        case nominal = 0
        /// Warm: work that can wait should wait.
        case fair = 1
        /// Hot: an app should do less.
        case serious = 2
        /// Too hot: an app should do as little as it can.
        case critical = 3
    }

    /// Heat of the phone: of a test's as `CaptureConditions.setThermalState(_:)` sets it, else nominal.
    public var thermalState: ThermalState { CaptureEnvironment.bound?.conditions.thermalState ?? .nominal }

    /// Whether the user saves power; never here.
    public var isLowPowerModeEnabled: Bool { false }

    /// Posted with the process' info when the heat changed.
    public static let thermalStateDidChangeNotification = Notification.Name("NSProcessInfoThermalStateDidChangeNotification")
}

extension Notification.Name {
    /// Posted when the user began or ceased to save power; never here.
    public static let NSProcessInfoPowerStateDidChange = Notification.Name("NSProcessInfoPowerStateDidChangeNotification")
}
