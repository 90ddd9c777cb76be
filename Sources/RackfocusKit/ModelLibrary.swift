import Foundation
import Scenario

/// The folder in which the user keeps models.
public struct ModelLibrary: Sendable {
    public enum State: Sendable, Equatable {
        case missing
        case found
        /// There is such a file, and no checksum to hold against it.
        case unchecked
        /// There is such a file, but its bytes are others.
        case different(sha256: String)

        public var text: String {
            switch self {
            case .missing: "not there"
            case .found: "found, checksum right"
            case .unchecked: "found; no checksum is known"
            case .different(let sha256): "found, but its sha256 is another one: \(sha256)"
            }
        }
    }

    public let folder: String

    public init(folder: String) { self.folder = folder }

    /// `$XDG_DATA_HOME/rackfocus/models`, which is in `~/.local/share` when the variable is not set.
    public static var standard: ModelLibrary {
        let environment = ProcessInfo.processInfo.environment
        let given = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return ModelLibrary(folder: (given ?? (environment["HOME"] ?? NSHomeDirectory()) + "/.local/share") + "/rackfocus/models")
    }

    private func path(_ file: KnownModel.File) -> String { folder + "/" + file.name }

    public func state(of file: KnownModel.File) -> State {
        guard let known = file.sha256 else { return FileManager.default.fileExists(atPath: path(file)) ? .unchecked : .missing }
        guard let data = FileManager.default.contents(atPath: path(file)) else { return .missing }
        let sum = SHA256.hexadecimal(Array(data))
        return sum == known ? .found : .different(sha256: sum)
    }

    /// The path of the best model of a kind whose files are all there; nil without one.
    public func installed(_ kind: KnownModel.Kind) -> String? {
        let model = KnownModel.all.first { model in
            model.kind == kind && model.files.allSatisfy { FileManager.default.fileExists(atPath: path($0)) }
        }
        return model.map { path($0.files[0]) }
    }
}
