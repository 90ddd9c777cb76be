import Foundation
import Synchronization

/// The app: its state, and what it asks of the system, as `UIKitConditions` has them.
@preconcurrency @MainActor open class UIApplication: NSObject {
    /// The app.
    public static let shared = UIApplication()

    /// Posted before the app leaves the front.
    public nonisolated static let willResignActiveNotification = Notification.Name("UIApplicationWillResignActiveNotification")
    /// Posted once the app is in the background.
    public nonisolated static let didEnterBackgroundNotification = Notification.Name("UIApplicationDidEnterBackgroundNotification")
    /// Posted before the app comes to the front.
    public nonisolated static let willEnterForegroundNotification = Notification.Name("UIApplicationWillEnterForegroundNotification")
    /// Posted once the app is at the front.
    public nonisolated static let didBecomeActiveNotification = Notification.Name("UIApplicationDidBecomeActiveNotification")
    /// Posted before the app ends; here by tests alone.
    public nonisolated static let willTerminateNotification = Notification.Name("UIApplicationWillTerminateNotification")
    /// Posted when memory runs short; here by tests alone.
    public nonisolated static let didReceiveMemoryWarningNotification = Notification.Name("UIApplicationDidReceiveMemoryWarningNotification")
    /// Posted when the app has begun; never posted.
    public nonisolated static let didFinishLaunchingNotification = Notification.Name("UIApplicationDidFinishLaunchingNotification")
    /// Posted when the screen was photographed; never posted.
    public nonisolated static let userDidTakeScreenshotNotification = Notification.Name("UIApplicationUserDidTakeScreenshotNotification")
    /// Seconds that the app may go on in the background: as many as it likes.
    open var backgroundTimeRemaining: TimeInterval { .greatestFiniteMagnitude }
    /// URL of the app's settings, to be opened.
    public nonisolated static let openSettingsURLString = "app-settings:"

    /// State of the app.
    public enum State: Int, Sendable {
        /// At the front.
        case active = 0
        /// On its way.
        case inactive = 1
        /// In the background.
        case background = 2
    }

    /// Whether protected files can be read: always, as the phone is unlocked.
    open var isProtectedDataAvailable: Bool { true }
    /// Posted once protected files can be read; here by tests alone.
    public nonisolated static let protectedDataDidBecomeAvailableNotification =
        Notification.Name("UIApplicationProtectedDataDidBecomeAvailable")
    /// Posted before protected files cannot be read any more; here by tests alone.
    public nonisolated static let protectedDataWillBecomeUnavailableNotification =
        Notification.Name("UIApplicationProtectedDataWillBecomeUnavailable")

    /// State of the app.
    open var applicationState: State { UIKitConditions.current.state.withLock { $0.application } }

    /// Scenes of the app: one, a `UIWindowScene`.
    open var connectedScenes: Set<UIScene> { [UIWindowScene.shared] }
    /// Way in which the interface is turned, as `UIWindowScene.interfaceOrientation`.
    @available(*, deprecated, message: "Use the interfaceOrientation property of the window scene instead.")
    open var statusBarOrientation: UIInterfaceOrientation { UIWindowScene.shared.interfaceOrientation }

    /// Whether the screen stays on; default false.
    open var isIdleTimerDisabled: Bool {
        get { UIKitConditions.current.state.withLock { $0.keepsAwake } }
        set { UIKitConditions.current.state.withLock { $0.keepsAwake = newValue } }
    }

    /// Whether there is something that opens the URL; true.
    open func canOpenURL(_ url: URL) -> Bool { true }

    /// Opens a URL: it is kept in `UIKitConditions.openedURLs`, and the handler gets true.
    open func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:], completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        UIKitConditions.current.state.withLock { $0.opened.append(url) }
        completion?(true)
    }

    /// Option of opening a URL.
    public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
        /// Name as Apple spells it.
        public let rawValue: String
        /// Makes an option from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Links of the web alone.
        public static let universalLinksOnly = OpenExternalURLOptionsKey(rawValue: "UIApplicationOpenURLOptionUniversalLinksOnly")
    }

    /// Begins work that goes on in the background; time never runs out here, so that the handler is never called.
    open func beginBackgroundTask(expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil) -> UIBackgroundTaskIdentifier {
        UIKitConditions.current.state.withLock { state in
            state.lastTask += 1
            state.tasks.insert(state.lastTask)
            return UIBackgroundTaskIdentifier(rawValue: state.lastTask)
        }
    }

    /// Begins work with a name that goes on in the background, as `beginBackgroundTask(expirationHandler:)`.
    open func beginBackgroundTask(
        withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier { beginBackgroundTask(expirationHandler: handler) }

    /// Ends work in the background; without effect for work that is over.
    open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        UIKitConditions.current.state.withLock { _ = $0.tasks.remove(identifier.rawValue) }
    }
}

/// Number of work in the background.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    /// The number, from 1.
    public let rawValue: Int
    /// Makes an identifier from its number.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// No work.
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}
