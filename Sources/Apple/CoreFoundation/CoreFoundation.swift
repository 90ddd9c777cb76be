@_exported import CoreVideo

// Core Foundation's names over Foundation's classes, which CoreVideo declares since all media modules use them. Functions that count references are
// absent, as are those that make collections of untyped pointers (Coverage.md).
