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
}
