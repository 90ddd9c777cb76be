/// Activity that can be ended.
public protocol Cancellable {
    /// Ends the activity and frees what it holds; without effect the second time.
    func cancel()
}

extension Cancellable {
    /// Keeps the activity alive for as long as a collection holds it.
    public func store(in collection: inout some RangeReplaceableCollection<AnyCancellable>) { collection.append(AnyCancellable(self)) }
    /// Keeps the activity alive for as long as a set holds it.
    public func store(in set: inout Set<AnyCancellable>) { set.insert(AnyCancellable(self)) }
}
