import CoreMedia
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Media

@Suite(
    "A cinematic movie in FFmpeg's own tools", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ffprobe"), "no ffprobe"))
struct CinematicStrangerTests {
    private static func run(_ name: String, _ arguments: [String]) throws -> Data {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/\(name)")
        process.arguments = ["-v", "error"] + arguments
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return data
    }

    private static func take(in scratch: Scratch) throws -> String {
        let writer = try MovieFileWriter(path: scratch("take.mov"), movie: CinematicMovieTests.movie())
        try CinematicMovieTests.write(0..<12, to: writer)
        try writer.finish()
        return scratch("take.mov")
    }

    @Test("has the packet times of each track that were written")
    func packetTimes() throws {
        let scratch = try Scratch()
        let path = try Self.take(in: scratch)
        for stream in [0, 2, 3] {
            let arguments = ["-select_streams", "\(stream)", "-show_entries", "packet=pts", "-of", "csv=p=0", path]
            let said = String(decoding: try Self.run("ffprobe", arguments), as: UTF8.self)
            let times = said.split(whereSeparator: { !$0.isNumber }).compactMap { Int64($0) }
            #expect(times == (0..<12).map { 4004 * $0 }, "track \(stream)")
        }
        // Sound in packets of 1024 samples, one of the coder's lead ahead of zero; the last holds the end of 12 times 1602 samples.
        let said = String(
            decoding: try Self.run("ffprobe", ["-select_streams", "1", "-show_entries", "packet=pts", "-of", "default=nk=1:nw=1", path]),
            as: UTF8.self)
        #expect(said.split(separator: "\n").compactMap { Int64($0) } == (-1..<19).map { 1024 * $0 })
        let heard = try MovieReader(path: path).reader(
            of: 2, in: CMTimeRange(start: CMTime(value: -1, timescale: 1), end: .positiveInfinity), as: .stored)
        var own: [CMTime] = []
        while let packet = try heard.next() { own.append(packet.time) }
        #expect(own == (-1..<19).map { CMTime(value: 1024 * $0, timescale: 48_000) })
        let tracks = try Self.run("ffprobe", ["-show_entries", "stream=codec_name,codec_type", "-of", "csv=p=0", path])
        #expect(
            String(decoding: tracks, as: UTF8.self).split(separator: "\n").map { $0.prefix(12) } == [
                "h264,video", "aac,audio", "ffv1,video", "bin_data,dat",
            ])
    }

    @Test("is decoded to the disparity codes and the metadata that were written, bit for bit")
    func content() throws {
        let scratch = try Scratch()
        let path = try Self.take(in: scratch)
        let grey = try Self.run("ffmpeg", ["-i", path, "-map", "0:2", "-f", "rawvideo", "-pix_fmt", "gray16le", "-"])
        let metadata = try Self.run("ffmpeg", ["-i", path, "-map", "0:3", "-c", "copy", "-f", "data", "-"])
        var (codes, samples): ([UInt8], Data) = ([], Data())
        for index in 0..<12 {
            let frame = CinematicMovieTests.frame(index)
            for value in CinematicMovieTests.values(frame.disparity) {
                let code = frame.sample.disparity.code(value)
                codes += [UInt8(truncatingIfNeeded: code), UInt8(truncatingIfNeeded: code >> 8)]
            }
            samples += frame.sample.data
        }
        #expect(grey == Data(codes) && metadata == samples)
    }

    @Test("is still cinematic once FFmpeg has copied it")
    func copied() throws {
        let scratch = try Scratch()
        let arguments = ["-i", try Self.take(in: scratch), "-map", "0", "-c", "copy", "-movflags", "use_metadata_tags", scratch("copy.mov")]
        _ = try Self.run("ffmpeg", arguments)
        #expect(try CinematicMovieTests.check(scratch("copy.mov")) == 12)
    }
}
