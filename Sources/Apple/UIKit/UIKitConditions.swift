import CoreVideo
import Foundation
import Synchronization

/// Phone about the app, for a test to play and to read: orientation, battery, state of the app, haptics; ours, without a counterpart of Apple's.
///
///     let conditions = UIKitConditions()
///     await UIKitConditions.$scoped.withValue(conditions) {
///         await conditions.turn(to: .landscapeLeft)
///         #expect(conditions.haptics == [.impact(.light, intensity: 1)])
///     }
public final class UIKitConditions: Sendable {
    /// Conditions of this task and its children; nil for those of the process.
    @TaskLocal public static var scoped: UIKitConditions?
    private static let ofProcess = UIKitConditions()
    static var current: UIKitConditions { scoped ?? ofProcess }

    /// Haptic that the app asked for.
    public enum Haptic: Sendable, Equatable {
        /// Of an impact generator; intensity 0…1.
        case impact(UIImpactFeedbackGenerator.FeedbackStyle, intensity: CGFloat)
        /// Of a selection generator.
        case selection
        /// Of a notification generator.
        case notification(UINotificationFeedbackGenerator.FeedbackType)
    }

    struct State: Sendable {
        var orientation = UIDeviceOrientation.portrait
        var interface = UIInterfaceOrientation.portrait
        var generators = 0
        var batteryLevel: Float = 1
        var batteryState = UIDevice.BatteryState.unplugged
        var monitorsBattery = false
        var application = UIApplication.State.active
        var keepsAwake = false
        var brightness: CGFloat = 0.5
        var tasks: Set<Int> = []
        var lastTask = 0
        var haptics: [Haptic] = []
        var opened: [URL] = []
        var savedImages: [UIImage] = []
        var savedVideos: [URL] = []
    }

    let state = Mutex(State())

    /// Makes a phone held upright, its battery full, with the app in front.
    public init() { Self.followsCaptures }

    /// Lets scoped conditions go where captures go: to the app's own queues and to the delegates of its outputs.
    private static let followsCaptures: Void = CompanionScopes.add {
        guard let conditions = scoped else { return nil }
        return { body in $scoped.withValue(conditions, operation: body) }
    }

    /// Haptics that the app asked for, in their order.
    public var haptics: [Haptic] { state.withLock { $0.haptics } }
    /// URLs that the app opened, in their order.
    public var openedURLs: [URL] { state.withLock { $0.opened } }
    /// Pictures that the app saved by `UIImageWriteToSavedPhotosAlbum`, in their order.
    public var savedImages: [UIImage] { state.withLock { $0.savedImages } }
    /// Files of the movies that the app saved by `UISaveVideoAtPathToSavedPhotosAlbum`, in their order.
    public var savedVideos: [URL] { state.withLock { $0.savedVideos } }
    /// Number of background tasks that the app began and did not end.
    public var openBackgroundTasks: Int { state.withLock { $0.tasks.count } }

    func note(_ haptic: Haptic) { state.withLock { $0.haptics.append(haptic) } }

    /// Turns the phone, and the interface with it; posts `UIDevice.orientationDidChangeNotification` where the app asked for it.
    @MainActor public func turn(to orientation: UIDeviceOrientation) {
        let isHeard = state.withLock { state in
            defer {
                state.orientation = orientation
                state.interface = UIInterfaceOrientation(phone: orientation) ?? state.interface
            }
            return state.orientation != orientation && state.generators > 0
        }
        if isHeard { post(UIDevice.orientationDidChangeNotification, UIDevice.current) }
    }

    /// Sets the battery's level, 0…1, and state; posts the notifications of what changed where the app monitors the battery.
    @MainActor public func setBattery(level: Float, state batteryState: UIDevice.BatteryState) {
        let (levelChanged, stateChanged) = state.withLock { state in
            defer { (state.batteryLevel, state.batteryState) = (level, batteryState) }
            return (state.monitorsBattery && state.batteryLevel != level, state.monitorsBattery && state.batteryState != batteryState)
        }
        if levelChanged { post(UIDevice.batteryLevelDidChangeNotification, UIDevice.current) }
        if stateChanged { post(UIDevice.batteryStateDidChangeNotification, UIDevice.current) }
    }

    /// Sends the app into the background, with the notifications of a phone; cameras are interrupted by `CaptureConditions`.
    @MainActor public func enterBackground() {
        guard state.withLock({ $0.application }) != .background else { return }
        state.withLock { $0.application = .inactive }
        post(UIApplication.willResignActiveNotification, UIApplication.shared)
        post(UIScene.willDeactivateNotification, UIWindowScene.shared)
        state.withLock { $0.application = .background }
        post(UIApplication.didEnterBackgroundNotification, UIApplication.shared)
        post(UIScene.didEnterBackgroundNotification, UIWindowScene.shared)
    }

    /// Brings the app to the front again, with the notifications of a phone.
    @MainActor public func enterForeground() {
        guard state.withLock({ $0.application }) == .background else { return }
        post(UIApplication.willEnterForegroundNotification, UIApplication.shared)
        post(UIScene.willEnterForegroundNotification, UIWindowScene.shared)
        state.withLock { $0.application = .active }
        post(UIApplication.didBecomeActiveNotification, UIApplication.shared)
        post(UIScene.didActivateNotification, UIWindowScene.shared)
    }

    @MainActor private func post(_ name: Notification.Name, _ object: AnyObject) { NotificationCenter.default.post(name: name, object: object) }
}
