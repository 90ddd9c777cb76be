import Foundation

// Apple's are objects of Core Foundation without an equality of their own: each is equal to itself alone.

extension CVBuffer: Hashable {
    /// Whether both are the same object.
    public static func == (lhs: CVBuffer, rhs: CVBuffer) -> Bool { lhs === rhs }
    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension CVPixelBufferPool: Hashable {
    /// Whether both are the same object.
    public static func == (lhs: CVPixelBufferPool, rhs: CVPixelBufferPool) -> Bool { lhs === rhs }
    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension CGImage: Hashable {
    /// Whether both are the same object.
    public static func == (lhs: CGImage, rhs: CGImage) -> Bool { lhs === rhs }
    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
