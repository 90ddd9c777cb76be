import Foundation

extension NotificationCenter {
    /// Adds an observer, as Foundation's method does; the token may be left, as from Apple's.
    @discardableResult
    @preconcurrency
    public func addObserver(
        forName name: Notification.Name?, object: AnyObject?, queue: OperationQueue?, using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol {
        addObserver(forName: name, object: object as Any?, queue: queue, using: block)
    }
}
