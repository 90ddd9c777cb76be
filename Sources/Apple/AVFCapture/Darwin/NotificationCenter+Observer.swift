import Foundation

extension NotificationCenter {
    /// Adds an observer, as Foundation's method does; the token may be left, as from Apple's.
    ///
    /// An observer of the main queue hears at once of notifications that are posted from it: Foundation on Linux waits there for the queue itself, but on the
    /// main thread, which does not serve that queue in a test.
    @discardableResult
    @preconcurrency
    public func addObserver(
        forName name: Notification.Name?, object: AnyObject?, queue: OperationQueue?, using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol {
        guard let queue, queue === OperationQueue.main else { return addObserver(forName: name, object: object as Any?, queue: queue, using: block) }
        return addObserver(forName: name, object: object as Any?, queue: nil) { notification in
            guard !MainQueue.isCurrent else { return block(notification) }
            nonisolated(unsafe) let notification = notification
            queue.addOperations([BlockOperation { block(notification) }], waitUntilFinished: true)
        }
    }
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
