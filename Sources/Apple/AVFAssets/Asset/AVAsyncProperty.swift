import AVFCapture
import Foundation

/// Object whose properties are loaded when they are asked for.
public protocol AVAsynchronousKeyValueLoading {}

/// Name of a property of `Root`, whose type is in `AVAsyncProperty`.
open class AVPartialAsyncProperty<Root: AVAsynchronousKeyValueLoading>: @unchecked Sendable {
    fileprivate init() {}
}

/// Name of a property of `Root` to load, as `.duration`.
public final class AVAsyncProperty<Root: AVAsynchronousKeyValueLoading, Value>: AVPartialAsyncProperty<Root>, @unchecked Sendable {
    fileprivate let read: (Root) throws -> Value
    /// Whether reading it takes no time any more.
    fileprivate let isLoaded: (Root) -> Bool

    init(isLoaded: @escaping (Root) -> Bool, _ read: @escaping (Root) throws -> Value) {
        (self.read, self.isLoaded) = (read, isLoaded)
        super.init()
    }

    /// State of a property, with its value.
    public enum Status {
        /// Nobody has asked for it yet.
        case notYetLoaded
        /// It is being loaded; never seen here, where loading is one step.
        case loading
        /// It is there.
        case loaded(Value)
        /// It could not be loaded.
        case failed(NSError)
    }
}

extension AVAsynchronousKeyValueLoading {
    /// Loads a property. Throws `AVError`, or an `NSError` of `NSURLErrorDomain` for a file that is not there.
    public func load<T>(_ property: AVAsyncProperty<Self, T>) async throws -> T { try property.read(self) }

    /// Loads several properties; as with one.
    public func load<A, B, each C>(
        _ propertyA: AVAsyncProperty<Self, A>, _ propertyB: AVAsyncProperty<Self, B>, _ rest: repeat AVAsyncProperty<Self, each C>
    ) async throws -> (A, B, repeat each C) {
        (try propertyA.read(self), try propertyB.read(self), repeat try (each rest).read(self))
    }

    /// Returns the state of a property without loading it.
    public func status<T>(of property: AVAsyncProperty<Self, T>) -> AVAsyncProperty<Self, T>.Status {
        guard property.isLoaded(self) else { return .notYetLoaded }
        do { return .loaded(try property.read(self)) } catch { return .failed(error as NSError) }
    }
}
