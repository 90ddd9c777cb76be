@testable import Bokeh
import CoreVideo
import Foundation
import Optics
import TestSupport
import Testing

@Suite("A user's own filter", .validated)
struct UserShaderTests {
    private static let invert = URL(fileURLWithPath: #filePath).appending(path: "../../../../Shaders/Examples/invert.comp").standardizedFileURL.path

    private static func error(_ source: String) throws -> BokehError? {
        let scratch = try Scratch()
        let path = try scratch.write(source, to: "filter.comp")
        return #expect(throws: BokehError.self) { try UserShader(path: path) }
    }

    private static func shader(_ declarations: String, _ body: String = "", local: String = "local_size_x = 8, local_size_y = 8") -> String {
        "#version 450\nlayout(\(local)) in;\n\(declarations)\nvoid main() {\n\(body)\n}\n"
    }

    @Test("The example inverts what the lens drew, in every layout", arguments: TestPicture.formats)
    func inverts(format: OSType) throws {
        let lens = try VulkanBokehRenderer(options: BokehOptions(highlights: 0, shader: UserShader(path: Self.invert)), validation: true)
        let image = TestPicture.textured(62, 38, format)
        let map = TestPicture.disparity(62, 38) { x, _ in x < 30 ? 0.1 : 0.5 }
        let circle = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 30)
        let plain = try SharedLens.plain.get().render(image, disparity: map, circle: circle)
        let inverted = try lens.render(image, disparity: map, circle: circle)
        let (a, b) = (TestPicture.bytes(plain), TestPicture.bytes(inverted))
        // Black and white change places, grey chroma stays; alpha stays. Inverted colours are within range only where these were, so some clip.
        let luma = format == kCVPixelFormatType_32BGRA ? a.indices.filter { $0 % 4 != 3 } : Array(0..<62 * 38)
        let sum = format == kCVPixelFormatType_32BGRA ? 255 : 251
        #expect(luma.count { abs(Int(a[$0]) + Int(b[$0]) - sum) <= 1 } > luma.count * 9 / 10)
        #expect(format != kCVPixelFormatType_32BGRA || a.indices.allSatisfy { $0 % 4 != 3 || b[$0] == a[$0] })
        let closed = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 0)
        #expect(TestPicture.bytes(try lens.render(image, disparity: map, circle: closed)) != TestPicture.bytes(image))
        #expect(lens.filterFailure == nil)
        #expect(lens.validationMessages == [])
    }

    @Test("Errors come with line and column, all of them")
    func errors() throws {
        let source = Self.shader("", "    vec3 a = foo + 1.0; // foo\n    int b = 2\n    vec4 c = vec4(1.0);")
        let error = try #require(try Self.error(source))
        #expect(error.code == .invalidShader)
        #expect(error.description.contains(".comp:5:14: error: 'foo' : undeclared identifier"), "\(error)")
        #expect(error.description.contains(".comp:7:5: error: '' :  syntax error, unexpected VEC4"), "\(error)")
        #expect(error.description.contains("\n        vec3 a = foo + 1.0; // foo\n                 ^"), "\(error)")
    }

    @Test("Lines are broken where words begin, never in a comment or a directive")
    func words() {
        #expect(GLSLCompiler.wordStarts(in: "  vec3 a=b+1.5; // c d") == [3, 8, 9, 10, 11, 12, 15])
        #expect(GLSLCompiler.wordStarts(in: "#define A 1") == [])
    }

    @Test(
        "What does not fit a filter is refused by name",
        arguments: [
            ("layout(binding = 0, rgba32f) readonly uniform image2D a;", "vec4 x = imageLoad(a, ivec2(0));", "writes no result"),
            ("layout(binding = 2, rgba32f) writeonly uniform image2D a;", "imageStore(a, ivec2(0), vec4(1));", "binding 2"),
            ("layout(binding = 1, rgba8) writeonly uniform image2D a;", "imageStore(a, ivec2(0), vec4(1));", "rgba32f"),
            (
                "layout(binding = 1, rgba32f) writeonly uniform image2D a;\nlayout(push_constant) uniform F { vec2 v; } f;",
                "imageStore(a, ivec2(0), vec4(f.v, 0, 0));", "push constants"
            ),
        ])
    func misfits(declarations: String, body: String, reason: String) throws {
        let error = try Self.error(Self.shader(declarations, body))
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "none")")
    }

    @Test("Workgroups too large for every device, a missing file and a missing compiler are refused")
    func refusals() throws {
        let large = Self.shader(
            "layout(binding = 1, rgba32f) writeonly uniform image2D a;", "imageStore(a, ivec2(0), vec4(1));", local: "local_size_x = 512")
        #expect(try Self.error(large)?.description.contains("512x1x1") == true)
        #expect(throws: BokehError.self) { try UserShader(path: "/nonexistent.comp") }
        let missing = #expect(throws: BokehError.self) { try GLSLCompiler(executable: "/nonexistent").compile(Self.invert) }
        #expect(missing?.code == .missingCompiler)
    }
}
