import Foundation

/// Object of the library, or a stand-in for one.
open class PHObject: NSObject, @unchecked Sendable {
    /// Identifier in the library, the same in every fetch.
    public let localIdentifier: String

    init(localIdentifier: String) {
        self.localIdentifier = localIdentifier
        super.init()
    }

    /// Whether the other stands for the same.
    open override func isEqual(_ object: Any?) -> Bool { (object as? PHObject)?.localIdentifier == localIdentifier }
    /// Hash of the identifier.
    open override var hash: Int { localIdentifier.hashValue }

    /// The same object as the library has it now; nil where it has none.
    func now(in library: PhotoLibraryFolder) -> PHObject? { nil }
    /// All of it that a change of the library can change.
    var content: [AnyHashable?] { [] }

    static func newIdentifier() -> String { UUID().uuidString + "/L0/001" }
}

/// Stand-in for an asset or album until the library has it.
public final class PHObjectPlaceholder: PHObject, @unchecked Sendable {
    init() { super.init(localIdentifier: Self.newIdentifier()) }
}
