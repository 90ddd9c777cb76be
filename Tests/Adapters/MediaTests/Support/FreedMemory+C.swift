import CMalloc

/// Contents of memory that was freed and is given out again.
enum FreedMemory {
    /// Runs `body` while glibc fills such memory with a byte made of `garbage`; 0 leaves it as it is.
    static func with<Result>(garbage: Int32, _ body: () throws -> Result) rethrows -> Result {
        mallopt(M_PERTURB, garbage)
        defer { mallopt(M_PERTURB, 0) }
        return try body()
    }
}
