import Foundation
import Glibc
import Support

/// The files that a scenario may name: regular ones in its own folder and below, and in folders the user allows, links resolved.
///
/// A scenario may be a stranger's. What it includes, plays and listens to must not lead to secrets of the machine that runs it, so devices,
/// pipes, sockets and what the kernel shows as files are refused everywhere.
public struct FileScope: Sendable, Equatable {
    /// Absolute, without links, each with a slash at its end.
    private let roots: [String]

    /// `allowed` are folders, or single files, besides the scenario's folder.
    public init(ofScenario path: String, allowing allowed: [String] = []) {
        self.init([path.folder] + allowed)
    }

    package init(_ places: [String]) {
        roots = places.compactMap { Self.resolved($0.isEmpty ? "." : $0) }.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    }

    /// Why a file may not be read; nil when it may. A pattern (`frame%04d.png`, `*.png`) stands for what its folder holds.
    public func refusal(of path: String) -> String? {
        guard path.contains("%") || path.contains("*"), !FileManager.default.fileExists(atPath: path) else { return refusal(ofFile: path) }
        let folder = path.folder
        let place = folder.isEmpty ? "." : folder
        // Nothing is read where there is no folder; whoever opens the pictures says so.
        guard FileManager.default.fileExists(atPath: place) else { return nil }
        if let reason = outside(place) { return reason }
        // Links among the pictures may lead out; whatever else is there is where the folder is.
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: place) else { return "the folder \(place) cannot be read" }
        let files = names.map { "\(place)/\($0)" }
        return files.lazy.filter { (try? FileManager.default.destinationOfSymbolicLink(atPath: $0)) != nil }.compactMap(refusal(ofFile:)).first
    }

    private func refusal(ofFile path: String) -> String? {
        if let reason = outside(path) { return reason }
        var status = stat()
        guard stat(path, &status) == 0 else { return "there is no file \(path)" }
        guard status.st_mode & S_IFMT == S_IFREG else { return "\(path) is no regular file" }
        return nil
    }

    private func outside(_ path: String) -> String? {
        guard let real = Self.resolved(path) else { return "there is no file \(path)" }
        if ["/proc/", "/sys/", "/dev/"].contains(where: real.hasPrefix) { return "\(path) is a file of the system's" }
        guard roots.contains(where: { (real + "/").hasPrefix($0) }) else {
            return "\(path) lies outside the scenario's folder; `--allow FOLDER` lets it be read"
        }
        return nil
    }

    /// Absolute and without links; nil where nothing is.
    private static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
