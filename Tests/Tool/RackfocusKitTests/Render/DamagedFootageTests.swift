import Foundation
import Media
import TestSupport
import Testing

@testable import RackfocusKit

@Suite("Footage that is damaged, looked at ahead", .enabled(if: Probe.isInstalled, "ffmpeg is not installed"))
struct DamagedFootageTests {
    @Test("is what the error tells of, with its frame, whichever pass comes upon it, and no movie is left")
    func middle() throws {
        let scratch = try Scratch()
        try Probe.make(scratch("whole.mp4"), "-f lavfi -i testsrc2=s=160x90:r=25:d=8 -c:v libx264 -g 25 -pix_fmt yuv420p ")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: scratch("whole.mp4")))
        let middle = bytes.count * 3 / 4
        for offset in 0..<bytes.count / 10 { bytes[middle + offset] = UInt8(truncatingIfNeeded: offset &* 37) }
        try bytes.write(to: URL(fileURLWithPath: scratch("bad.mp4")))
        let job = try RenderJob(scenario: nil, footage: .plain(scratch("bad.mp4")), options: RenderOptions(output: scratch("movie.mp4")))
        let error = try #require(throws: MediaError.self) { _ = try job.run { _ in } }
        #expect("\(error)".contains("bad.mp4: is damaged or cut short at frame "), "\(error)")
        #expect(!FileManager.default.fileExists(atPath: scratch("movie.mp4")))
    }

    @Test("is an error where a demuxer passes over what it does not understand, as Matroska's does over a cluster")
    func lostCluster() throws {
        let scratch = try Scratch()
        try Probe.make(scratch("whole.mkv"), "-f lavfi -i testsrc2=s=160x90:r=25:d=8 -c:v mjpeg -cluster_time_limit 1000 ")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: scratch("whole.mkv")))
        var cluster = bytes.startIndex
        for _ in 0..<5 { cluster = try #require(bytes.range(of: Data([0x1F, 0x43, 0xB6, 0x75]), in: cluster + 1..<bytes.endIndex)).lowerBound }
        bytes.replaceSubrange(cluster..<cluster + 40, with: repeatElement(0x55, count: 40))
        try bytes.write(to: URL(fileURLWithPath: scratch("bad.mkv")))
        let job = try RenderJob(scenario: nil, footage: .plain(scratch("bad.mkv")), options: RenderOptions(output: scratch("movie.mp4")))
        let error = try #require(throws: MediaError.self) { _ = try job.run { _ in } }
        #expect("\(error)".contains("bad.mkv: is damaged or cut short at frame "), "\(error)")
    }

    @Test("that ends with the recorder, without an index, is rendered as far as it goes")
    func killedRecorder() throws {
        let scratch = try Scratch()
        try Probe.make(scratch("live.mkv"), "-f lavfi -i testsrc2=s=160x90:r=25:d=4 -c:v mjpeg -f matroska -live 1 ")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch("live.mkv")))
        try bytes.prefix(bytes.count * 7 / 10).write(to: URL(fileURLWithPath: scratch("cut.mkv")))
        let job = try RenderJob(scenario: nil, footage: .plain(scratch("cut.mkv")), options: RenderOptions(output: scratch("movie.mp4")))
        let frames = try job.run { _ in }.frames
        #expect((55...75).contains(frames), "\(frames)")
    }
}
