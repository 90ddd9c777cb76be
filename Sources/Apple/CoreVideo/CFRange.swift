/// Range of items: the first, and how many.
public struct CFRange: Sendable, Equatable {
    /// First item.
    public var location: CFIndex
    /// Number of items.
    public var length: CFIndex

    /// Makes the range of no items.
    public init() { self.init(location: 0, length: 0) }
    /// Makes a range; not checked.
    public init(location: CFIndex, length: CFIndex) { (self.location, self.length) = (location, length) }
}

/// Returns a range; not checked.
public func CFRangeMake(_ loc: CFIndex, _ len: CFIndex) -> CFRange { CFRange(location: loc, length: len) }
