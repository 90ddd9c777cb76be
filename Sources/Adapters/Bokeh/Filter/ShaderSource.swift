import Foundation
import Support

/// The text of a user's shader and of every file that it includes, read as from a stranger: plain files of the shader's own folder, none that
/// includes itself, `maxDepth` deep and `maxBytes` in all at most.
///
/// Included names are found as glslc finds them: beside the file that includes, else beside the shader.
struct ShaderSource {
    /// Included files deep, and bytes of all files together, at most.
    static let maxDepth = 16
    static let maxBytes = 1 << 18

    let path: String
    let text: String
    /// Included files by their paths relative to the shader's folder.
    private(set) var includes: [String: String] = [:]
    /// The shader's folder, symbolic links resolved.
    private let folder: String
    private var byteCount = 0
    /// Depth to which each of `includes` includes others.
    private var depths: [String: Int] = [:]

    /// Throws `invalidShader` with file and line of what is not allowed. A file that is not there is left to the compiler, which says where it is
    /// missed.
    init(path: String) throws {
        self.path = path
        let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        folder = URL(fileURLWithPath: path).deletingLastPathComponent().resolvingSymlinksInPath().path
        text = try Self.read(resolved.path, as: path)
        byteCount = text.utf8.count
        try follow(text, of: URL(fileURLWithPath: path).lastPathComponent, chain: [resolved.path])
    }

    /// Writes `text`, which may differ from the shader's own, and the included files below `directory`; gives the shader's path there.
    func write(_ text: String, below directory: URL) throws -> URL {
        for (name, text) in includes {
            let file = directory.appending(path: name)
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        let shader = directory.appending(path: URL(fileURLWithPath: path).lastPathComponent)
        try Data(text.utf8).write(to: shader)
        return shader
    }

    /// Reads what `text` includes, and what that includes; `chain` holds the resolved paths from the shader to `file`, whose text it is.
    ///
    /// Gives how deep `file` includes others: 0 when none.
    @discardableResult
    private mutating func follow(_ text: String, of file: String, chain: [String]) throws -> Int {
        var depth = 0
        for directive in try IncludeDirective.all(in: text, of: place(of: file)) {
            func refuse(_ reason: String) -> BokehError {
                BokehError(.invalidShader, "\(place(of: file)):\(directive.line): error: `#include \"\(directive.name)\"`: \(reason)")
            }
            guard let name = try find(directive.name, beside: file, refuse) else { continue }
            let resolved = URL(fileURLWithPath: folder + "/" + name).resolvingSymlinksInPath().path
            guard !chain.contains(resolved) else { throw refuse("the file includes itself") }
            if depths[name] == nil {
                guard chain.count <= Self.maxDepth else { throw refuse("files are included more than \(Self.maxDepth) deep") }
                let included = try Self.read(resolved, as: place(of: name))
                byteCount += included.utf8.count
                guard byteCount <= Self.maxBytes else { throw refuse("the shader's files have more than \(Self.maxBytes >> 10) KiB") }
                includes[name] = included
                depths[name] = try follow(included, of: name, chain: chain + [resolved])
            }
            depth = max(depth, 1 + depths[name, default: 0])
            guard chain.count - 1 + depth <= Self.maxDepth else { throw refuse("files are included more than \(Self.maxDepth) deep") }
        }
        return depth
    }

    /// The path, relative to the shader's folder, of what `file` includes as `name`; nil when there is none.
    private func find(_ name: String, beside file: String, _ refuse: (String) -> BokehError) throws -> String? {
        guard !name.hasPrefix("/") else { throw refuse("only files of the shader's folder may be included") }
        for directory in Set([file.folder, ""]).sorted(by: >) {
            let relative = URL(fileURLWithPath: "/\(directory)/\(name)").standardizedFileURL.path.dropFirst()
            let full = folder + "/" + directory + "/" + name
            guard FileManager.default.fileExists(atPath: full) else { continue }
            let resolved = URL(fileURLWithPath: full).resolvingSymlinksInPath().path
            guard resolved.hasPrefix(folder + "/"), FileManager.default.fileExists(atPath: folder + "/" + relative) else {
                throw refuse("only files of the shader's folder may be included")
            }
            return String(relative)
        }
        return nil
    }

    /// The path of an included file as the user would write it.
    private func place(of name: String) -> String { path.folder.appendingPath(name) }

    /// The text of the plain file at `resolved`, which messages call `path`.
    private static func read(_ resolved: String, as path: String) throws -> String {
        let attributes: [FileAttributeKey: Any]
        do { attributes = try FileManager.default.attributesOfItem(atPath: resolved) } catch {
            throw BokehError(.invalidShader, "\(path): there is no such file")
        }
        guard attributes[.type] as? FileAttributeType == .typeRegular else { throw BokehError(.invalidShader, "\(path): is not a plain file") }
        let data: Data
        do throws(InputError) { data = try FileContents.read(resolved, atMost: maxBytes) } catch {
            throw BokehError(.invalidShader, "\(path): \(error.reason)")
        }
        guard let text = String(data: data, encoding: .utf8) else { throw BokehError(.invalidShader, "\(path): cannot be read as a text file") }
        return text
    }
}

extension String {
    fileprivate func appendingPath(_ name: String) -> String { isEmpty ? name : self + "/" + name }
}
