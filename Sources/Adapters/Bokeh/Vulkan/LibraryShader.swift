import Shaders

/// A shader of the lens as the build compiled it, with its interface.
struct LibraryShader {
    let name: String
    let interface: SPIRVInterface
    let specialization: SPIRVSpecialization

    /// `name`: file name without extension. Throws `missingShader` where the resources of the build are not installed.
    init(_ name: String) throws {
        guard let words = ShaderLibrary.spirv(name) else {
            let folders = ShaderLibrary.folders.joined(separator: " or ")
            throw BokehError(.missingShader, "the shader `\(name)` is not in \(folders): install the folder beside the executable")
        }
        self.name = name
        interface = SPIRVInterface(words: words)
        specialization = SPIRVSpecialization(words: words)
    }
}
