/// Activity that ends when nobody holds this object any more.
public final class AnyCancellable: Cancellable, Hashable, @unchecked Sendable {
    private let end: Guarded<(() -> Void)?>

    /// Makes an activity that ends with a call of `cancel`, at most one.
    public init(_ cancel: @escaping () -> Void) { end = Guarded(cancel) }
    /// Makes an activity that ends with another one.
    public init(_ canceller: some Cancellable) { end = Guarded { canceller.cancel() } }
    deinit { cancel() }

    /// Ends the activity; without effect the second time.
    public func cancel() { end.exchange(nil)?() }

    /// Keeps the activity alive for as long as a collection holds it.
    public func store(in collection: inout some RangeReplaceableCollection<AnyCancellable>) { collection.append(self) }
    /// Keeps the activity alive for as long as a set holds it.
    public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }

    /// Whether both are the same object.
    public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool { lhs === rhs }
    /// Feeds the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
