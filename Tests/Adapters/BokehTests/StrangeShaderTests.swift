import CoreVideo
import Foundation
import Optics
import Testing

@testable import Bokeh

@Suite("Filters of strangers", .validated)
struct StrangeShaderTests {
    /// A folder with a shader's files, which goes with the value.
    private final class Folder {
        let url = FileManager.default.temporaryDirectory.appending(path: "rackfocus-filters-\(UUID().uuidString)")

        init(_ files: [String: String]) throws {
            for (name, text) in files {
                let file = url.appending(path: "own/" + name)
                try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            try Data("float secret = 1.0;".utf8).write(to: url.appending(path: "secret.glsl"))
        }

        deinit { do { try FileManager.default.removeItem(at: url) } catch { Issue.record(error) } }

        var filter: String { url.appending(path: "own/filter.comp").path }
    }

    private static let head = """
        #version 450
        #extension GL_GOOGLE_include_directive : require
        layout(local_size_x = 8, local_size_y = 8) in;
        layout(binding = 0, rgba32f) readonly uniform image2D picture;
        layout(binding = 1, rgba32f) writeonly uniform image2D result;
        layout(push_constant) uniform Frame { int number; } frame;

        """

    private static func body(_ text: String) -> String { "void main() { ivec2 p = ivec2(gl_GlobalInvocationID.xy); \(text) }\n" }

    @Test("Files of the shader's folder are included, from folders in it and by several, too")
    func includes() throws {
        let folder = try Folder([
            "filter.comp": head("a.glsl", "parts/b.glsl") + Self.body("imageStore(result, p, vec4(a() + b()));"),
            "a.glsl": "#ifndef A\n#define A\nfloat a() { return 0.25; }\n#endif\n",
            "parts/b.glsl": "#include \"c.glsl\"\n#include \"../a.glsl\"\nfloat b() { return c() + a(); }\n",
            "parts/c.glsl": "float c() { return 0.25; }\n",
        ])
        #expect(try UserShader(path: folder.filter).interface.resources.count == 1)
        func head(_ names: String...) -> String { Self.head + names.map { "#include \"\($0)\"\n" }.joined() }
    }

    @Test(
        "What a shader may not include is refused with its line, and never opened",
        arguments: [
            ("#include \"filter.comp\"", "own/filter.comp:7: error: `#include \"filter.comp\"`: the file includes itself"),
            ("#include \"ping.glsl\"", "own/pong.glsl:1: error: `#include \"ping.glsl\"`: the file includes itself"),
            ("#include \"../secret.glsl\"", "only files of the shader's folder"),
            ("#include \"/etc/hostname\"", "only files of the shader's folder"),
            ("#include <link.glsl>", "only files of the shader's folder"),
            ("#include \"pipe.glsl\"", "is not a plain file"),
            ("#inc\\\nlude \"../secret.glsl\"", "only files of the shader's folder"),
            ("#/* \n */include \"../secret.glsl\"", "stands on a line of its own"),
            ("# define X \"/*\"\n#include/**/\"../secret.glsl\"", "stands on a line of its own"),
            ("#include \"d0.glsl\"", "more than 16 deep"),
        ])
    func refusals(directive: String, reason: String) throws {
        var files = ["filter.comp": Self.head + directive + "\n" + Self.body("")]
        files["ping.glsl"] = "#include \"pong.glsl\""
        files["pong.glsl"] = "#include \"ping.glsl\""
        for depth in 0..<20 { files["d\(depth).glsl"] = "#include \"d\(depth + 1).glsl\"" }
        files["d20.glsl"] = ""
        let folder = try Folder(files)
        let own = folder.url.appending(path: "own")
        let secret = folder.url.appending(path: "secret.glsl")
        try FileManager.default.createSymbolicLink(at: own.appending(path: "link.glsl"), withDestinationURL: secret)
        #expect(mkfifo(own.appending(path: "pipe.glsl").path, 0o600) == 0)
        let error = #expect(throws: BokehError.self) { try UserShader(path: folder.filter) }
        #expect(error?.code == .invalidShader && error?.description.contains(reason) == true, "\(error?.description ?? "none")")
    }

    @Test("Compiling ends where it takes too much time or memory")
    func bomb() throws {
        // Each file includes the next twice: 2^16 copies of the last.
        var files = ["filter.comp": Self.head + "#include \"b0.glsl\"\n" + Self.body("")]
        for depth in 0..<15 { files["b\(depth).glsl"] = String(repeating: "#include \"b\(depth + 1).glsl\"\n", count: 2) }
        files["b15.glsl"] = String(repeating: "float f(float x) { return x; }\n", count: 100)
        let folder = try Folder(files)
        var compiler = GLSLCompiler()
        compiler.maxSeconds = 1
        compiler.maxMegabytes = 256
        let error = #expect(throws: BokehError.self) { try compiler.compile(folder.filter) }
        #expect(error?.description.contains("compiling it takes more than 1 s or 256 MiB") == true, "\(error?.description ?? "none")")
    }

    /// Writes at every 16 KiB of the two gigabytes behind a small array: some of it belongs to nobody.
    private static let wild = "for (int at = 0; at < 500000000; at += 4096) far[at] = 3.0;"
    /// Lavapipe counts a loop's turns and ends it after 65,536: seconds for a small picture, minutes for one of 640 x 480.
    private static let endless = """
        float x = 0.0, c = imageLoad(picture, p).r;
        for (int a = 0; a < 2000000000; a++) for (int b = 0; b < 2000000000; b++) for (int d = 0; d < 2000000000; d++) x = sin(x + c);
        far[0] = x;
        """

    @Test(
        "A filter that crashes or never ends is named, and pictures go on without it",
        arguments: [(wild, "crashed"), (endless, "did not end within 20.0 seconds")])
    func faults(fault: String, how: String) throws {
        let folder = try Folder([
            "filter.comp": Self.head + "shared float far[64];\n"
                + Self.body("if (frame.number == 1) { \(fault) } imageStore(result, p, vec4(frame.number == 1 ? far[0] : 0.0));")
        ])
        let lens = try VulkanBokehRenderer(options: BokehOptions(highlights: 0, shader: UserShader(path: folder.filter)))
        let image = TestPicture.textured(640, 480, kCVPixelFormatType_32BGRA)
        let map = TestPicture.disparity(640, 480) { x, _ in x < 300 ? 0.1 : 0.5 }
        let circle = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 30)
        let plain = TestPicture.bytes(try SharedLens.plain.get().render(image, disparity: map, circle: circle))
        let drawn = try (0..<4).map { _ in TestPicture.bytes(try lens.render(image, disparity: map, circle: circle)) }
        #expect(drawn[0].indices.allSatisfy { $0 % 4 == 3 || drawn[0][$0] == 0 }, "the first is black")
        #expect(drawn[1...] == [plain, plain, plain])
        let failure = try #require(lens.filterFailure)
        #expect(failure.code == .filterFailed)
        #expect(failure.description.contains("the filter \(folder.filter) \(how) in picture 1"), "\(failure)")
    }
}
