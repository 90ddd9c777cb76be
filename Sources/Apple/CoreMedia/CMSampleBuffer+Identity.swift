import Foundation

// Apple's are objects of Core Foundation without an equality of their own: each is equal to itself alone.

extension CMSampleBuffer: Hashable {
    /// Whether both are the same object.
    public static func == (lhs: CMSampleBuffer, rhs: CMSampleBuffer) -> Bool { lhs === rhs }
    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension CMBlockBuffer: Hashable {
    /// Whether both are the same object.
    public static func == (lhs: CMBlockBuffer, rhs: CMBlockBuffer) -> Bool { lhs === rhs }
    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
