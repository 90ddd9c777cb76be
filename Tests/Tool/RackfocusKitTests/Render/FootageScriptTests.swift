import Foundation
import TestSupport
import Testing

@Suite("A script for footage", .enabled(if: Probe.isInstalled, "ffmpeg is not installed"))
struct FootageScriptTests {
    @Test("with a call that would end an app is a failure with its line and the reason, and the movie is there")
    func violation() throws {
        let scratch = try Scratch()
        try Probe.make(scratch("in.mkv"), "-f lavfi -i testsrc2=s=160x90:r=25:d=0.2 -c:v ffv1")
        let script = try scratch.write("timeline:\n  - 0.1s: {set: {zoom: 99}}\n", to: "zoom.yaml")
        let run = try ToolRun(["render", "--video", "in.mkv", "--script", script, "-o", "out.mp4"], directory: scratch.url)
        #expect(run.exitCode == 1 && run.errors.contains("setVideoZoomFactor"), "\(run.exitCode) \(run.output)\(run.errors)")
        #expect(try Probe.report(scratch("out.mp4")).video?.width == 160)
    }
}
