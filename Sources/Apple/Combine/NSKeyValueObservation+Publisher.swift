import CoreVideo
import Foundation

extension _KeyValueObservable {
    /// Publisher of an observable property: its value first where `.initial` is among the options, then each new one.
    ///
    /// A subscriber that asks for no more gets the newest value when it asks again. The object is held until the subscriber cancels.
    public func publisher<Value: Sendable>(
        for keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [.initial, .new]
    ) -> AnyPublisher<Value, Never> {
        Deferred {
            // Locks itself.
            nonisolated(unsafe) let subject = CurrentValueSubject<Value?, Never>(nil)
            let observation = self.observe(keyPath, options: .new) { _, change in
                if let value = change.newValue { subject.send(value) }
            }
            // Read once changes are seen, so that none lies between.
            if options.contains(.initial), subject.value == nil { subject.send(self[keyPath: keyPath]) }
            return subject.compactMap { $0 }.handleEvents(receiveCancel: { observation.invalidate() })
        }
        .eraseToAnyPublisher()
    }
}
