import Foundation
import PackagePlugin

/// Compiles every `*.comp` of a target to SPIR-V with glslc, as a resource of the target.
@main
struct ShaderCompiler: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let sources = target.sourceModule?.sourceFiles else { return [] }
        let glslc = ProcessInfo.processInfo.environment["GLSLC"] ?? "/usr/bin/glslc"
        let isThere = FileManager.default.isExecutableFile(atPath: glslc)
        let includes = sources.map(\.url).filter { $0.pathExtension == "glsl" }
        return sources.map(\.url).filter { $0.pathExtension == "comp" }.map { shader in
            let output = context.pluginWorkDirectoryURL.appending(path: shader.lastPathComponent + ".spv")
            // Every build plans the shaders, also one that needs none: so only their own command may fail.
            guard isThere else { return missing(glslc, shader, output) }
            return .buildCommand(
                displayName: "Compiling \(shader.lastPathComponent)",
                executable: URL(fileURLWithPath: glslc),
                arguments: ["--target-env=vulkan1.1", "-O", "-Werror", shader.path, "-o", output.path],
                inputFiles: [shader] + includes,
                outputFiles: [output])
        }
    }

    private func missing(_ glslc: String, _ shader: URL, _ output: URL) -> Command {
        let message = "error: no GLSL compiler at \(glslc): run `make setup`, or install Debian's glslc, or set GLSLC to its path"
        return .buildCommand(
            displayName: "Compiling \(shader.lastPathComponent)", executable: URL(fileURLWithPath: "/bin/sh"),
            arguments: ["-c", "echo \"$0\" >&2; exit 1", message], inputFiles: [shader], outputFiles: [output])
    }
}
