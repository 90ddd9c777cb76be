import Foundation

/// The files a command reads, by device and inode: none of its outputs may replace one of them, whatever name or link leads there.
package struct InputFiles {
    private struct Identity: Hashable {
        let device: dev_t
        let inode: ino_t

        /// Nil when nothing is there. Links are followed.
        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            (device, inode) = (status.st_dev, status.st_ino)
        }
    }

    private var names: [Identity: String] = [:]

    /// Files and folders; what is not there cannot be lost.
    package init(_ paths: some Sequence<String>) {
        for path in paths {
            guard let identity = Identity(path), names[identity] == nil else { continue }
            names[identity] = path
        }
    }

    /// Throws when a file or folder of that name is an input, or a folder holds one.
    package func refuse(_ output: String) throws(OutputError) {
        guard !names.isEmpty, let identity = Identity(output) else { return }
        if let input = names[identity] { throw OutputError(code: .isInput, path: output, action: "replace", other: input) }
        guard let files = FileManager.default.enumerator(atPath: output) else { return }
        for case let name as String in files {
            guard let identity = Identity("\(output)/\(name)"), let input = names[identity] else { continue }
            throw OutputError(code: .isInput, path: output, action: "replace", other: input)
        }
    }
}
