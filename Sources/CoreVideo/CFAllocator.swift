/// What memory comes from: here always the C library's, so that an allocator only says whether memory is given away or lent.
public final class CFAllocator: Sendable {
    fileprivate init() {}
}

public let kCFAllocatorDefault: CFAllocator? = nil
/// Memory handed over with it stays the caller's.
public let kCFAllocatorNull: CFAllocator? = CFAllocator()
