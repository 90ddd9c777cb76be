import Foundation

/// Class of which every actor derived from NSObject inherits a copy: see the C module `CSwiftRuntime`.
///
/// Foundation's NSObject and nothing besides, so that an actor finds its own fields where the compiler put them.
class ActorBase: NSObject {}

@_cdecl("CActorBase_class")
func actorBaseMetadata() -> UnsafeRawPointer { unsafeBitCast(ActorBase.self as AnyClass, to: UnsafeRawPointer.self) }

@_cdecl("CActorBase_superclass")
func actorBaseSuperclassMetadata() -> UnsafeRawPointer { unsafeBitCast(NSObject.self as AnyClass, to: UnsafeRawPointer.self) }
