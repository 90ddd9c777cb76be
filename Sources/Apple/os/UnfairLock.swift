import Foundation
import Synchronization

/// Lock of one word, for memory that stays where it is. Whoever locked it unlocks it; locking it twice ends the program, as on Apple's systems.
public struct os_unfair_lock_s: Sendable {
    /// Number of the thread that holds it; 0 for none.
    private var holder: UInt32 = 0
    /// Makes an unlocked lock.
    public init() {}
}

/// Lock of one word, by its usual name.
public typealias os_unfair_lock = os_unfair_lock_s
/// Place of a lock of one word.
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock_s>

/// The word of a lock, changed by one instruction.
private func word(_ lock: os_unfair_lock_t) -> UnsafeMutablePointer<Atomic<UInt32>> {
    UnsafeMutableRawPointer(lock).assumingMemoryBound(to: Atomic<UInt32>.self)
}

/// Page of this thread's control block, which no other thread has; never 0.
private var thisThread: UInt32 { max(1, UInt32(truncatingIfNeeded: pthread_self() >> 12)) }

/// Waits until the lock is free, and takes it.
public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) {
    let thread = thisThread
    var tries = 0
    while true {
        let holder = word(lock).pointee.compareExchange(expected: 0, desired: thread, ordering: .acquiring)
        if holder.exchanged { return }
        precondition(holder.original != thread, "os_unfair_lock_lock: this thread holds the lock already")
        tries += 1
        // Such locks are held for moments: give way to the holder, which may be waiting for this core, before sleeping.
        if tries < 64 { sched_yield() } else { usleep(50) }
    }
}

/// Takes the lock if it is free; false for one that is held.
public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool {
    word(lock).pointee.compareExchange(expected: 0, desired: thisThread, ordering: .acquiring).exchanged
}

/// Lets the lock go.
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) {
    os_unfair_lock_assert_owner(lock)
    word(lock).pointee.store(0, ordering: .releasing)
}

/// Ends the program where another thread holds the lock, or none.
public func os_unfair_lock_assert_owner(_ lock: os_unfair_lock_t) {
    precondition(word(lock).pointee.load(ordering: .relaxed) == thisThread, "os_unfair_lock: this thread does not hold the lock")
}

/// Ends the program where this thread holds the lock.
public func os_unfair_lock_assert_not_owner(_ lock: os_unfair_lock_t) {
    precondition(word(lock).pointee.load(ordering: .relaxed) != thisThread, "os_unfair_lock: this thread holds the lock")
}
