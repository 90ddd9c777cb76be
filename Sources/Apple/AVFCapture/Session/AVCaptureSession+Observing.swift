import CoreVideo

extension AVCaptureSession {
    /// Calls `changeHandler` after every change of an observable property, on the thread that changed it, also of a session of a class made from this one.
    public func observe<Value: Sendable>(
        _ keyPath: KeyPath<AVCaptureSession, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping @Sendable (AVCaptureSession, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation { observation(of: self, keyPath, options, changeHandler) }
}

/// Observation by key paths of the class that declares the properties: those of a class made from it are other key paths, to which no change belongs.
package func observation<Object: _KeyValueObservable, Value: Sendable>(
    of object: Object, _ keyPath: KeyPath<Object, Value>, _ options: NSKeyValueObservingOptions,
    _ changeHandler: @escaping @Sendable (Object, NSKeyValueObservedChange<Value>) -> Void
) -> NSKeyValueObservation { object.observe(keyPath, options: options, changeHandler: changeHandler) }
