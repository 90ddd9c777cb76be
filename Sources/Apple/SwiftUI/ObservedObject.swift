import Combine
import Foundation

/// Object that a view watches.
@propertyWrapper @MainActor
public struct ObservedObject<ObjectType: ObservableObject> {
    /// The object.
    public var wrappedValue: ObjectType

    /// Watches an object.
    public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }
    /// Watches an object.
    public init(initialValue: ObjectType) { wrappedValue = initialValue }

    /// Bindings to the object's properties.
    public var projectedValue: Wrapper { Wrapper(object: wrappedValue) }

    /// Bindings to an object's properties.
    @dynamicMemberLookup @MainActor
    public struct Wrapper {
        let object: ObjectType

        /// Binding to a property of the object.
        public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>) -> Binding<Subject> {
            let object = object
            return Binding(get: { object[keyPath: keyPath] }, set: { object[keyPath: keyPath] = $0 })
        }
    }
}

/// Object that a view owns, made when it is first asked for.
@propertyWrapper @MainActor
public struct StateObject<ObjectType: ObservableObject> {
    private let box: Box

    @MainActor private final class Box {
        let make: () -> ObjectType
        lazy var object = make()
        init(_ make: @escaping () -> ObjectType) { self.make = make }
    }

    /// Owns the object that the expression makes.
    public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) { box = Box(thunk) }

    /// The object.
    public var wrappedValue: ObjectType { box.object }
    /// Bindings to the object's properties.
    public var projectedValue: ObservedObject<ObjectType>.Wrapper { ObservedObject<ObjectType>.Wrapper(object: box.object) }
}

/// Object in which a binding to each property of an observable object can be had.
@propertyWrapper @dynamicMemberLookup
public struct Bindable<Value> {
    /// The object.
    public var wrappedValue: Value
    /// The wrapper itself.
    public var projectedValue: Bindable<Value> { self }

    /// Wraps an object.
    public init(wrappedValue: Value) where Value: AnyObject { self.wrappedValue = wrappedValue }
    /// Wraps an object.
    public init(_ wrappedValue: Value) where Value: AnyObject { self.wrappedValue = wrappedValue }

    /// Binding to a property of the object.
    public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>) -> Binding<Subject> {
        let object = wrappedValue
        return Binding(get: { object[keyPath: keyPath] }, set: { object[keyPath: keyPath] = $0 })
    }
}
