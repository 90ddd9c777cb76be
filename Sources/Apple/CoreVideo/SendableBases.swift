import Foundation

/// Base of classes that are `Sendable` here and not on Apple's systems, so that an app's own `extension …: @unchecked Sendable {}` repeats what is inherited,
/// which the compiler passes over, and not what is declared, at which it warns.
open class _SendableObject: NSObject, @unchecked Sendable {}

/// Base as `_SendableObject` of types that are Core Foundation's on Apple's systems.
open class _SendableReference: @unchecked Sendable {
    package init() {}
}
