import Foundation
import Synchronization

/// The phone: its posture and battery, as `UIKitConditions` has them.
@preconcurrency @MainActor open class UIDevice: NSObject {
    /// The phone.
    public static let current = UIDevice()

    /// Posted when the phone was turned, between `beginGeneratingDeviceOrientationNotifications()` and its end.
    public nonisolated static let orientationDidChangeNotification = Notification.Name("UIDeviceOrientationDidChangeNotification")
    /// Posted when the battery's level changed, while it is monitored.
    public nonisolated static let batteryLevelDidChangeNotification = Notification.Name("UIDeviceBatteryLevelDidChangeNotification")
    /// Posted when the battery's state changed, while it is monitored.
    public nonisolated static let batteryStateDidChangeNotification = Notification.Name("UIDeviceBatteryStateDidChangeNotification")

    /// State of the battery.
    public enum BatteryState: Int, Sendable {
        /// Not known, as while it is not monitored.
        case unknown = 0
        /// In use.
        case unplugged = 1
        /// On the charger.
        case charging = 2
        /// On the charger, and full.
        case full = 3
    }

    private var state: UIKitConditions.State { UIKitConditions.current.state.withLock { $0 } }

    /// Posture of the phone; `.unknown` unless it is being watched.
    open var orientation: UIDeviceOrientation { isGeneratingDeviceOrientationNotifications ? state.orientation : .unknown }
    /// Whether the posture is being watched.
    open var isGeneratingDeviceOrientationNotifications: Bool { state.generators > 0 }
    /// Begins to watch the posture; nests.
    open func beginGeneratingDeviceOrientationNotifications() { UIKitConditions.current.state.withLock { $0.generators += 1 } }
    /// Ends one begin.
    open func endGeneratingDeviceOrientationNotifications() { UIKitConditions.current.state.withLock { $0.generators = max($0.generators - 1, 0) } }

    /// Whether the battery is monitored; default false.
    open var isBatteryMonitoringEnabled: Bool {
        get { state.monitorsBattery }
        set { UIKitConditions.current.state.withLock { $0.monitorsBattery = newValue } }
    }
    /// Charge of the battery, 0…1; -1 unless it is monitored.
    open var batteryLevel: Float { isBatteryMonitoringEnabled ? state.batteryLevel : -1 }
    /// State of the battery; `.unknown` unless it is monitored.
    open var batteryState: BatteryState { isBatteryMonitoringEnabled ? state.batteryState : .unknown }

    /// Kind of the device: a phone.
    open var userInterfaceIdiom: UIUserInterfaceIdiom { .phone }
    /// Kind of the device, for people.
    open var model: String { "iPhone" }
    /// Kind of the device, for people, in their language.
    open var localizedModel: String { model }
    /// Number of the device for the apps of one maker: the same always.
    open var identifierForVendor: UUID? { UUID(uuidString: "6B1D0F3A-52C4-4E8B-9D7E-0A5C1F2E3B46") }
    /// Whether apps can do several things: yes.
    open var isMultitaskingSupported: Bool { true }
    /// Name of the device, for people.
    open var name: String { "iPhone" }
    /// Name of the system.
    open var systemName: String { "iOS" }
    /// Version of the system whose interfaces are mirrored.
    open var systemVersion: String { "26.0" }
}

/// Kind of a device.
public enum UIUserInterfaceIdiom: Int, Sendable {
    /// Not known.
    case unspecified = -1
    /// Phone.
    case phone = 0
    /// Tablet.
    case pad = 1
    /// Television.
    case tv = 2
    /// Car.
    case carPlay = 3
    /// Mac.
    case mac = 5
    /// Headset.
    case vision = 6
}
