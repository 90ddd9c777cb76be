import Foundation

/// Every file that this program left in a directory, with its size and SHA-256, kept there as `manifest.json`.
///
/// Only what it lists, unchanged since, may be replaced. A file `folder/manifest.json` that it lists stands for what that one lists, too.
package struct OutputManifest: Codable, Sendable, Equatable {
    package static let name = "manifest.json"

    package struct File: Codable, Sendable, Equatable {
        /// Both nil where every run writes something else, as with the times it took.
        package var bytes: Int?
        package var sha256: String?

        package init(_ data: [UInt8]) { (bytes, sha256) = (data.count, SHA256.hexadecimal(data)) }

        package init(bytes: Int, sha256: String) { (self.bytes, self.sha256) = (bytes, sha256) }

        /// A file that may hold anything.
        package init() {}

        /// Nil when it cannot be read.
        package init?(contentsOf path: String) {
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let sum = SHA256.hexadecimal(contentsOf: path) else { return nil }
            (bytes, sha256) = (Int(status.st_size), sum)
        }
    }

    /// Differences of a directory from its manifest.
    package struct Deviation: Sendable, Equatable, CustomStringConvertible {
        package enum Kind: String, Sendable {
            case missing = "is missing"
            case short = "was cut short"
            case changed = "was changed"
            case unlisted = "is not listed"
            case unreadable = "cannot be read"

            /// Whether somebody else made it, or may have.
            package var isForeign: Bool { [.changed, .unlisted, .unreadable].contains(self) }
        }

        package let path: String
        package let kind: Kind

        package var description: String { "\(path) \(kind.rawValue)" }
    }

    package var format = 1
    package var files: [String: File]

    package init(files: [String: File] = [:]) { self.files = files }

    /// The manifest in a directory; nil when there is none, or something else under its name.
    package init?(in directory: String) throws(InputError) {
        guard let data = try FileContents.readIfThere("\(directory)/\(Self.name)") else { return nil }
        self.init(data)
    }

    /// The manifest in the bytes of a file; nil when they are none.
    package init?(_ data: Data) {
        guard let read = try? JSONDecoder().decode(Self.self, from: data), read.format == 1 else { return nil }
        self = read
    }

    package var json: Data { get throws { try JSONEncoder.readable.encode(self) } }

    /// Whether a directory has a manifest: what is in it this program has left.
    package static func isThere(in directory: String) -> Bool { (try? OutputManifest(in: directory)) != nil }

    /// Differences of the directory from the list; none when it is whole and holds nothing else.
    package func deviations(in directory: String) throws(InputError) -> [Deviation] {
        var listed = files
        for name in files.keys where name.hasSuffix("/" + Self.name) {
            let folder = String(name.dropLast(Self.name.count + 1))
            for (inner, file) in try OutputManifest(in: "\(directory)/\(folder)")?.files ?? [:] { listed["\(folder)/\(inner)"] = file }
        }
        var found: [Deviation] = []
        for entry in try DirectoryListing.files(below: directory) where entry.name != Self.name {
            let file = entry.isUTF8 && !entry.isDirectory ? listed.removeValue(forKey: entry.name) : nil
            let kind = file == nil ? .unlisted : Self.deviation(of: "\(directory)/\(entry.name)", from: file)
            if let kind { found.append(Deviation(path: entry.name, kind: kind)) }
        }
        return (found + listed.keys.map { Deviation(path: $0, kind: .missing) }).sorted { $0.path < $1.path }
    }

    /// Difference of one file from the list; nil when there is none.
    package static func deviation(of path: String, from file: File?) -> Deviation.Kind? {
        guard let file else { return .unlisted }
        var status = stat()
        guard lstat(path, &status) == 0 else { return .missing }
        guard status.st_mode & S_IFMT == S_IFREG else { return .changed }
        guard let bytes = file.bytes else { return nil }
        if status.st_size < bytes { return .short }
        guard status.st_size == bytes else { return .changed }
        guard let digest = SHA256.hexadecimal(contentsOf: path) else { return .unreadable }
        return digest == file.sha256 ? nil : .changed
    }

    /// Entries of a directory that are not its own: all of them where it has no manifest. Nothing when there is no directory.
    package static func foreign(in directory: String) throws(InputError) -> [Deviation] {
        let manifest = try OutputManifest(in: directory)
        let found = try (manifest ?? OutputManifest()).deviations(in: directory).filter(\.kind.isForeign)
        let isStray = manifest == nil && FileManager.default.fileExists(atPath: "\(directory)/\(Self.name)")
        return isStray ? [Deviation(path: Self.name, kind: .unlisted)] + found : found
    }
}

extension OutputError {
    /// The refusal to replace a directory that is not, or not only, ours; nil when it is.
    package static func refusal(toReplace directory: String) -> OutputError? {
        do throws(InputError) {
            let foreign = try OutputManifest.foreign(in: directory)
            return foreign.isEmpty ? nil : OutputError(code: .foreign, path: directory, action: "replace", other: few(foreign.map(\.path)))
        } catch {
            return OutputError(code: .foreign, path: directory, action: "replace", other: error.description)
        }
    }

    /// Some names and how many more there are.
    package static func few(_ names: [String]) -> String {
        names.prefix(5).joined(separator: ", ") + (names.count > 5 ? " and \(names.count - 5) more" : "")
    }
}
