import AVFCapture
import CoreVideo

extension AVPlayer {
    /// Calls `changeHandler` after every change of an observable property, on the thread that changed it, also of a queue player.
    public func observe<Value: Sendable>(
        _ keyPath: KeyPath<AVPlayer, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping @Sendable (AVPlayer, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation { observation(of: self, keyPath, options, changeHandler) }
}

extension AVPlayerItem {
    /// Calls `changeHandler` after every change of an observable property, on the thread that changed it, also of an item of a class made from this one.
    public func observe<Value: Sendable>(
        _ keyPath: KeyPath<AVPlayerItem, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping @Sendable (AVPlayerItem, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation { observation(of: self, keyPath, options, changeHandler) }
}
