import Foundation

/// Value of the user's defaults under a key.
@propertyWrapper
public struct AppStorage<Value> {
    private let read: () -> Value
    private let write: (Value) -> Void

    private init(_ usual: Value, _ key: String, _ store: UserDefaults?, as read: @escaping (Any) -> Value?, stored: @escaping (Value) -> Any?) {
        let store = store ?? .standard
        self.read = { store.object(forKey: key).flatMap(read) ?? usual }
        write = { store.set(stored($0), forKey: key) }
    }

    /// The value; the default where there is none.
    public var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue) }
    }
    /// Binding to the value.
    public var projectedValue: Binding<Value> { Binding(get: read, set: write) }
}

extension AppStorage where Value == Bool {
    /// Makes a truth value, by default `wrappedValue`.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(wrappedValue, key, store, as: { $0 as? Bool ?? ($0 as? NSNumber)?.boolValue }, stored: { $0 })
    }
}

extension AppStorage where Value == Int {
    /// Makes a whole number, by default `wrappedValue`.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(wrappedValue, key, store, as: { $0 as? Int ?? ($0 as? NSNumber)?.intValue }, stored: { $0 })
    }
}

extension AppStorage where Value == Double {
    /// Makes a number, by default `wrappedValue`.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(wrappedValue, key, store, as: { $0 as? Double ?? ($0 as? NSNumber)?.doubleValue }, stored: { $0 })
    }
}

extension AppStorage where Value == String {
    /// Makes a text, by default `wrappedValue`.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(wrappedValue, key, store, as: { $0 as? String }, stored: { $0 })
    }
}

extension AppStorage where Value: RawRepresentable, Value.RawValue == String {
    /// Makes a value with a text, by default `wrappedValue`.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(wrappedValue, key, store, as: { ($0 as? String).flatMap(Value.init(rawValue:)) }, stored: { $0.rawValue })
    }
}

extension AppStorage where Value: RawRepresentable, Value.RawValue == Int {
    /// Makes a value with a number, by default `wrappedValue`.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(
            wrappedValue, key, store, as: { ($0 as? Int ?? ($0 as? NSNumber)?.intValue).flatMap(Value.init(rawValue:)) }, stored: { $0.rawValue })
    }
}
