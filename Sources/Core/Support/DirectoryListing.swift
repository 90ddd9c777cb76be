import Foundation

/// The names in a directory as the file system holds them, so that one that is not UTF-8 is told from every other.
package struct DirectoryListing {
    package struct Entry: Sendable, Equatable {
        /// As it is, or with the bytes that are not UTF-8 written like `\xff`.
        package let name: String
        package let isUTF8: Bool
        /// A directory itself, not a link to one.
        package let isDirectory: Bool
    }

    /// In the order of their names; `.` and `..` left out.
    package let entries: [Entry]

    /// Throws the errno when there is no directory of that name, or it cannot be read.
    package init(of path: String) throws(InputError) {
        guard let stream = opendir(path) else { throw InputError(path: path, errno: errno, action: "list") }
        defer { closedir(stream) }
        var entries: [Entry] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let bytes = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: UInt8.self, capacity: Int(NAME_MAX) + 1) { Array(UnsafeBufferPointer(start: $0, count: strlen($0))) }
            }
            if bytes == [46] || bytes == [46, 46] { continue }
            var status = stat()
            let isKnown = entry.pointee.d_type != UInt8(DT_UNKNOWN)
            if !isKnown { fstatat(dirfd(stream), bytes.map { CChar(bitPattern: $0) } + [0], &status, AT_SYMLINK_NOFOLLOW) }
            let isDirectory = isKnown ? entry.pointee.d_type == UInt8(DT_DIR) : status.st_mode & S_IFMT == S_IFDIR
            let name = String(validating: bytes, as: UTF8.self)
            entries.append(Entry(name: name ?? Self.escaped(bytes), isUTF8: name != nil, isDirectory: isDirectory))
        }
        guard errno == 0 else { throw InputError(path: path, errno: errno, action: "list") }
        self.entries = entries.sorted { $0.name < $1.name }
    }

    /// Every file below a directory by its path from there, but for folders of which `isLeftOut` says so; folders that hold nothing count as files.
    package static func files(below path: String, except isLeftOut: (String) -> Bool = { _ in false }) throws(InputError) -> [Entry] {
        var files: [Entry] = []
        for entry in try DirectoryListing(of: path).entries where !(entry.isDirectory && isLeftOut("\(path)/\(entry.name)")) {
            let inner = entry.isDirectory && entry.isUTF8 ? try Self.files(below: "\(path)/\(entry.name)", except: isLeftOut) : []
            if inner.isEmpty { files.append(entry) }
            files += inner.map { Entry(name: "\(entry.name)/\($0.name)", isUTF8: $0.isUTF8, isDirectory: $0.isDirectory) }
        }
        return files
    }

    /// Bytes that are not UTF-8, fit to be shown.
    package static func escaped(_ bytes: [UInt8]) -> String {
        var (text, rest) = ("", bytes[...])
        while let first = rest.first {
            let scalar = (1...4).lazy.compactMap { count in rest.count < count ? nil : String(validating: rest.prefix(count), as: UTF8.self) }.first
            text += scalar ?? "\\x" + (first < 16 ? "0" : "") + String(first, radix: 16)
            rest = rest.dropFirst(scalar?.utf8.count ?? 1)
        }
        return text
    }
}

/// A file or directory that could not be read: which, and why.
package struct InputError: Error, Sendable, Equatable, CustomStringConvertible {
    package var path: String
    package var reason: String

    package init(path: String, reason: String) { (self.path, self.reason) = (path, reason) }

    package init(path: String, errno number: Int32, action: String) {
        self.init(path: path, reason: "cannot \(action) it (\(String(cString: strerror(number))))")
    }

    package var description: String { "\(path): \(reason)" }
}
