import Foundation
import Shaders

/// A shader of the lens as the build compiled it, with its interface.
struct LibraryShader {
    let name: String
    let interface: SPIRVInterface
    let specialization: SPIRVSpecialization

    /// `name`: file name without extension. Throws `missingShader` where the resources of the build are not installed.
    init(_ name: String) throws {
        guard let words = ShaderLibrary.spirv(name) else { throw Self.missing("the shader `\(name)` is") }
        self.name = name
        interface = SPIRVInterface(words: words)
        specialization = SPIRVSpecialization(words: words)
    }

    /// Throws `missingShader` where the folder of the shaders is not installed.
    static func checkInstallation() throws {
        let isInstalled = ShaderLibrary.folders.contains { FileManager.default.fileExists(atPath: $0) }
        guard isInstalled else { throw missing("the shaders of the lens are") }
    }

    private static func missing(_ what: String) -> BokehError {
        BokehError(.missingShader, "\(what) not in \(ShaderLibrary.folders.joined(separator: " or ")): install the folder beside the executable")
    }
}
