import Foundation
import PackagePlugin

/// Compiles every `*.comp` of a target to SPIR-V with glslc, as a resource of the target.
@main
struct ShaderCompiler: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let sources = target.sourceModule?.sourceFiles else { return [] }
        let glslc = ProcessInfo.processInfo.environment["GLSLC"] ?? "/usr/bin/glslc"
        guard FileManager.default.isExecutableFile(atPath: glslc) else {
            throw CompilerMissing(path: glslc)
        }
        let includes = sources.map(\.url).filter { $0.pathExtension == "glsl" }
        return sources.map(\.url).filter { $0.pathExtension == "comp" }.map { shader in
            let output = context.pluginWorkDirectoryURL.appending(path: shader.lastPathComponent + ".spv")
            return .buildCommand(
                displayName: "Compiling \(shader.lastPathComponent)",
                executable: URL(fileURLWithPath: glslc),
                arguments: ["--target-env=vulkan1.1", "-O", "-Werror", shader.path, "-o", output.path],
                inputFiles: [shader] + includes,
                outputFiles: [output])
        }
    }
}

struct CompilerMissing: Error, CustomStringConvertible {
    let path: String
    var description: String {
        "no GLSL compiler at \(path): run `make setup`, or install Debian's glslc, or set GLSLC to its path"
    }
}
