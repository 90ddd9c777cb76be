import Foundation

/// The compiled compute shaders, by file name without extension.
///
/// They lie in `rackfocus_Shaders.resources` beside the real executable, symbolic links resolved, wherever it was installed.
public enum ShaderLibrary {
    /// SPIR-V words of `<name>.comp`; nil when no such shader was compiled or the resource folder is not there.
    public static func spirv(_ name: String) -> [UInt32]? {
        for folder in folders {
            guard let data = try? Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name).comp.spv")) else { continue }
            return data.withUnsafeBytes { bytes in
                (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self) }
            }
        }
        return nil
    }

    /// Folders in which the shaders are looked for, in this order.
    public static let folders: [String] = {
        let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let main = Bundle.main.bundleURL.resolvingSymlinksInPath()
        return (main.path == executable.path ? [executable] : [executable, main]).map { $0.appending(path: "rackfocus_Shaders.resources").path }
    }()
}
