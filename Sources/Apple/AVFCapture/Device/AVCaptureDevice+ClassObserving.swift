import Foundation
import Synchronization

/// Key of a value in the change that an observer by string receives.
public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
    /// Name of the key.
    public let rawValue: String
    /// Makes a key from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Value after the change; absent where it is nil or was not asked for.
    public static let newKey = NSKeyValueChangeKey(rawValue: "new")
    /// Value before the change; absent where it was nil or was not asked for.
    public static let oldKey = NSKeyValueChangeKey(rawValue: "old")
    /// Kind of change, the raw value of an `NSKeyValueChange`.
    public static let kindKey = NSKeyValueChangeKey(rawValue: "kind")
    /// True in the call ahead of a change, which only `.prior` brings.
    public static let notificationIsPriorKey = NSKeyValueChangeKey(rawValue: "notificationIsPrior")
}

/// Role of an object that observes by string key path.
///
/// On Apple's systems every `NSObject` plays it, and overrides the method; on Linux a class states its conformance.
public protocol NSKeyValueObserving: NSObject {
    /// Called on the thread of the change; `object` is the observed class.
    func observeValue(forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?, context: UnsafeMutableRawPointer?)
}

extension AVCaptureDevice {
    /// Observes a property of the class: `systemPreferredCamera` or `userPreferredCamera`. The observer must be `NSKeyValueObserving`.
    public class func addObserver(
        _ observer: NSObject, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [], context: UnsafeMutableRawPointer?
    ) {
        let environment = CaptureEnvironment.current
        guard let observer = observer as? any NSKeyValueObserving, ["systemPreferredCamera", "userPreferredCamera"].contains(keyPath) else {
            return environment.diagnose(
                "\(type(of: observer)) observes nothing: \(keyPath) is no observable property of the class, or it is no NSKeyValueObserving")
        }
        let watcher = PreferredCameraWatcher(observer: observer, keyPath: keyPath, options: options, context: context, known: preferred(keyPath))
        environment.conditions.state.withLock { state in
            state.preferenceWatchers.removeAll { $0.observer == nil }
            state.preferenceWatchers.append(watcher)
        }
        if options.contains(.initial) { watcher.tell(old: nil, new: watcher.known) }
    }

    /// Ends all observations of the key path by this observer, whatever their context.
    public class func removeObserver(_ observer: NSObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer? = nil) {
        CaptureEnvironment.current.conditions.state.withLock { state in
            state.preferenceWatchers.removeAll { $0.observer == nil || ($0.observer === observer && $0.keyPath == keyPath) }
        }
    }

    fileprivate class func preferred(_ keyPath: String) -> AVCaptureDevice? {
        keyPath == "userPreferredCamera" ? userPreferredCamera : systemPreferredCamera
    }
}

/// Observer of a preferred camera, and the camera it was notified of last.
struct PreferredCameraWatcher: @unchecked Sendable {
    weak var observer: (any NSKeyValueObserving)?
    let keyPath: String
    let options: NSKeyValueObservingOptions
    let context: UnsafeMutableRawPointer?
    var known: AVCaptureDevice?

    func tell(old: AVCaptureDevice?, new: AVCaptureDevice?) {
        guard let observer else { return }
        var change: [NSKeyValueChangeKey: Any] = [.kindKey: NSKeyValueChange.setting.rawValue]
        if options.contains(.old) { change[.oldKey] = old }
        if options.contains(.prior) {
            observer.observeValue(
                forKeyPath: keyPath, of: AVCaptureDevice.self, change: change.merging([.notificationIsPriorKey: true]) { $1 }, context: context)
        }
        if options.contains(.new) { change[.newKey] = new }
        observer.observeValue(forKeyPath: keyPath, of: AVCaptureDevice.self, change: change, context: context)
    }
}

extension CaptureConditions {
    /// Notifies the observers of the class after the user chose, or a camera came or went.
    func tellPreferences() {
        guard CaptureEnvironment.current.conditions === self, state.withLock({ !$0.preferenceWatchers.isEmpty }) else { return }
        let now = ["systemPreferredCamera": AVCaptureDevice.systemPreferredCamera, "userPreferredCamera": AVCaptureDevice.userPreferredCamera]
        let due = state.withLock { state in
            let due = state.preferenceWatchers.filter { $0.known !== now[$0.keyPath] ?? nil }
            for index in state.preferenceWatchers.indices {
                state.preferenceWatchers[index].known = now[state.preferenceWatchers[index].keyPath] ?? nil
            }
            return due
        }
        for watcher in due { watcher.tell(old: watcher.known, new: now[watcher.keyPath] ?? nil) }
    }
}
