import Foundation
import TestSupport
import Testing

@testable import Media

@Suite("A cinematic recording that lost its end, as by a power cut")
struct CinematicTruncationTests {
    /// Frames of the movie: 60, or as many as the environment says; 2 MiB and more want thousands.
    private static let frames = ProcessInfo.processInfo.environment["RACKFOCUS_TRUNCATED_FRAMES"].flatMap(Int.init) ?? 60

    @Test("opens at every 4 KiB of its last 2 MiB with what is whole, or is recovered")
    func truncated() throws {
        let scratch = try Scratch()
        let writer = try MovieFileWriter(path: scratch("take.mov"), movie: CinematicMovieTests.movie(sound: nil))
        try CinematicMovieTests.write(0..<Self.frames, to: writer, sound: nil)
        let whole = try Data(contentsOf: URL(fileURLWithPath: scratch("take.mov")))
        writer.cancel()
        let index = try #require(whole.range(of: Data("moof".utf8))).lowerBound
        let begin = max(whole.count - (2 << 20), index + 4096)
        var counts: [Int] = []
        for length in stride(from: begin, to: whole.count, by: 4096) {
            try whole.prefix(length).write(to: URL(fileURLWithPath: scratch("cut.mov")))
            counts.append(try Self.framesThere(scratch("cut.mov"), recoveredTo: scratch("whole.mov")))
        }
        #expect(!counts.isEmpty && !counts.contains(0) && counts == counts.sorted() && (counts.last ?? 0) > Self.frames / 2, "\(counts)")
    }

    @Test("that was finished and lost its end is recovered, too: each track up to there")
    func finished() throws {
        let scratch = try Scratch()
        let writer = try MovieFileWriter(path: scratch("take.mov"), movie: CinematicMovieTests.movie(sound: nil))
        try CinematicMovieTests.write(0..<Self.frames, to: writer, sound: nil)
        try writer.finish()
        let whole = try Data(contentsOf: URL(fileURLWithPath: scratch("take.mov")))
        #expect(throws: MediaError.self) { try MovieRecovery.recover(scratch("take.mov"), to: scratch("whole.mov")) }
        let media = try #require(whole.range(of: Data("mdat".utf8))).lowerBound
        for share in [0.25, 0.5, 0.9, 0.999] {
            try whole.prefix(media + Int(share * Double(whole.count - media))).write(to: URL(fileURLWithPath: scratch("cut.mov")))
            let result = try MovieRecovery.recover(scratch("cut.mov"), to: scratch("whole.mov"), replacingExisting: true)
            let kept = result.tracks.map(\.samples)
            #expect(kept.count == 3 && kept.allSatisfy { Double($0) > (share - 0.2) * Double(Self.frames) && $0 <= Self.frames }, "\(share): \(kept)")
            #expect(try Self.frames(of: scratch("whole.mov")) >= kept.min()!, "\(share)")
        }
    }

    /// Number of frames that are read, of the file itself or once it was recovered, whichever has more.
    private static func framesThere(_ path: String, recoveredTo whole: String) throws -> Int {
        let read = try frames(of: path)
        do {
            _ = try MovieRecovery.recover(path, to: whole, replacingExisting: true)
            return max(read, try frames(of: whole))
        } catch is MediaError {
            return read
        }
    }

    /// Number of frames of a movie; 0 of one that cannot be read.
    private static func frames(of path: String) throws -> Int {
        var count = 0
        do {
            let source = try CinematicFileSource(path: path)
            while try source.next() != nil { count += 1 }
        } catch is MediaError {}
        return count
    }
}
