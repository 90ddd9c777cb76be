import Foundation

/// File of what takes long to make, kept from one run to the next: in `$XDG_CACHE_HOME/rackfocus` (`~/.cache/rackfocus`).
///
/// A file is the data and, in front of it, its length and a checksum; what does not fit is taken for nothing and written anew.
package struct CacheFile: Sendable {
    /// Path of the file.
    package let path: String

    /// A file in a folder, nil for the standard one; `name` says whose it is to the last bit, so that another's is never found.
    package init(_ name: String, in folder: String? = nil) { path = "\(folder ?? Self.standardFolder)/\(name)" }

    private static var standardFolder: String {
        let environment = ProcessInfo.processInfo.environment
        // The specification of base directories ignores a path that is not absolute.
        let caches = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory() + "/.cache"
        return caches + "/rackfocus"
    }

    /// The data, or nil where there is none or it is damaged.
    package func read() -> [UInt8]? {
        guard let file = try? FileContents.read(path), file.count > 16 else { return nil }
        let bytes = [UInt8](file)
        let data = Array(bytes[16...])
        return Array(bytes[..<16]) == Self.header(of: data) ? data : nil
    }

    /// Keeps the data; a folder that cannot be written to costs the next run its time and nothing else.
    package func write(_ data: [UInt8]) {
        guard data != read() else { return }
        try? FileManager.default.createDirectory(atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        guard let file = try? OutputFile(path: path, replacingExisting: true) else { return }
        if (try? file.write(Self.header(of: data) + data)) != nil { try? file.commit() }
    }

    private static func header(of data: [UInt8]) -> [UInt8] {
        var checksum: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in data { checksum = (checksum ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return [UInt64(data.count), checksum].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) } }
    }
}
