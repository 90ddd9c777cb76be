import Foundation
import Media
import TestSupport
import Testing

@Suite("A filter that crashes")
struct FilterTests {
    @Test("ends a render with its name and exit code 65, and the movie is whole")
    func crash() throws {
        let scratch = try Scratch()
        let scenario = try scratch.write(
            """
            scenario: A small world
            clip: {source: synthetic, size: 160x90, fps: 30, length: 0.4s, seed: 3}
            device: {aperture: f/2, focalLength: 50mm}
            subjects:
              maya: {kind: face, box: [0.4, 0.2, 0.15, 0.35], depth: 1.5m}
            """, to: "small.yaml")
        let filter = try scratch.write(
            """
            #version 450
            layout(local_size_x = 8, local_size_y = 8) in;
            layout(binding = 1, rgba32f) writeonly uniform image2D result;
            layout(push_constant) uniform Frame { int number; } frame;
            shared float far[64];
            void main() {
                ivec2 p = ivec2(gl_GlobalInvocationID.xy);
                int end = frame.number < 3 ? 1 : 500000000;
                for (int at = 0; at < end; at += 4096) far[at] = 0.5;
                imageStore(result, p, vec4(far[0]));
            }
            """, to: "wild.comp")
        let run = try ToolRun(["render", scenario, "-o", scratch("a.mp4"), "--shader", filter])
        #expect(run.exitCode == 65)
        #expect(run.errors == "rackfocus: the filter \(filter) crashed in picture 3 (Segmentation fault)\n")
        let movie = try VideoFileSource(path: scratch("a.mp4"))
        var frames = 0
        while try movie.nextFrame() != nil { frames += 1 }
        #expect(frames == 12)
    }
}
