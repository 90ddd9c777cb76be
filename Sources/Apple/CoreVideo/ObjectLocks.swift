import Foundation
import Synchronization

/// Locks of objects that somebody waits for or holds, by the objects' identities.
private let locks = Mutex<[ObjectIdentifier: (lock: NSRecursiveLock, uses: Int)]>([:])

/// Waits until no other thread holds the object's lock, and takes it; the same thread may do so again. Returns 0.
@discardableResult
public func objc_sync_enter(_ obj: Any!) -> Int32 {
    let identity = ObjectIdentifier(obj as AnyObject)
    let lock = locks.withLock { locks in
        let lock = locks[identity]?.lock ?? NSRecursiveLock()
        locks[identity] = (lock, (locks[identity]?.uses ?? 0) + 1)
        return lock
    }
    lock.lock()
    return 0
}

/// Lets the object's lock go, once for each time that it was taken. Returns 0, or -1 for a lock that nobody holds.
@discardableResult
public func objc_sync_exit(_ obj: Any!) -> Int32 {
    let identity = ObjectIdentifier(obj as AnyObject)
    let lock = locks.withLock { locks -> NSRecursiveLock? in
        guard let (lock, uses) = locks[identity] else { return nil }
        locks[identity] = uses > 1 ? (lock, uses - 1) : nil
        return lock
    }
    lock?.unlock()
    return lock == nil ? -1 : 0
}
