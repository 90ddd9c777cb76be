import Foundation
import Support

/// Files of an image sequence, numbered, globbed or a whole directory, in order.
///
/// `frames/%04d.png` counts up from its lowest number without a gap; `frames/*.png` and a directory sort by name, numbers by value.
package enum PictureSequence {
    static let extensions: Set<String> = ["png", "jpg", "jpeg", "bmp", "tif", "tiff", "webp", "pgm", "ppm", "exr", "pfm"]

    /// Files of the sequence that `path` names; nil when it names a single file, throws `MediaError` for a gap or an empty sequence.
    package static func files(of path: String) throws(MediaError) -> [String]? {
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) {
            return isDirectory.boolValue ? try directory(path) : nil
        }
        if let pattern = Pattern(path) { return try numbered(pattern, path) }
        if path.contains(where: { "*?[".contains($0) }) { return try globbed(path) }
        return nil
    }

    private static func directory(_ path: String) throws(MediaError) -> [String] {
        let pictures = try names(in: path).filter(isPicture)
        guard !pictures.isEmpty else {
            throw MediaError(code: .missingFile, path: path, reason: "is a directory without pictures (png, jpg, tiff, bmp, webp, exr, pfm)")
        }
        return sorted(pictures).map { path + "/" + $0 }
    }

    private static func isPicture(_ name: String) -> Bool {
        !name.hasPrefix(".") && extensions.contains((name as NSString).pathExtension.lowercased())
    }

    private static func globbed(_ path: String) throws(MediaError) -> [String] {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob(path, 0, nil, &found) == 0, found.gl_pathc > 0, let names = found.gl_pathv else {
            throw MediaError(code: .missingFile, path: path, reason: "no file matches this pattern")
        }
        var files: [String] = []
        for index in 0..<Int(found.gl_pathc) {
            guard let start = names[index] else { continue }
            let bytes = UnsafeBufferPointer(start: start, count: strlen(start)).map { UInt8(bitPattern: $0) }
            guard let name = String(validating: bytes, as: UTF8.self) else { throw notUTF8(DirectoryListing.escaped(bytes)) }
            files.append(name)
        }
        return sorted(files)
    }

    /// Names in a directory; empty where there is none. Throws for a picture whose name is not UTF-8: it would be left out, or another one meant.
    private static func names(in directory: String) throws(MediaError) -> [String] {
        guard FileManager.default.fileExists(atPath: directory) else { return [] }
        let entries: [DirectoryListing.Entry]
        do throws(InputError) { entries = try DirectoryListing(of: directory).entries } catch {
            throw MediaError(code: .missingFile, path: directory, reason: error.reason)
        }
        if let odd = entries.first(where: { !$0.isUTF8 && isPicture($0.name) }) { throw notUTF8("\(directory)/\(odd.name)") }
        return entries.filter(\.isUTF8).map(\.name)
    }

    private static func notUTF8(_ path: String) -> MediaError {
        MediaError(code: .missingFile, path: path, reason: "has a name that is not UTF-8; rename it")
    }

    private static func sorted(_ names: [String]) -> [String] {
        names.sorted {
            let order = $0.compare($1, options: [.numeric])
            return order == .orderedSame ? $0 < $1 : order == .orderedAscending
        }
    }

    /// Pattern: a path whose last component holds one `%d` or `%0Nd`.
    struct Pattern {
        let directory: String
        let before: String
        let digits: Int
        let after: String

        init?(_ path: String) {
            let name = (path as NSString).lastPathComponent
            guard let match = try? /^([^%]*)%(?:0(\d+))?d([^%]*)$/.wholeMatch(in: name) else { return nil }
            let parent = (path as NSString).deletingLastPathComponent
            (directory, before, after) = (parent, String(match.1), String(match.3))
            digits = match.2.flatMap { Int($0) } ?? 1
        }

        func path(_ number: Int) -> String {
            let text = String(number)
            let name = before + String(repeating: "0", count: max(digits - text.count, 0)) + text + after
            return directory.isEmpty ? name : (directory as NSString).appendingPathComponent(name)
        }

        func number(of name: String) -> Int? {
            guard name.hasPrefix(before), name.hasSuffix(after), name.count > before.count + after.count else { return nil }
            guard let number = Int(name.dropFirst(before.count).dropLast(after.count)), number >= 0 else { return nil }
            return (path(number) as NSString).lastPathComponent == name ? number : nil
        }

        /// Names of the files of this pattern that are there.
        func existing() throws(MediaError) -> [String] {
            try PictureSequence.names(in: directory.isEmpty ? "." : directory).filter { number(of: $0) != nil }
        }
    }

    private static func numbered(_ pattern: Pattern, _ path: String) throws(MediaError) -> [String] {
        let numbers = try names(in: pattern.directory.isEmpty ? "." : pattern.directory).compactMap { pattern.number(of: $0) }.sorted()
        guard let first = numbers.first, let last = numbers.last else {
            throw MediaError(code: .missingFile, path: path, reason: "no file matches this pattern (first looked for: \(pattern.path(1)))")
        }
        for (offset, number) in numbers.enumerated() where number != first + offset {
            throw MediaError(
                code: .missingFile, path: pattern.path(first + offset),
                reason:
                    "is missing from the image sequence \(path), which goes on to \(pattern.path(last)); write * in place of the number to go on without it"
            )
        }
        return numbers.map { pattern.path($0) }
    }
}
