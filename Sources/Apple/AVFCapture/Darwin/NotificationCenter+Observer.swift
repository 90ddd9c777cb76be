import Foundation

extension NotificationCenter {
    /// Adds an observer, as Foundation's method does; the token may be left, as from Apple's.
    ///
    /// In a test it hears nothing of the phones of tests that run beside, where `object` does not tell them apart: center and process info are shared.
    ///
    /// An observer of the main queue hears at once of notifications that are posted from it: Foundation on Linux waits there for the queue itself, but on the
    /// main thread, which does not serve that queue in a test.
    @discardableResult
    @preconcurrency
    public func addObserver(
        forName name: Notification.Name?, object: AnyObject?, queue: OperationQueue?, using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol {
        let conditions = object == nil || object is ProcessInfo ? CaptureEnvironment.bound?.conditions : nil
        return addObserver(forName: name, object: object as Any?, queue: nil) { notification in
            // An app that outlives its phone hears of the next.
            if let conditions, !conditions.isOver, let others = CaptureEnvironment.bound?.conditions, others !== conditions { return }
            guard let queue, !queue.isCurrent else { return block(notification) }
            nonisolated(unsafe) let notification = notification
            queue.addOperations([BlockOperation { block(notification) }], waitUntilFinished: true)
        }
    }
}

extension OperationQueue {
    fileprivate var isCurrent: Bool { self === OperationQueue.current || self === OperationQueue.main && MainQueue.isCurrent }
}

/// Mark of the main queue.
private enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}
