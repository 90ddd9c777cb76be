import Foundation
import Synchronization

/// Which values an observer is handed.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    public static let old = NSKeyValueObservingOptions(rawValue: 2)
    /// One call at once, with the value at hand.
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
    /// One call more ahead of each change, without the new value.
    public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

/// What became of a property; single values are only ever set.
public enum NSKeyValueChange: UInt, Sendable {
    case setting = 1
    case insertion = 2
    case removal = 3
    case replacement = 4
}

/// One change of one property.
public struct NSKeyValueObservedChange<Value> {
    public typealias Kind = NSKeyValueChange
    public var kind: Kind { .setting }
    public var indexes: IndexSet? { nil }
    public let oldValue: Value?
    public let newValue: Value?
    /// The call ahead of a change.
    public let isPrior: Bool
}

extension NSKeyValueObservedChange: Sendable where Value: Sendable {}

/// Lasts as long as somebody holds it.
public final class NSKeyValueObservation: NSObject, @unchecked Sendable {
    private let stop: Mutex<(@Sendable () -> Void)?>

    init(stop: @escaping @Sendable () -> Void) { self.stop = Mutex(stop) }
    deinit { invalidate() }

    public func invalidate() {
        let stop = stop.withLock { stop in
            defer { stop = nil }
            return stop
        }
        stop?()
    }
}

/// The observers of one object, and the one place that tells them; nothing in it is for clients.
public final class _KeyValueObservers: Sendable {
    /// Key paths of properties capture nothing.
    struct Entry: @unchecked Sendable {
        let id: Int
        let keyPath: AnyKeyPath
        /// Called ahead of a change, where the observer asked for that.
        let announce: (@Sendable (_ old: any Sendable) -> Void)?
        let deliver: @Sendable (_ old: any Sendable, _ new: any Sendable) -> Void
    }

    private struct State {
        var entries: [Entry] = []
        var nextID = 0
    }

    private let state = Mutex(State())

    func add(
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

    var isObserved: Bool { state.withLock { !$0.entries.isEmpty } }

    /// Whether somebody wants to know ahead.
    var areForewarned: Bool { state.withLock { $0.entries.contains { $0.announce != nil } } }

    /// Call without holding a lock, ahead of a change that will come.
    func willChange<Root, Value: Sendable & Equatable>(_ keyPath: KeyPath<Root, Value>, from old: Value, to new: Value) {
        guard old != new else { return }
        for entry in entries(for: keyPath) { entry.announce?(old) }
    }

    /// Call without holding a lock, after the change; who is to be told ahead and was not by `willChange` is told now.
    func changed<Root, Value: Sendable & Equatable>(
        _ keyPath: KeyPath<Root, Value>, from old: Value, to new: Value, wasAnnounced: Bool = false
    ) {
        guard old != new else { return }
        for entry in entries(for: keyPath) {
            if !wasAnnounced { entry.announce?(old) }
            entry.deliver(old, new)
        }
    }

    /// Announces, makes and tells one change; call without holding a lock, where nobody else makes another meanwhile.
    func change<Root, Value: Sendable & Equatable>(_ keyPath: KeyPath<Root, Value>, from old: Value, to new: Value, _ body: () -> Void) {
        willChange(keyPath, from: old, to: new)
        body()
        changed(keyPath, from: old, to: new, wasAnnounced: true)
    }

    private func entries(for keyPath: AnyKeyPath) -> [Entry] { state.withLock { $0.entries }.filter { $0.keyPath == keyPath } }
}

/// An object some of whose properties can be observed.
public protocol _KeyValueObservable: AnyObject, Sendable {
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
