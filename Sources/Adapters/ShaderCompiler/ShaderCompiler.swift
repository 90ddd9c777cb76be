import Foundation
import PackagePlugin

/// Compiles every `*.comp` in the folders of a target to SPIR-V with glslc, as a resource of the target.
///
/// `#include` finds files of the shader's own folder and of the folder `common`. Names stay in the SPIR-V (`-g`): passes bind buffers and
/// constants by them.
@main
struct ShaderCompiler: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let sources = target.sourceModule?.sourceFiles else { return [] }
        let glslc = ProcessInfo.processInfo.environment["GLSLC"] ?? "/usr/bin/glslc"
        let isThere = FileManager.default.isExecutableFile(atPath: glslc)
        let urls = sources.map(\.url)
        let includes = urls.filter { $0.pathExtension == "glsl" }
        let pages = urls.filter { $0.pathExtension == "md" }
        let common = target.directoryURL.appending(path: "common").path
        return urls.filter { $0.pathExtension == "comp" }.map { shader in
            let output = context.pluginWorkDirectoryURL.appending(path: shader.lastPathComponent + ".spv")
            // Every build plans the shaders, also one that needs none: so only their own command may fail.
            guard isThere else { return missing(glslc, shader, output) }
            return .buildCommand(
                displayName: "Compiling \(shader.lastPathComponent)",
                executable: URL(fileURLWithPath: glslc),
                arguments: ["--target-env=vulkan1.1", "-O", "-g", "-Werror", "-I", common, shader.path, "-o", output.path],
                inputFiles: [shader] + includes + pages.filter { $0.deletingLastPathComponent() == shader.deletingLastPathComponent() },
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
