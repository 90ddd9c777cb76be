import Foundation
import Synchronization

/// Under what an observer by string finds the values of a change.
public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let newKey = NSKeyValueChangeKey(rawValue: "new")
    public static let oldKey = NSKeyValueChangeKey(rawValue: "old")
    public static let kindKey = NSKeyValueChangeKey(rawValue: "kind")
    public static let notificationIsPriorKey = NSKeyValueChangeKey(rawValue: "notificationIsPrior")
}

/// What observes by string. On Apple's systems every `NSObject` does, and overrides the method; on Linux a class says that it does.
public protocol NSKeyValueObserving: NSObject {
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

    public class func removeObserver(_ observer: NSObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer? = nil) {
        CaptureEnvironment.current.conditions.state.withLock { state in
            state.preferenceWatchers.removeAll { $0.observer == nil || ($0.observer === observer && $0.keyPath == keyPath) }
        }
    }

    fileprivate class func preferred(_ keyPath: String) -> AVCaptureDevice? {
        keyPath == "userPreferredCamera" ? userPreferredCamera : systemPreferredCamera
    }
}

/// One who observes a preferred camera, and the camera it knows of.
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
    /// The user chose, or a camera came or went: tells those who observe the class.
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
