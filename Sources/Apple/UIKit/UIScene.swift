import Foundation
import Synchronization

/// Part of the app that a user sees: one, as the app is shown once.
@preconcurrency @MainActor open class UIScene: NSObject {
    /// Posted once the scene is at the front.
    public nonisolated static let didActivateNotification = Notification.Name("UISceneDidActivateNotification")
    /// Posted before the scene leaves the front.
    public nonisolated static let willDeactivateNotification = Notification.Name("UISceneWillDeactivateNotification")
    /// Posted before the scene comes to the front.
    public nonisolated static let willEnterForegroundNotification = Notification.Name("UISceneWillEnterForegroundNotification")
    /// Posted once the scene is in the background.
    public nonisolated static let didEnterBackgroundNotification = Notification.Name("UISceneDidEnterBackgroundNotification")

    /// State of a scene.
    public enum ActivationState: Int, Sendable {
        /// Not there.
        case unattached = -1
        /// At the front.
        case foregroundActive = 0
        /// On its way.
        case foregroundInactive = 1
        /// In the background.
        case background = 2
    }

    override init() {}

    /// State of the scene: the app's.
    open var activationState: ActivationState {
        switch UIApplication.shared.applicationState {
        case .active: .foregroundActive
        case .inactive: .foregroundInactive
        case .background: .background
        }
    }
}

/// Scene with windows, of which there are none here; it knows how the interface is turned.
@preconcurrency @MainActor open class UIWindowScene: UIScene {
    static let shared = UIWindowScene()

    /// The screen.
    open var screen: UIScreen { UIScreen.main }
    /// Way in which the interface is turned: it follows the phone, and stays as it is where that lies flat or stands upside down.
    open var interfaceOrientation: UIInterfaceOrientation { UIKitConditions.current.state.withLock { $0.interface } }
    /// The same as a value.
    open var effectiveGeometry: Geometry { Geometry(interfaceOrientation: interfaceOrientation) }

    /// Manner in which a scene is shown.
    open class Geometry: NSObject {
        /// Way in which the interface is turned.
        public nonisolated let interfaceOrientation: UIInterfaceOrientation
        init(interfaceOrientation: UIInterfaceOrientation) { self.interfaceOrientation = interfaceOrientation }
    }
}
