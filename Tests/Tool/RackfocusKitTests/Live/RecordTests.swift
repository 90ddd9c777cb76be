import Cinematic
import CoreMedia
import Foundation
import Media
import TestSupport
import Testing
import VideoDevice

@testable import RackfocusKit
@testable import rackfocus

/// Library that is a camera when it is preloaded.
private enum PreloadedCamera {
    static let library = Project.tool.deletingLastPathComponent().appending(path: "libPreloadedCamera.so").path
}

/// The whole tool by the wall clock, with a camera of grey pictures preloaded.
@Suite(
    "A recording from a camera", .serialized,
    .enabled(if: FileManager.default.fileExists(atPath: PreloadedCamera.library), "needs libPreloadedCamera.so beside the tool"))
struct RecordTests {
    private let scratch = try! Scratch()

    private func record(_ arguments: [String], camera: [String: String] = [:]) throws -> WatchedTool {
        let environment = ["LD_PRELOAD": PreloadedCamera.library, "CAMERA_SIZE": "320x180", "SWIFT_BACKTRACE": "enable=no"].merging(camera) { $1 }
        return try WatchedTool(["record"] + arguments, environment: environment, directory: scratch.url)
    }

    @Test("keeps a cinematic movie and a baked one, plays the script, and leaves the trace")
    func whole() throws {
        let script = try scratch.write("timeline:\n  - 0.2s: {press: {pt: [480, 270], for: 0.4s}}\n", to: "taps.yaml")
        let run = try record([
            "--camera", "/dev/video90", "-o", "take.mov", "--baked", "baked.mp4", "--duration", "3s", "--script", script, "--format", "180p30",
        ]).end()
        #expect(run.exitCode == 0, "\(run.text)")
        #expect(run.text.contains("in take.mov and baked.mp4, trace and plot in take.run"))
        #expect(Set(try scratch.names) == ["baked.mp4", "take.mov", "take.run", "taps.yaml"])
        #expect(try CNScript.open(scratch("take.mov")).times.count >= 2)
        #expect(try VideoFileSource(path: scratch("baked.mp4")).nextFrame() != nil)
        let trace = try String(contentsOfFile: scratch("take.run/trace.jsonl"), encoding: .utf8)
        #expect(trace.contains("fixedByPress"), "\(trace)")
    }

    @Test("shows the camera as a virtual one, in NV12 of the size asked for")
    func webcam() throws {
        let arguments = ["webcam", "--camera", "/dev/video90", "--to", "/dev/video91", "--size", "160x90", "--mirror", "--duration", "3s"]
        let environment = ["LD_PRELOAD": PreloadedCamera.library, "CAMERA_SIZE": "320x180", "CAMERA_SINK": scratch("shown.yuv")]
        let run = try WatchedTool(arguments, environment: environment, directory: scratch.url).end()
        #expect(run.exitCode == 0, "\(run.text)")
        let pictures = try Data(contentsOf: scratch.url.appending(path: "shown.yuv"))
        #expect(!pictures.isEmpty && pictures.count % (160 * 90 * 3 / 2) == 0)
        // The camera is of one grey.
        #expect(pictures.prefix(160 * 90).allSatisfy { $0 == 128 })
    }

    @Test("ends whole when the camera is pulled out, says so and ends with 3")
    func unplugged() throws {
        let run = try record(["--camera", "/dev/video90", "-o", "take.mov"], camera: ["CAMERA_FRAMES": "45"]).end()
        #expect(run.exitCode == 3, "\(run.text)")
        #expect(run.text.contains("rackfocus: the camera was unplugged; what was written is whole"))
        #expect(try CNScript.open(scratch("take.mov")).times.count >= 2)
    }

    @Test("ends whole on Ctrl-C")
    func interrupted() throws {
        let tool = try record(["--camera", "/dev/video90", "-o", "take.mov"])
        #expect(eventually(within: 60) { FileManager.default.fileExists(atPath: scratch("take.mov")) })
        kill(tool.identifier, SIGINT)
        let run = try tool.end()
        #expect(run.exitCode == 0, "\(run.text)")
        #expect(run.text.contains("rackfocus: finishing; Ctrl-C again ends at once"))
        #expect(try CNScript.open(scratch("take.mov")).times.count >= 1)
    }

    @Test(
        "answers what cannot be recorded with one error, and leaves nothing",
        arguments: [
            (["-o", "a.mov", "--camera", "Nobody"], 3, "Nobody: there is no such camera"),
            (["-o", "a.mov", "--camera", "/dev/video90", "--format", "720p30"], 64, "has no such format; it has 320x180 at 30 fps (NV12)"),
            (["-o", "a.mov", "--camera", "/dev/video90", "--format", "180p60"], 64, "has 320x180 at 30 fps at most, not 60"),
            (["-o", "a.mov", "--format", "big"], 64, "--format is like 1080p30, 720p, 1280x720 or 640x480@15, not \"big\""),
            (["-o", "a.mp4"], 64, "name it .mov"),
            (["--duration", "5s"], 64, "--output or --baked is missing"),
            (["-o", "a.mov", "--duration", "soon"], 64, "--duration is a time up to a week like 90, 90s, 2m or 1h, not \"soon\""),
            (["-o", "a.mov", "--camera", "/dev/null"], 3, "/dev/null: is no video device"),
        ])
    func refused(_ arguments: [String], _ code: Int32, _ message: String) throws {
        let run = try record(arguments).end()
        #expect(run.exitCode == code)
        #expect(run.text.contains(message), "\(run.text)")
        #expect(try scratch.names.isEmpty)
    }

    @Test(
        "reads formats as people write them",
        arguments: [
            ("1080p30", nil, 1080, 30), ("720p", nil, 720, nil), ("1280x720", 1280, 720, nil), ("640x480@15", 640, 480, 15.0),
        ] as [(String, Int?, Int?, Double?)])
    func formats(_ text: String, _ width: Int?, _ height: Int?, _ rate: Double?) throws {
        let wish = try #require(LiveFormatWish(text))
        #expect((wish.width, wish.height, wish.rate) == (width, height, rate))
        #expect(LiveFormatWish("30fps") == nil)
    }
}
