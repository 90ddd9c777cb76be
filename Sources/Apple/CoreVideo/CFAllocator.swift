/// Memory source of a buffer: always the C library's heap here, so an allocator only says whether memory is given away or lent.
public final class CFAllocator: Sendable {
    fileprivate init() {}
}

/// Default allocator, spelled nil; memory handed over with it is freed by its new owner.
public let kCFAllocatorDefault: CFAllocator? = nil
/// Allocator that never frees: memory handed over with it stays the caller's.
public let kCFAllocatorNull: CFAllocator? = CFAllocator()
