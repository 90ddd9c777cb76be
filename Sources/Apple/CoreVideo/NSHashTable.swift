import Foundation

/// Ways in which tables hold what is put into them.
public struct NSPointerFunctions: Sendable {
    /// Ways in which tables hold what is put into them.
    public struct Options: OptionSet, Sendable {
        /// Bit mask.
        public let rawValue: UInt
        /// Makes options from a bit mask.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Strong references: objects of the table stay alive.
        public static let strongMemory = Options([])
        /// Weak references: an object leaves the table as nobody else holds it any more.
        public static let weakMemory = Options(rawValue: 5)
        /// Objects are equal where `isEqual` says so.
        public static let objectPersonality = Options([])
        /// Objects are equal where they are the same.
        public static let objectPointerPersonality = Options(rawValue: 512)
        /// Keys are copied; without effect.
        public static let copyIn = Options(rawValue: 65_536)
    }
}

/// Object in a table.
struct HeldObject {
    private weak var object: AnyObject?
    private let kept: AnyObject?
    private let isPointer: Bool

    init(_ object: AnyObject, _ options: NSPointerFunctions.Options) {
        self.object = object
        kept = options.contains(.weakMemory) ? nil : object
        isPointer = options.contains(.objectPointerPersonality)
    }

    /// The object; nil once it is gone.
    var value: AnyObject? { object }

    /// Whether `other` counts as this object.
    func isSame(as other: AnyObject) -> Bool {
        guard let object else { return false }
        if object === other { return true }
        return !isPointer && (object as? NSObject)?.isEqual(other) == true
    }
}

/// Set of objects that may be held weakly, as of listeners. As on Apple's systems it is for one thread at a time; a search goes through all.
open class NSHashTable<ObjectType: AnyObject>: NSObject {
    private let options: NSPointerFunctions.Options
    private var held: [HeldObject] = []

    /// Makes an empty set.
    public init(options: NSPointerFunctions.Options = [], capacity initialCapacity: Int = 0) { self.options = options }

    /// Makes an empty set of objects that leave it as nobody else holds them.
    public class func weakObjects() -> NSHashTable<ObjectType> { NSHashTable(options: .weakMemory) }

    /// Objects that are still there, in no order.
    open var allObjects: [ObjectType] { held.compactMap { $0.value as? ObjectType } }
    /// One of the objects; nil without any.
    open var anyObject: ObjectType? { allObjects.first }
    /// Number of the objects that are still there.
    open var count: Int { allObjects.count }

    /// Returns the object of the set that is equal to this one; nil without.
    open func member(_ object: ObjectType?) -> ObjectType? {
        object.flatMap { object in held.first { $0.isSame(as: object) }?.value as? ObjectType }
    }
    /// Whether an object is in the set.
    open func contains(_ anObject: ObjectType?) -> Bool { member(anObject) != nil }

    /// Adds an object, unless it is there.
    open func add(_ object: ObjectType?) {
        held.removeAll { $0.value == nil }
        guard let object, !contains(object) else { return }
        held.append(HeldObject(object, options))
    }
    /// Takes an object out.
    open func remove(_ object: ObjectType?) {
        guard let object else { return }
        held.removeAll { $0.value == nil || $0.isSame(as: object) }
    }
    /// Takes all objects out.
    open func removeAllObjects() { held = [] }
}

/// Dictionary whose keys or values may be held weakly; what is gone takes its other half with it. For one thread at a time; a search goes through all.
open class NSMapTable<KeyType: AnyObject, ObjectType: AnyObject>: NSObject {
    private let options: (key: NSPointerFunctions.Options, value: NSPointerFunctions.Options)
    private var held: [(key: HeldObject, value: HeldObject)] = []

    /// Makes an empty dictionary.
    public init(keyOptions: NSPointerFunctions.Options = [], valueOptions: NSPointerFunctions.Options = [], capacity initialCapacity: Int = 0) {
        options = (keyOptions, valueOptions)
    }

    /// Makes an empty dictionary that keeps both halves.
    public class func strongToStrongObjects() -> NSMapTable<KeyType, ObjectType> { NSMapTable() }
    /// Makes an empty dictionary that keeps its values.
    public class func weakToStrongObjects() -> NSMapTable<KeyType, ObjectType> { NSMapTable(keyOptions: .weakMemory) }
    /// Makes an empty dictionary that keeps its keys.
    public class func strongToWeakObjects() -> NSMapTable<KeyType, ObjectType> { NSMapTable(valueOptions: .weakMemory) }
    /// Makes an empty dictionary that keeps neither half.
    public class func weakToWeakObjects() -> NSMapTable<KeyType, ObjectType> { NSMapTable(keyOptions: .weakMemory, valueOptions: .weakMemory) }

    private var there: [(key: HeldObject, value: HeldObject)] { held.filter { $0.key.value != nil && $0.value.value != nil } }

    /// Number of the entries whose halves are still there.
    open var count: Int { there.count }
    /// Gives the keys.
    open func keyEnumerator() -> NSEnumerator { (there.compactMap(\.key.value) as NSArray).objectEnumerator() }
    /// Gives the values.
    open func objectEnumerator() -> NSEnumerator? { (there.compactMap(\.value.value) as NSArray).objectEnumerator() }

    /// Returns the value of a key; nil without.
    open func object(forKey aKey: KeyType?) -> ObjectType? {
        aKey.flatMap { key in there.first { $0.key.isSame(as: key) }?.value.value as? ObjectType }
    }
    /// Sets the value of a key, in place of the one there.
    open func setObject(_ anObject: ObjectType?, forKey aKey: KeyType?) {
        removeObject(forKey: aKey)
        guard let anObject, let aKey else { return }
        held.append((HeldObject(aKey, options.key), HeldObject(anObject, options.value)))
    }
    /// Takes a key out with its value.
    open func removeObject(forKey aKey: KeyType?) {
        held = there.filter { entry in !(aKey.map(entry.key.isSame(as:)) ?? false) }
    }
    /// Takes all entries out.
    open func removeAllObjects() { held = [] }
}
