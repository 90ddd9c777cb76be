import Foundation

/// List of objects, as requests take it: an array, Foundation's or Swift's, a set, or what was fetched. Foundation has no such protocol here.
public protocol NSFastEnumeration {
    /// Objects of the list.
    var _listed: [Any] { get }
}

extension NSFastEnumeration {
    /// Identifiers of the objects of the library among those of the list.
    var identifiers: [String] { _listed.compactMap { ($0 as? PHObject)?.localIdentifier } }
}

extension NSArray: NSFastEnumeration {
    /// Objects of the array.
    public var _listed: [Any] { Array(self) }
}

extension NSSet: NSFastEnumeration {
    /// Objects of the set.
    public var _listed: [Any] { allObjects }
}

extension Array: NSFastEnumeration {
    /// Objects of the array.
    public var _listed: [Any] { self }
}

extension PHFetchResult: NSFastEnumeration {
    /// Objects that were fetched.
    public var _listed: [Any] { objects }
}
