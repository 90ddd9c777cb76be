/// Property whose changes are published, and announced by the object that it belongs to.
///
/// Its publisher sends the new value just before the property changes.
@propertyWrapper
public struct Published<Value> {
    private let box: Box

    /// Makes a property with a value.
    public init(wrappedValue: Value) { box = Box(wrappedValue) }
    /// Makes a property with a value.
    public init(initialValue: Value) { box = Box(initialValue) }

    final class Box: @unchecked Sendable, AnnouncingProperty {
        let value: Guarded<Value>
        let hub = Hub<Value, Never>()
        let announcer = Guarded<ObservableObjectPublisher?>(nil)
        let sources = Guarded<[AnyCancellable]>([])

        init(_ value: Value) { self.value = Guarded(value) }

        func set(_ new: Value) {
            announcer.withLock { $0 }?.send()
            hub.send(new)
            _ = value.exchange(new)
        }
    }

    var property: any AnnouncingProperty { box }

    /// Publisher of the property: its value first, then each new one.
    public struct Publisher: Combine.Publisher {
        /// Type of the values.
        public typealias Output = Value
        /// Type of failure: none.
        public typealias Failure = Never
        let box: Box

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
            box.hub.attach(subscriber, latest: { [box] in box.value.withLock { $0 } })
        }

        /// Writes another publisher's values to the property, for as long as it lives.
        func republish(_ source: some Combine.Publisher<Value, Never>) {
            let token = source.sink { [weak box] in box?.set($0) }
            box.sources.withLock { $0.append(token) }
        }
    }

    /// Publisher of the property.
    public var projectedValue: Publisher {
        get { Publisher(box: box) }
        set {}
    }

    /// Value; only of properties of classes.
    @available(*, unavailable, message: "@Published is only available on properties of classes")
    public var wrappedValue: Value {
        get { fatalError("@Published is only available on properties of classes") }
        set { fatalError("@Published is only available on properties of classes") }
    }

    /// Value of a class's property.
    public static subscript<EnclosingSelf: AnyObject>(
        _enclosingInstance object: EnclosingSelf, wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
        storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
    ) -> Value {
        get { object[keyPath: storageKeyPath].box.value.withLock { $0 } }
        set { object[keyPath: storageKeyPath].box.set(newValue) }
    }
}

extension Published: AnnouncedField {}

/// Field of an object that holds a published property.
protocol AnnouncedField {
    var property: any AnnouncingProperty { get }
}

/// Property that announces its changes.
protocol AnnouncingProperty: AnyObject {
    var announcer: Guarded<ObservableObjectPublisher?> { get }
}
