import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Media

@Suite("A cinematic movie in programs of others")
struct CinematicPlayersTests {
    private static func isThere(_ name: String) -> Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/\(name)") }

    private static func said(_ name: String, _ arguments: [String]) throws -> (text: String, code: Int32) {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/\(name)")
        process.arguments = arguments
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (String(decoding: data, as: UTF8.self), process.terminationStatus)
    }

    /// A take with ambisonic sound and its stereo companion.
    private static func take(in scratch: Scratch) throws -> String {
        let writer = try MovieFileWriter(path: scratch("take.mov"), movie: CinematicMovieTests.movie(sound: .firstOrderAmbisonics))
        try CinematicMovieTests.write(0..<12, to: writer, sound: .firstOrderAmbisonics)
        try writer.finish()
        return scratch("take.mov")
    }

    @Test("mediainfo names the pictures, stereo first, ambisonics and disparity", .enabled(if: isThere("mediainfo"), "no mediainfo"))
    func mediainfo() throws {
        let scratch = try Scratch()
        let said = try Self.said("mediainfo", ["--Inform=Video;V %Format% %Default%|", try Self.take(in: scratch)])
        #expect(said.code == 0 && said.text.contains("V AVC") && said.text.contains("V FFV1 No"), "\(said.text)")
        let sound = try Self.said("mediainfo", ["--Inform=Audio;A %Format% %ChannelLayout%|", scratch("take.mov")])
        #expect(sound.text.hasPrefix("A AAC") && sound.text.contains("A PCM Ambisonics (W X Y Z)"), "\(sound.text)")
    }

    @Test("GStreamer finds the pictures and no disparity to show", .enabled(if: isThere("gst-discoverer-1.0"), "no gst-discoverer-1.0"))
    func gstreamer() throws {
        let scratch = try Scratch()
        let said = try Self.said("gst-discoverer-1.0", [try Self.take(in: scratch)])
        #expect(said.code == 0 && said.text.contains("video #1: H.264") && !said.text.contains("FFV1"), "\(said.text)")
    }

    @Test("mpv plays the sharp picture", .enabled(if: isThere("mpv"), "no mpv"))
    func mpv() throws {
        let scratch = try Scratch()
        let said = try Self.said("mpv", ["--no-config", "--vo=null", "--ao=null", "--untimed", try Self.take(in: scratch)])
        #expect(said.code == 0 && said.text.contains("(+) Video --vid=1 (*) (h264"), "\(said.text)")
    }
}
