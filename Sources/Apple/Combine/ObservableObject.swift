/// Object that announces the changes of its published properties.
public protocol ObservableObject: AnyObject {
    /// Type of the publisher.
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher where ObjectWillChangePublisher.Failure == Never
    /// Publisher of an event just before each change.
    var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    /// Publisher that the object's `@Published` properties share; one without a source where it has none.
    public var objectWillChange: ObservableObjectPublisher {
        var properties: [any AnnouncingProperty] = []
        var mirror: Mirror? = Mirror(reflecting: self)
        while let fields = mirror {
            properties += fields.children.compactMap { ($0.value as? any AnnouncedField)?.property }
            mirror = fields.superclassMirror
        }
        let publisher = properties.lazy.compactMap { $0.announcer.withLock { $0 } }.first ?? ObservableObjectPublisher()
        for property in properties { property.announcer.withLock { $0 = $0 ?? publisher } }
        return publisher
    }
}

/// Publisher of an object's changes.
public final class ObservableObjectPublisher: Publisher, @unchecked Sendable {
    /// Type of the values: none.
    public typealias Output = Void
    /// Type of failure: none.
    public typealias Failure = Never
    private let hub = Hub<Void, Never>()

    /// Makes a publisher without subscribers.
    public init() {}
    /// Announces a change.
    public func send() { hub.send(()) }
    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never { hub.attach(subscriber, latest: nil) }
}
