import Foundation
import Synchronization

/// Values that an observer is handed, and the times it is called.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    /// Bit mask of the options.
    public let rawValue: UInt
    /// Makes options from a bit mask.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The value after each change.
    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    /// The value before each change.
    public static let old = NSKeyValueObservingOptions(rawValue: 2)
    /// One call at once, with the value at hand.
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
    /// One more call ahead of each change, without the new value.
    public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

/// Kind of change of a property; here every change is a setting.
public enum NSKeyValueChange: UInt, Sendable {
    /// The value was set.
    case setting = 1
    /// Elements of a collection were inserted; never here.
    case insertion = 2
    /// Elements of a collection were removed; never here.
    case removal = 3
    /// Elements of a collection were replaced; never here.
    case replacement = 4
}

/// One change of one property.
public struct NSKeyValueObservedChange<Value> {
    /// Kind of change.
    public typealias Kind = NSKeyValueChange
    /// Kind of change: always a setting.
    public var kind: Kind { .setting }
    /// Indexes of changed elements: nil, as values are only set.
    public var indexes: IndexSet? { nil }
    /// Value before the change; nil unless asked for with `.old`.
    public let oldValue: Value?
    /// Value after the change; nil unless asked for with `.new`, and ahead of the change.
    public let newValue: Value?
    /// Whether this is the call ahead of a change.
    public let isPrior: Bool
}

extension NSKeyValueObservedChange: Sendable where Value: Sendable {}

/// Registration of an observer, which lasts as long as somebody holds it.
public final class NSKeyValueObservation: NSObject, @unchecked Sendable {
    private let stop: Mutex<(@Sendable () -> Void)?>

    package init(stop: @escaping @Sendable () -> Void) { self.stop = Mutex(stop) }
    deinit { invalidate() }

    /// Ends the observation; does nothing the second time.
    public func invalidate() {
        let stop = stop.withLock { stop in
            defer { stop = nil }
            return stop
        }
        stop?()
    }
}

/// Observers of one object, and the only code that notifies them; nothing in it is for clients.
public final class _KeyValueObservers: Sendable {
    /// Key paths of properties capture nothing, so they may cross threads.
    struct Entry: @unchecked Sendable {
        let id: Int
        let keyPath: AnyKeyPath
        /// Called ahead of a change; nil where the observer did not ask for that.
        let announce: (@Sendable (_ old: any Sendable) -> Void)?
        let deliver: @Sendable (_ old: any Sendable, _ new: any Sendable) -> Void
    }

    private struct State {
        var entries: [Entry] = []
        var nextID = 0
    }

    private let state = Mutex(State())

    package init() {}

    package func add(
        _ keyPath: AnyKeyPath, announce: (@Sendable (any Sendable) -> Void)? = nil,
        _ deliver: @escaping @Sendable (any Sendable, any Sendable) -> Void
    ) -> NSKeyValueObservation {
        let id = state.withLock {
            $0.nextID += 1
            return $0.nextID
        }
        let entry = Entry(id: id, keyPath: keyPath, announce: announce, deliver: deliver)
        state.withLock { $0.entries.append(entry) }
        return NSKeyValueObservation { [weak self] in self?.state.withLock { $0.entries.removeAll { $0.id == id } } }
    }

    package var isObserved: Bool { state.withLock { !$0.entries.isEmpty } }

    /// Whether an observer asked to be called ahead of changes.
    package var areForewarned: Bool { state.withLock { $0.entries.contains { $0.announce != nil } } }

    /// Notifies observers ahead of a change that will come; call without holding a lock.
    package func willChange<Root, Value: Sendable & Equatable>(_ keyPath: KeyPath<Root, Value>, from old: Value, to new: Value) {
        guard old != new else { return }
        for entry in entries(for: keyPath) { entry.announce?(old) }
    }

    /// Notifies observers after a change, ahead of it too those that `willChange` did not; call without holding a lock.
    package func changed<Root, Value: Sendable & Equatable>(
        _ keyPath: KeyPath<Root, Value>, from old: Value, to new: Value, wasAnnounced: Bool = false
    ) {
        guard old != new else { return }
        for entry in entries(for: keyPath) {
            if !wasAnnounced { entry.announce?(old) }
            entry.deliver(old, new)
        }
    }

    /// Makes one change and notifies observers before and after; call without holding a lock, where nobody else makes another meanwhile.
    package func change<Root, Value: Sendable & Equatable>(_ keyPath: KeyPath<Root, Value>, from old: Value, to new: Value, _ body: () -> Void) {
        willChange(keyPath, from: old, to: new)
        body()
        changed(keyPath, from: old, to: new, wasAnnounced: true)
    }

    private func entries(for keyPath: AnyKeyPath) -> [Entry] { state.withLock { $0.entries }.filter { $0.keyPath == keyPath } }
}

/// Role of an object with observable properties.
public protocol _KeyValueObservable: AnyObject, Sendable {
    /// Observers of the object; nothing in it is for clients.
    var _observers: _KeyValueObservers { get }
}

extension _KeyValueObservable {
    /// Calls `changeHandler` after every change of an observable property, on the thread that changed it.
    public func observe<Value: Sendable>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        let announce: @Sendable (any Sendable) -> Void = { [weak self] old in
            guard let self else { return }
            let before = options.contains(.old) ? old as? Value : nil
            changeHandler(self, NSKeyValueObservedChange(oldValue: before, newValue: nil, isPrior: true))
        }
        let observation = _observers.add(keyPath, announce: options.contains(.prior) ? announce : nil) { [weak self] old, new in
            guard let self else { return }
            let before = options.contains(.old) ? old as? Value : nil
            let after = options.contains(.new) ? new as? Value : nil
            changeHandler(self, NSKeyValueObservedChange(oldValue: before, newValue: after, isPrior: false))
        }
        if options.contains(.initial) {
            let value = options.contains(.new) ? self[keyPath: keyPath] : nil
            changeHandler(self, NSKeyValueObservedChange(oldValue: nil, newValue: value, isPrior: false))
        }
        return observation
    }
}
