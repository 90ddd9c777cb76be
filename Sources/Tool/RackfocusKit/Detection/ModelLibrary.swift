import Foundation
import Pipeline
import Support

/// Folder in which the user keeps networks.
public struct ModelLibrary: Sendable {
    /// State of a file in the folder.
    public enum State: Sendable, Equatable {
        case missing
        case found
        /// Present, without a checksum to compare.
        case unchecked
        /// Present with another checksum.
        case different(sha256: String)

        /// State in words.
        public var text: String {
            switch self {
            case .missing: "not there"
            case .found: "found, checksum right"
            case .unchecked: "found; no checksum is known"
            case .different(let sha256): "found, but its sha256 is another one: \(sha256)"
            }
        }
    }

    /// Path of the folder.
    public let folder: String

    /// Creates a library for a folder, which need not exist.
    public init(folder: String) { self.folder = folder }

    /// `$XDG_DATA_HOME/rackfocus/models`, which is in `~/.local/share` when the variable is not set.
    public static var standard: ModelLibrary {
        let environment = ProcessInfo.processInfo.environment
        let given = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return ModelLibrary(folder: (given ?? (environment["HOME"] ?? NSHomeDirectory()) + "/.local/share") + "/rackfocus/models")
    }

    private func path(_ file: KnownModel.File) -> String { folder + "/" + file.name }

    /// State of a file, by its SHA-256.
    public func state(of file: KnownModel.File) -> State {
        guard let known = file.sha256 else { return FileManager.default.fileExists(atPath: path(file)) ? .unchecked : .missing }
        guard let sum = SHA256.hexadecimal(contentsOf: path(file)) else { return .missing }
        return sum == known ? .found : .different(sha256: sum)
    }

    /// Path of the best installed network of a kind, all of whose files are present; nil without one.
    public func installed(_ kind: KnownModel.Kind) -> String? {
        let model = KnownModel.all.first { model in
            model.kind == kind && model.files.allSatisfy { FileManager.default.fileExists(atPath: path($0)) }
        }
        return model.map { path($0.files[0]) }
    }
}
