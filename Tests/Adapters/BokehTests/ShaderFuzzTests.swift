import Foundation
import FuzzSupport
import Testing

@testable import Bokeh

@Suite("Users' shaders, changed by chance")
struct ShaderFuzzTests {
    private static let example = URL(fileURLWithPath: #filePath).appending(path: "../../../../Shaders/Examples/invert.comp").standardizedFileURL.path

    @Test("a shader's interface is read, and fits a filter or is refused in words")
    func interfaces() throws {
        let words = try GLSLCompiler().compile(Self.example)
        let mutator = ByteMutator([words.withUnsafeBytes { Data($0) }])
        try FuzzRun("shader-interface", count: 3000)({ generator in
            generator.chance(0.5) ? mutator(&generator) : Self.changedInstruction(words, &generator)
        }) { input, seed in
            let words = input.withUnsafeBytes { bytes in (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self) } }
            do {
                let interface = try SPIRVInterface(words: words).checkedAsFilter("fuzz.comp")
                #expect(interface.localSize.x * interface.localSize.y <= 128 && interface.pushBytes <= 4, "seed \(seed)")
            } catch let error as BokehError { #expect(error.code == .invalidShader, "seed \(seed)") }
        }
    }

    /// Changes the operands of one instruction, its length or its place.
    private static func changedInstruction(_ words: [UInt32], _ generator: inout FuzzGenerator) -> Data {
        var (starts, at) = ([Int](), 5)
        while at < words.count, words[at] >> 16 > 0 {
            starts.append(at)
            at += Int(words[at] >> 16)
        }
        var words = words
        for _ in 0...generator.index(3) {
            let start = generator.pick(starts)
            let place = min(start + generator.index(5), words.count - 1)
            words[place] = generator.pick([0, 1, 2, 17, 33, 34, 9, .max, 1 << 31, words[place] &+ 1, words[generator.index(words.count)]])
        }
        return words.withUnsafeBytes { Data($0) }
    }

    @Test("every #include of a text is found, or refused at its line")
    func includes() throws {
        let sample = """
            #version 450
            #include "noise.glsl"
            # /* a */ include <lib/colour.glsl>
            // #include "not.glsl"
            #inc\\
            lude "joined.glsl"
            layout(local_size_x = 8, local_size_y = 8) in;
            void main() { /* #include "x" */ }
            """
        let mutator = TextMutator([sample])
        try FuzzRun("shader-include", count: 3000)({ mutator(&$0) }) { input, seed in
            do {
                let found = try IncludeDirective.all(in: String(decoding: input, as: UTF8.self), of: "fuzz.comp")
                #expect(found.allSatisfy { $0.line > 0 && !$0.name.isEmpty }, "seed \(seed)")
            } catch let error as BokehError { #expect(error.code == .invalidShader && error.description.contains("fuzz.comp:"), "seed \(seed)") }
        }
    }
}
