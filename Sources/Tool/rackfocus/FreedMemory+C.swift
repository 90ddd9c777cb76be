internal import CMalloc

/// Memory that is freed and soon wanted again.
enum FreedMemory {
    /// Largest block that comes from the heap, bytes: glibc's own limit for it, which it nears only as such blocks are freed.
    private static let largestBlock: Int32 = 32 << 20

    /// Keeps maps and masks of a few megabytes, made for every frame, in the heap, and the heap's end with the process: glibc would give their pages back
    /// and clear new ones each time.
    static func keep() {
        mallopt(M_MMAP_THRESHOLD, largestBlock)
        mallopt(M_TRIM_THRESHOLD, 2 * largestBlock)
    }
}
