import Foundation
import Pipeline
import Support

/// Compiler of a user's GLSL: glslc, with which the package itself is built, held to `maxSeconds` of processor time and `maxMegabytes` of memory.
///
/// glslc says in which line an error is, but not where in it. So the lines with errors are given to it a second time, one word a line.
struct GLSLCompiler {
    /// glslc's path: `GLSLC` of the environment, else Debian's.
    var executable = ProcessInfo.processInfo.environment["GLSLC"] ?? "/usr/bin/glslc"
    /// Limits of one run of glslc: seconds of a processor, and MiB of address space. An ordinary filter takes 0.1 s and 60 MiB.
    var maxSeconds = 10
    var maxMegabytes = 1024

    /// One thing glslc objects to; line and column count from 1.
    struct Diagnostic: Equatable {
        var line: Int
        var column: Int?
        var message: String
    }

    /// SPIR-V of the compute shader at `path`. Throws `missingCompiler`, or `invalidShader` with every error's file, line and column.
    func compile(_ path: String) throws -> [UInt32] {
        guard FileManager.default.isExecutableFile(atPath: executable) else {
            throw BokehError(.missingCompiler, "no GLSL compiler at \(executable): `apt install glslc`, or set GLSLC to its path")
        }
        let source = try ShaderSource(path: path)
        let first = try run(source, source.text)
        guard first.errors.isEmpty else { throw Self.failure(path, source.text, located(first.errors, in: source)) }
        guard !first.words.isEmpty else { throw BokehError(.invalidShader, "\(path): \(first.text)") }
        return first.words
    }

    // MARK: columns

    /// The errors with their columns, from a source whose faulty lines are broken at every word.
    private func located(_ errors: [Diagnostic], in source: ShaderSource) -> [Diagnostic] {
        let faulty = Set(errors.map(\.line))
        var (text, places) = ("", [(line: Int, column: Int?)]())
        for (index, line) in source.text.components(separatedBy: "\n").enumerated() {
            let columns = faulty.contains(index + 1) ? Self.wordStarts(in: line) : []
            guard columns.count > 1 else {
                text += line + "\n"
                places.append((index + 1, columns.first))
                continue
            }
            let letters = Array(line)
            for (start, end) in zip(columns, columns.dropFirst() + [letters.count + 1]) {
                text += String(letters[start - 1..<end - 1]) + "\n"
                places.append((index + 1, start))
            }
        }
        guard let again = try? run(source, text).errors, again.map(\.message) == errors.map(\.message) else { return errors }
        return again.map { error in
            guard places.indices.contains(error.line - 1) else { return error }
            return Diagnostic(line: places[error.line - 1].line, column: places[error.line - 1].column, message: error.message)
        }
    }

    /// Columns, from 1, at which a line may be broken: where a name, a number or punctuation begins. None in a directive, none in a comment.
    static func wordStarts(in line: String) -> [Int] {
        guard !line.drop(while: \.isWhitespace).hasPrefix("#"), !line.hasSuffix("\\") else { return [] }
        func kind(_ letter: Character) -> Int { letter.isWhitespace ? 0 : letter.isLetter || letter.isNumber || "_.".contains(letter) ? 1 : 2 }
        var (starts, last) = ([Int](), 0)
        let letters = Array(line)
        for (index, letter) in letters.enumerated() {
            if letter == "/", index + 1 < letters.count, "/*".contains(letters[index + 1]) { break }
            let here = kind(letter)
            if here != 0, here != last || "()[]{};,".contains(letter) { starts.append(index + 1) }
            last = here
        }
        return starts
    }

    /// A report as compilers write it: file, line, column and message, the line, and a caret below.
    private static func failure(_ path: String, _ source: String, _ errors: [Diagnostic]) -> BokehError {
        let lines = source.components(separatedBy: "\n")
        let reports = errors.map { error in
            let place = "\(path):\(error.line)" + (error.column.map { ":\($0)" } ?? "")
            let report = "\(place): error: \(error.message.excerpt())"
            guard lines.indices.contains(error.line - 1) else { return report }
            let (line, column) = lines[error.line - 1].excerpt(around: error.column ?? 1)
            guard error.column != nil else { return report + "\n    " + line }
            return report + "\n    " + line + "\n    " + String(line.prefix(column - 1).map { $0 == "\t" ? "\t" : " " }) + "^"
        }
        return BokehError(.invalidShader, "the shader does not compile\n" + reports.joined(separator: "\n"))
    }

    // MARK: glslc

    private static let maxErrors = 20

    private struct Outcome {
        var words: [UInt32]
        var errors: [Diagnostic]
        var text: String
    }

    /// Compiles `text` in the place of the shader's own, in a directory that holds nothing but the shader's files.
    private func run(_ source: ShaderSource, _ text: String) throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rackfocus-shader-\(UUID().uuidString)")
        let (files, output) = (folder.appending(path: "files"), folder.appending(path: "shader.spv"))
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let input = try source.write(text, below: files)
        let limits = "ulimit -c 0; ulimit -t \(maxSeconds); ulimit -v \(maxMegabytes << 10); exec \"$0\" \"$@\""
        let arguments = ["--target-env=vulkan1.1", "-O", "-I", files.path, input.path, "-o", output.path]
        let (said, exitCode) = try ChildProcess.finished("/bin/sh", ["-c", limits, executable] + arguments, reading: .errors)
        let words = try (exitCode == 0 ? Data(contentsOf: output) : Data()).withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self) }
        }
        let errors = Self.errors(in: said, of: input.path)
        guard words.isEmpty, errors.isEmpty else { return Outcome(words: words, errors: errors, text: said) }
        // Errors in included files, or none at all: then glslc itself was ended.
        let elsewhere = said.split(separator: "\n").filter { $0.hasPrefix(files.path + "/") && $0.contains("error") }
        let own = source.path.folder
        let reason =
            elsewhere.isEmpty
            ? "compiling it takes more than \(maxSeconds) s or \(maxMegabytes) MiB (glslc ended with \(exitCode))"
            : elsewhere.joined(separator: "\n").replacing(files.path + "/", with: own.isEmpty ? "" : own + "/")
        return Outcome(words: [], errors: [], text: reason)
    }

    /// The errors that glslc reports of the file at `path`, as `path:line: error: message`; of a flood the first `maxErrors`.
    private static func errors(in text: String, of path: String) -> [Diagnostic] {
        text.split(separator: "\n").lazy.filter { $0.hasPrefix(path + ":") }.prefix(maxErrors).compactMap { line in
            let parts = line.dropFirst(path.count + 1).split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3, let number = Int(parts[0]), parts[1].contains("error") else { return nil }
            return Diagnostic(line: number, column: nil, message: String(parts[2].drop(while: \.isWhitespace)))
        }
    }
}
