import Foundation
import PackagePlugin

/// Embeds every JSON file of a target's folder `Shipped` as text, so that a new phone is a new file and no code.
@main
struct PhoneProfiles: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let files = (target.sourceModule?.sourceFiles.map(\.url) ?? [])
            .filter { $0.pathExtension == "json" && $0.deletingLastPathComponent().lastPathComponent == "Shipped" }
            .sorted { $0.path < $1.path }
        let output = context.pluginWorkDirectoryURL.appending(path: "ShippedPhoneFiles.swift")
        return [
            .buildCommand(
                displayName: "Embedding \(files.count) phone profiles", executable: URL(fileURLWithPath: "/bin/sh"),
                arguments: ["-c", Self.script, output.path] + files.map(\.path), inputFiles: files, outputFiles: [output])
        ]
    }

    /// Writes a Swift array of file names and texts; the file to write is `$0`, those to read are the arguments.
    private static let script = ##"""
        {
            echo '/// The files of `CameraProfiles/Shipped`: name without suffix, and text.'
            echo 'let shippedPhoneFiles: [(name: String, text: String)] = ['
            for file; do
                printf '    ("%s", #"""\n' "$(basename "$file" .json)"
                cat "$file"
                printf '\n"""#),\n'
            done
            echo ']'
        } >"$0"
        """##
}
