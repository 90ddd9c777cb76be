import Foundation
import TestSupport
import Testing
import VideoDevice

/// Programs of a session of its own, without a desktop.
private enum Session {
    static let programs = ["pipewire", "wireplumber", "gst-launch-1.0", "dbus-run-session"]
    static let library = Project.tool.deletingLastPathComponent().appending(path: "libPreloadedCamera.so").path

    static var canRun: Bool {
        PipeWireSink.isBuilt && programs.allSatisfy { FileManager.default.isExecutableFile(atPath: "/usr/bin/" + $0) }
            && FileManager.default.fileExists(atPath: "/usr/lib/x86_64-linux-gnu/gstreamer-1.0/libgstpipewire.so")
    }
}

/// The whole tool as a camera of a PipeWire daemon of the test's own, which GStreamer reads as any program would.
@Suite(
    "A camera of PipeWire", .serialized,
    .enabled(
        if: Session.canRun,
        "needs a build with libpipewire-0.3-dev, and pipewire, wireplumber, dbus-daemon, gstreamer1.0-tools and gstreamer1.0-pipewire"))
struct PipeWireTests {
    private let scratch = try! Scratch()

    /// Runs a script in a session of its own, where `eventually` polls and `$TOOL webcam` has the preloaded camera.
    private func session(_ script: String) throws -> String {
        let process = Process()
        let path = try scratch.write(
            """
            mkdir -m 700 runtime
            export XDG_RUNTIME_DIR=$PWD/runtime HOME=$PWD
            eventually() { for _ in $(seq 3000); do "$@" >/dev/null 2>&1 && return; sleep 0.1; done; echo "timed out: $*"; }
            counts() { [ "$(grep -c "$2" "$3")" = "$1" ]; }
            webcam() { CAMERA_SIZE=320x180 CAMERA_STATES=states LD_PRELOAD=$CAMERA exec "$TOOL" webcam --camera /dev/video90 --to pipewire "$@"; }
            watch() { timeout 300 gst-launch-1.0 -q pipewiresrc target-object=rackfocus num-buffers=15 ! "video/x-raw,format=$1" ! filesink location="$2"; }
            pipewire >pipewire.log 2>&1 & daemon=$!
            eventually pw-cli info 0
            wireplumber >wireplumber.log 2>&1 & manager=$!
            \(script)
            kill $manager $daemon
            wait $manager $daemon 2>/dev/null
            """, to: "session.sh")
        process.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-run-session")
        process.arguments = ["--", "bash", "-m", path]
        process.environment = ProcessInfo.processInfo.environment.merging(["TOOL": Project.tool.path, "CAMERA": Session.library]) { $1 }
        process.currentDirectoryURL = scratch.url
        // A file, since a daemon that outlives the session would hold a pipe open.
        let output = scratch.url.appending(path: "output")
        try Data().write(to: output)
        (process.standardOutput, process.standardError) = (try FileHandle(forWritingTo: output), FileHandle.nullDevice)
        try process.run()
        process.waitUntilExit()
        return try String(contentsOf: output, encoding: .utf8)
    }

    @Test("is seen by others in NV12 and YUY2, and films only while somebody watches")
    func watched() throws {
        let text = try session(
            """
            webcam >log 2>&1 & tool=$!
            eventually grep -q "waiting for somebody to watch pipewire" log
            [ -e states ] && echo "filmed before"
            watch NV12 first
            eventually grep -q off states
            watch YUY2 second
            eventually counts 2 off states
            eventually counts 3 waiting log
            kill -INT $tool
            wait $tool
            echo "code $?"
            """)
        #expect(text == "code 0\n")
        let log = try String(contentsOf: scratch.url.appending(path: "log"), encoding: .utf8)
        #expect(log.matches(of: #/\d+ pictures shown; nobody watches any more/#).count == 2, "\(log)")
        #expect(try String(contentsOf: scratch.url.appending(path: "states"), encoding: .utf8) == "on\noff\non\noff\n")
        // The camera is of one grey.
        for (name, length) in [("first", 320 * 180 * 3 / 2), ("second", 320 * 180 * 2)] {
            let pictures = try Data(contentsOf: scratch.url.appending(path: name))
            #expect(pictures.count == 15 * length && pictures.allSatisfy { $0 == 128 }, "\(name): \(pictures.count)")
        }
    }

    @Test("ends when its daemon does, and says that there is none")
    func daemonGone() throws {
        let text = try session(
            """
            webcam >log 2>&1 & tool=$!
            eventually grep -q "waiting for somebody" log
            kill $daemon
            wait $tool
            echo "code $?"
            (webcam --duration 1s) 2>&1
            """)
        #expect(text == "code 3\nrackfocus: pipewire: no PipeWire daemon of this user answers; start one (Host is down)\n")
        let log = try String(contentsOf: scratch.url.appending(path: "log"), encoding: .utf8)
        #expect(log.contains("rackfocus: pipewire: the PipeWire daemon has ended"), "\(log)")
    }
}
