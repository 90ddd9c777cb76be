import Cinematic
import CoreMedia
import CoreVideo
import Foundation
import Media
import ScenarioFormat
import Stage
import Support
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

    @Test("is coded by the encoder that is asked for, and says so; one that is not there is named")
    func encoder() throws {
        let words = ["--camera", "/dev/video90", "-o", "take.mov", "--baked", "baked.mp4", "--duration", "1s", "--format", "180p30", "--encoder"]
        let run = try record(words + ["libx264"]).end()
        #expect(run.exitCode == 0 && run.text.contains("note: pictures are coded by libx264, whose bits are its own"), "\(run.text)")
        let missing = try record(words + ["h264_nobody", "--force"]).end()
        #expect(missing.exitCode != 0 && missing.text.contains("this FFmpeg has no encoder h264_nobody"), "\(missing.text)")
    }

    @Test("gives the same trace when its log is played again in virtual time", arguments: 0..<RecordTests.replays)
    func replay(_ round: Int) throws {
        let script = try scratch.write(
            """
            timeline:
              - 0.1s: {tap: {pt: [300, 200]}}
              - 0.2s: {press: {pt: [480, 270], for: 0.4s}}
              - 0.7s: {set: {aperture: f/4}}
              - 0.9s: {tap: {pt: [\(200 + 17 * round), 300]}}
            """, to: "taps.yaml")
        let end = round % 2 == 0 ? ["--duration", "2s"] : []
        let run = try record(
            ["--camera", "/dev/video90", "-o", "take.mov", "--script", script, "--format", "180p30"] + end,
            camera: ["CAMERA_FILE": try people(), "CAMERA_FRAMES": round % 2 == 0 ? "0" : "45"]
        ).end()
        // The aperture of a movie cannot be changed while it records: the trace has the call, and the take has failed.
        #expect(run.exitCode == (round % 2 == 0 ? 1 : 3), "\(run.text)")
        let replayed = try WatchedTool(["replay", "take.run", "-o", "again.jsonl"], directory: scratch.url).end()
        #expect(replayed.exitCode == 0, "\(replayed.text)")
        #expect(replayed.text.contains("frames decided again; the trace is that of take.run"))
        let trace = try Data(contentsOf: scratch.url.appending(path: "take.run/trace.jsonl"))
        #expect(try Data(contentsOf: scratch.url.appending(path: "again.jsonl")) == trace)
        let text = String(decoding: trace, as: UTF8.self)
        #expect(text.contains("fixedByPress") && text.contains("May not be set while a recording is in progress"))
    }

    /// Takes that are played again; `RACKFOCUS_REPLAYS=20` makes a long check.
    private static let replays = ProcessInfo.processInfo.environment["RACKFOCUS_REPLAYS"].flatMap { Int($0) } ?? 2

    /// File of a second of raw pictures in which somebody walks 2 m away, or stands, 320 × 180, for the left or the right one of two eyes 65 mm apart.
    private func people(right: Bool = false, stand: Bool = false) throws -> String {
        let walk = "  - 0s: {move: {subject: maya, to: [0.5, 0.2, 0.16, 0.36], depth: 2m, over: 1s}}"
        let scenario = """
            scenario: people
            clip: {source: synthetic, size: 320x180, length: 1s}
            subjects:
              maya: {kind: face, box: [0.3, 0.2, 0.16, 0.36], depth: 2m}
            \(stand ? "" : "timeline:")
            \(stand ? "" : walk)
            """
        var world = try ScenarioFile.parse(scenario, path: "people.yaml").world()
        world.camera.focalLength = 26
        world.stereoBaseline = 0.065
        let source = StageSource(world: world)
        var bytes = Data()
        while let frame = try source.nextFrame() {
            let image = try #require(right ? frame.rightImage : frame.image)
            for (plane, rows) in [(0, 180), (1, 90)] {
                for y in 0..<rows { bytes.append(UnsafeBufferPointer(start: image.plane(plane).row(y, as: UInt8.self), count: 320)) }
            }
        }
        let path = scratch(right ? "right.yuv" : "people.yuv")
        try bytes.write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Geometry of two eyes 65 mm apart.
    private func rig() throws -> String {
        let focal = 26.0 / 36 * 320
        let lens = "{\"focalLength\":[\(focal),\(focal)],\"principalPoint\":[159.5,89.5],\"distortion\":[0,0,0,0,0]}"
        return try scratch.write(
            """
            {"width":320,"height":180,"left":\(lens),"right":\(lens),"rotation":[1,0,0,0,1,0,0,0,1],"translation":[-0.065,0,0],
            "reprojectionError":0.1,"views":20}
            """, to: "rig.json")
    }

    /// Disparities of the objects of a take, of which all are 1/m.
    private func disparities(of movie: String) throws -> [Double] {
        let frames = try CNScript.open(scratch(movie)).allFrames
        #expect(frames.count >= 2 && frames.allSatisfy(\.sample.disparity.isMetric))
        return frames.flatMap { $0.sample.detections.compactMap(\.disparity) }
    }

    @Test("films with two cameras whose clocks differ: distances in metres, and word of what had no partner")
    func pair() throws {
        let arguments = ["--left", "/dev/video90", "--right", "/dev/video92", "--calibration", try rig(), "-o", "take.mov", "--duration", "3s"]
        let run = try record(
            arguments,
            camera: [
                "CAMERA_FILE": try people(stand: true), "CAMERA_FILE2": try people(right: true, stand: true), "CAMERA_SIZE2": "320x180",
                "CAMERA_SKEW2": "20000",
                "CAMERA_OFFSET2": "5",
            ]
        ).end()
        #expect(run.exitCode == 0, "\(run.text)")
        #expect(
            run.text.contains(#/note: \d+ pairs of frames: the second camera [\d.]+ ms (behind|ahead), drifting by \+\d+ millionths, jitter/#),
            "\(run.text)")
        #expect(run.text.contains(#/note: \d+ frames of the first and \d+ of the second camera had no partner/#), "\(run.text)")
        let seen = try disparities(of: "take.mov")
        #expect(seen.contains { abs($0 - 0.5) < 0.05 }, "\(seen)")
        let one = try record(["--left", "/dev/video90", "-o", "other.mov"]).end()
        #expect(one.exitCode == 64 && one.text.contains("--left, --right and --calibration go together"), "\(one.text)")
    }

    /// File of a second of grey pictures, 320 × 180, each a little brighter than the one before.
    private func ramp() throws -> String {
        var bytes = Data()
        for frame in 0..<30 {
            bytes.append(Data(repeating: UInt8(40 + 6 * frame), count: 320 * 180))
            bytes.append(Data(repeating: 128, count: 320 * 90))
        }
        let path = scratch("ramp.yuv")
        try bytes.write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Seconds by which the sound of a movie is later than its pictures, most of the ticks in the middle; the ramp says when each picture was taken.
    private func soundDelay(of movie: String) throws -> Double {
        let video = try VideoFileSource(path: scratch(movie))
        var starts: [Double] = []
        var end = 0.0
        while let frame = try video.nextFrame() {
            let number = ((Double(frame.image.plane(0).row(90, as: UInt8.self)[160]) - 40) / 6).rounded()
            end = frame.presentationTime.seconds
            starts.append((end - number / 30).truncatingRemainder(dividingBy: 1))
        }
        let sound = try #require(try SoundFileSource.open(scratch(movie)))
        let heard = try sound.sound(of: 0..<Int64(end * Double(sound.sampleRate)))
        let channels = heard.layout.channelCount
        let loud = (0..<heard.sampleCount).filter { abs(heard.samples[$0 * channels]) > 0.1 }
        let onsets = loud.enumerated().filter { $0.offset == 0 || $0.element - loud[$0.offset - 1] > 4800 }.map { Double($0.element) / 48_000 }
        try #require(starts.count >= 2 && !onsets.isEmpty, "\(starts.count) pictures, \(onsets.count) ticks")
        func middle(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
        // The second's remainder runs around; a difference is within half a second.
        let start = middle(starts.map { ($0 - starts[0] + 1.5).truncatingRemainder(dividingBy: 1) - 0.5 }) + starts[0]
        return middle(onsets.map { ($0 - start + 2.5).truncatingRemainder(dividingBy: 1) - 0.5 })
    }

    @Test(
        "records a microphone in both movies, within 20 ms of the pictures",
        arguments: [["mono"], ["stereo"], ["ambisonics"], ["stereo", "two cameras"]])
    func sound(_ kind: [String]) throws {
        let cameras =
            kind.count > 1 ? ["--left", "/dev/video90", "--right", "/dev/video92", "--calibration", try rig()] : ["--camera", "/dev/video90"]
        let run = try record(
            cameras + ["--microphone", "preloaded", "--channels", kind[0], "-o", "take.mov", "--baked", "baked.mp4", "--duration", "4s"],
            camera: ["CAMERA_FILE": try ramp(), "CAMERA_FILE2": try ramp(), "CAMERA_SIZE2": "320x180", "MICROPHONE_SKEW": "200"]
        ).end()
        #expect(run.exitCode == 0, "\(run.text)")
        for movie in ["take.mov", "baked.mp4"] {
            let delay = try soundDelay(of: movie)
            #expect(abs(delay) < 0.02, "\(movie): \(delay) s, \(run.text)")
        }
    }

    @Test("takes distances from a depth camera")
    func depth() throws {
        let millimetres = Data((0..<320 * 180).flatMap { _ in [UInt8(2000 & 255), UInt8(2000 >> 8)] })
        try millimetres.write(to: URL(fileURLWithPath: scratch("depth.z16")))
        let settings = [
            "CAMERA_FILE": try people(), "CAMERA_FILE2": scratch("depth.z16"), "CAMERA_SIZE2": "320x180", "CAMERA_FORMAT2": "Z16",
        ]
        let arguments = ["--camera", "/dev/video90", "--depth-camera", "/dev/video92", "-o", "take.mov", "--baked", "baked.mp4", "--duration", "2s"]
        let run = try record(arguments, camera: settings).end()
        #expect(run.exitCode == 0, "\(run.text)")
        let seen = try disparities(of: "take.mov")
        #expect(!seen.isEmpty && seen.allSatisfy { abs($0 - 0.5) < 0.001 }, "\(seen)")
        let alone = try record(["--camera", "/dev/video92", "-o", "other.mov"], camera: settings).end()
        #expect(alone.exitCode == 64 && alone.text.contains("delivers depth alone: name it with --depth-camera"), "\(alone.text)")
    }

    @Test("says in a replay where another trace comes out, and that a log of detections alone is none of a take")
    func foreignLogs() throws {
        let run = try record(["--camera", "/dev/video90", "-o", "take.mov", "--duration", "1s", "--format", "180p30"]).end()
        #expect(run.exitCode == 0, "\(run.text)")
        let trace = scratch.url.appending(path: "take.run/trace.jsonl")
        try String(contentsOf: trace, encoding: .utf8).replacing("\"focus\":", with: "\"focus\":1").write(
            to: trace, atomically: true, encoding: .utf8)
        let other = try WatchedTool(["replay", "take.run"], directory: scratch.url).end()
        #expect(other.exitCode == 7)
        #expect(other.text.contains("the replay's trace differs from take.run/trace.jsonl:\n    line 2:"), "\(other.text)")
        let log = scratch.url.appending(path: "take.run/detections.jsonl")
        try "{\"format\":1,\"frameDuration\":[1,30],\"height\":180,\"source\":\"v\",\"width\":320}\n".write(
            to: log, atomically: true, encoding: .utf8)
        let none = try WatchedTool(["replay", "take.run"], directory: scratch.url).end()
        #expect(none.exitCode == 66)
        #expect(none.text.contains("detections.jsonl: is no log of a camera's take"), "\(none.text)")
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

    @Test(
        "onto a disk that is full from the start leaves nothing, and names no movie that does not exist",
        .enabled(if: SmallDisk.isPossible, "mounting a small tmpfs wants root"),
        arguments: [["-o", "take.mov"], ["-o", "take.mov", "--baked", "baked.mp4"]])
    func fullDisk(_ outputs: [String]) throws {
        // Room for a few pictures, but less than `leastDiskSpace`.
        let disk = try SmallDisk(kilobytes: 4000)
        let run = try WatchedTool(
            ["record", "--camera", "/dev/video90", "--format", "180p30"] + outputs,
            environment: ["LD_PRELOAD": PreloadedCamera.library, "CAMERA_SIZE": "320x180", "SWIFT_BACKTRACE": "enable=no"], directory: disk.url
        ).end()
        #expect(run.exitCode == 74, "\(run.text)")
        let written = try disk.names.filter { $0.hasSuffix("mov") || $0.hasSuffix("mp4") }
        #expect(outputs.allSatisfy { written.contains($0) || !run.text.contains("in \($0)") }, "\(run.text)")
        if outputs.count == 2 {
            #expect(run.text == "rackfocus: take.mov: cannot begin writing: no room left; free some space or write elsewhere\n")
            #expect(try disk.names.isEmpty)
        }
    }

    @Test("goes on in a second movie when a camera that was pulled out is back")
    func replugged() throws {
        let run = try record(
            ["--camera", "/dev/video90", "-o", "take.mov", "--duration", "3s", "--wait"], camera: ["CAMERA_FRAMES": "5", "CAMERA_AWAY": "1"]
        ).end()
        #expect(run.exitCode == 0, "\(run.text)")
        #expect(run.text.contains("the camera was unplugged; what was written is whole"))
        #expect(run.text.contains("rackfocus: waiting for a camera:"))
        #expect(run.text.contains("in take-2.mov, trace and plot in take-2.run"), "\(run.text)")
        for name in ["take", "take-2"] { #expect(try CNScript.open(scratch(name + ".mov")).times.count >= 2) }
        #expect(RecordJob.nextName("a/take-9.mov") == "a/take-10.mov")
    }

    @Test("shows in the baked movie what still waited for the lens as the take ended")
    func bakedToItsEnd() throws {
        // As many frames as may wait for the lens, which is still being prepared.
        let run = try record(["--camera", "/dev/video90", "-o", "take.mov", "--baked", "baked.mp4", "--duration", "0.2s"]).end()
        #expect(run.exitCode == 0, "\(run.text)")
        let frames = try #require(run.text.prefixMatch(of: #/(\d+) frames/#).flatMap { Int($0.1) })
        let pictures = try Probe.packets(scratch("baked.mp4")).count
        let late = run.text.firstMatch(of: #/baked.mp4 lacks (\d+) pictures?:/#).flatMap { Int($0.1) } ?? 0
        // The machine decides how many are late.
        #expect(pictures > 0 && pictures + late == frames, "\(pictures) of \(run.text)")
    }

    @Test("ends a movie, a baked one and the log with the same frame, at the length asked for", arguments: ["0.5s", "0.04s"])
    func bothToOneEnd(_ duration: String) throws {
        let words = ["--camera", "/dev/video90", "-o", "take.mov", "--baked", "baked.mp4", "--duration", duration]
        let run = try record(words, camera: ["CAMERA_SIZE": "64x36"]).end()
        #expect(run.exitCode == 0, "\(run.text)")
        let taken = try CNScript.open(scratch("take.mov")).times.count
        #expect(try Probe.packets(scratch("baked.mp4")).count <= taken, "\(run.text)")
        #expect(run.text.contains("\(taken.counted("frame")) in "), "\(taken): \(run.text)")
        let replayed = try WatchedTool(["replay", "take.run"], directory: scratch.url).end()
        #expect(replayed.text == "\(taken.counted("frame")) decided again; the trace is that of take.run\n", "\(run.text)")
    }

    @Test("ends a baked movie at its length where the last frame of it is lost")
    func lostEnd() throws {
        // Pulled out much later.
        let camera = ["CAMERA_SIZE": "64x36", "CAMERA_GAP": "5", "CAMERA_FRAMES": "900"]
        let run = try record(["--camera", "/dev/video90", "--baked", "baked.mp4", "--duration", "0.2s"], camera: camera).end()
        #expect(run.exitCode == 0 && !run.text.contains("unplugged"), "\(run.text)")
        #expect(try Probe.packets(scratch("baked.mp4")).count <= 5)
    }

    @Test("leaves nothing of a take that ends before its first picture")
    func interruptedEarly() throws {
        let tool = try record(["--camera", "/dev/video90", "--baked", "baked.mp4"])
        #expect(eventually { (try? scratch.names.contains { $0.hasSuffix(".part") }) == true })
        kill(tool.identifier, SIGINT)
        let run = try tool.end()
        #expect(run.exitCode == 0, "\(run.text)")
        let names = try scratch.names
        #expect(names.allSatisfy { !$0.hasSuffix(".part") }, "\(names) \(run.text)")
    }

    @Test("ends whole on Ctrl-C, and as its terminal is closed", arguments: [SIGINT, SIGHUP])
    func interrupted(signal: Int32) throws {
        let tool = try record(["--camera", "/dev/video90", "-o", "take.mov"])
        #expect(eventually { FileManager.default.fileExists(atPath: scratch("take.mov")) })
        kill(tool.identifier, signal)
        let run = try tool.end()
        #expect(run.exitCode == 0, "\(run.text)")
        #expect(run.text.contains("rackfocus: finishing; Ctrl-C again ends at once"))
        let frames = try CNScript.open(scratch("take.mov")).times.count
        #expect(frames >= 1 && run.text.contains("\n\(frames.counted("frame")) in "), "\(frames): \(run.text)")
    }

    @Test("ends at once on the second Ctrl-C")
    func interruptedTwice() throws {
        // The first waits for the second frame, which does not come.
        let tool = try record(["--camera", "/dev/video90", "-o", "take.mov"], camera: ["CAMERA_RATE": "1", "CAMERA_LAST": "1"])
        #expect(eventually { FileManager.default.fileExists(atPath: scratch("take.mov")) })
        kill(tool.identifier, SIGINT)
        _ = try tool.read(until: "rackfocus: finishing; Ctrl-C again ends at once")
        kill(tool.identifier, SIGINT)
        let run = try tool.end()
        #expect(tool.endedBySignal == SIGINT, "\(run.exitCode) \(run.text)")
    }

    @Test("that is killed leaves trace and log, which recover names until the take is recorded anew")
    func killed() throws {
        let words = ["--camera", "/dev/video90", "-o", "take.mov", "--format", "180p30"]
        let tool = try record(words)
        #expect(eventually { (try? CNScript.open(scratch("take.mov")).times.isEmpty) == false })
        tool.end(by: SIGKILL)
        let left = try #require(try scratch.names.first { $0.hasPrefix(".take.run.") })
        // Of a long take there are pieces in it.
        try scratch.write("{}\n", to: left + "/trace.jsonl")
        let recover = ["recover", "take.mov", "-o", "whole.mov", "--force"]
        let told = try ToolRun(recover, directory: scratch.url)
        let note = "rackfocus: note: trace and log of the take, as far as they were written, lie in \(left) until it is recorded anew\n"
        #expect(told.exitCode == 0 && told.errors == note, "\(told.errors)")
        let again = try record(words + ["--duration", "0.1s", "--force"]).end()
        #expect(again.exitCode == 0, "\(again.text)")
        #expect(try scratch.names == ["take.mov", "take.run", "whole.mov"])
    }

    @Test("hears a Ctrl-C that comes right after it listens, and then does what was done before")
    func promptSignal() throws {
        for _ in 0..<50 {
            let stopped = DispatchSemaphore(value: 0)
            let signals = try StopSignal { stopped.signal() }
            kill(getpid(), SIGINT)
            #expect(stopped.wait(timeout: .now() + patience) == .success)
            signals.end()
        }
        var action = sigaction()
        sigaction(SIGINT, nil, &action)
        #expect(action.__sigaction_handler.sa_handler == nil)
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
