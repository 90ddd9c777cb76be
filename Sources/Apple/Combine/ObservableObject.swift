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
