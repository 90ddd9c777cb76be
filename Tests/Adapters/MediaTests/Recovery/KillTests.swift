import CoreMedia
import Foundation
import Pipeline
import Support
import TestSupport
import Testing

@testable import Media

@Suite("A recording that SIGKILL ended at a random time") struct KillTests {
    /// Kind of recording, by what players are to see of it meanwhile.
    enum Take: String, CaseIterable, Codable {
        case pictures, picturesAndSound, hevc, sound, everyTenSeconds, nothingBeforeTheEnd

        var movie: MovieDescription {
            let sound = MovieDescription.SoundTrack(layout: .stereo, sampleRate: 48_000)
            let fragments: MovieDescription.Fragments =
                switch self {
                case .everyTenSeconds: .every(CMTime(value: 10, timescale: 1))
                case .nothingBeforeTheEnd: .every(.invalid)
                default: .all
                }
            if self == .sound { return MovieDescription(sound: sound, fragments: fragments) }
            return MovieDescription(
                width: 64, height: 36, frameDuration: CMTime(value: 1, timescale: 30), codec: self == .hevc ? .hevc : .h264,
                sound: self == .pictures ? nil : sound, fragments: fragments)
        }
    }

    /// Kills of each take; more come with RACKFOCUS_KILLS=200.
    private static let count = Int(ProcessInfo.processInfo.environment["RACKFOCUS_KILLS"] ?? "") ?? 1
    private static let seed = UInt64(ProcessInfo.processInfo.environment["RACKFOCUS_FUZZ_SEED"] ?? "") ?? 20

    @Test("lost at most 0.3 s of each track", arguments: Take.allCases)
    func killed(take: Take) async throws {
        var random = SplitMix(state: Self.seed)
        for _ in 0..<Self.count {
            // Up to five seconds of the take, which a fast machine records in a fraction of that.
            let frames = Int.random(in: 15...150, using: &random)
            let delay = UInt32.random(in: 0...10_000, using: &random)
            try await kill(take, after: frames, then: delay)
        }
    }

    /// - Parameters:
    ///   - frames: taken before the one in the middle of which, or after which, the process dies.
    ///   - delay: microseconds from then on.
    private func kill(_ take: Take, after frames: Int, then delay: UInt32) async throws {
        let scratch = try Scratch()
        let (path, log) = (scratch("take.mov"), scratch("log"))
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [take = take as Take, path = path as String, log = log as String, frames = frames as Int, delay = delay as UInt32] in
            let book = open(log, O_WRONLY | O_CREAT, 0o666)
            let writer = try MovieFileWriter(path: path, movie: take.movie)
            for index in 0..<10_000 {
                if index == frames {
                    Thread.detach(named: "kill") {
                        usleep(delay)
                        Foundation.kill(getpid(), SIGKILL)
                    }
                }
                let time = CMTime(value: Int64(index), timescale: 30)
                if take.movie.hasPictures { try writer.append(Picture.moving(index), at: time) }
                if take.movie.sound != nil { try writer.append(SoundTrackTests.click(at: 800, of: 1600, layout: .stereo, from: time)) }
                var taken = index + 1
                pwrite(book, &taken, MemoryLayout<Int>.size, 0)
            }
        }
        let taken = try Data(contentsOf: URL(fileURLWithPath: log)).withUnsafeBytes { $0.loadUnaligned(as: Int.self) }
        _ = try MovieRecovery.recover(path, to: scratch("whole.mov"))
        let label = "\(take) killed \(delay) us after frame \(frames), seed \(Self.seed)"
        if take.movie.hasPictures {
            let kept = try MovieTests.frames(VideoFileSource(path: scratch("whole.mov")))
            #expect((taken - 9...taken + 1).contains(kept.count), "\(label): \(kept.count) frames of \(taken)")
            #expect(kept.map(\.presentationTime) == kept.indices.map { CMTime(value: Int64($0), timescale: 30) })
        }
        if take.movie.sound != nil {
            let kept = try SoundFile.read(scratch("whole.mov"))
            let lost = Double(taken) / 30 - kept.duration.seconds
            let click = SoundTrackTests.loudest(kept.cut(from: .zero, to: CMTime(value: 1, timescale: 30)))
            #expect(lost <= 0.3 && abs(click - 800) <= 1, "\(label): lost \(lost) s, click at \(click)")
        }
        try await seen(take, at: path, taken: taken, label)
    }

    /// Parts of the file as it was left that a player sees.
    private func seen(_ take: Take, at path: String, taken: Int, _ label: String) async throws {
        switch take {
        case .everyTenSeconds, .nothingBeforeTheEnd:
            let error = #expect(throws: MediaError.self, "\(label)") { try VideoFileSource(path: path) }
            #expect(error?.reason == "is a recording that was not finished; `rackfocus recover` makes a movie of it")
        case .sound: #expect(try Double(taken) / 30 - SoundFile.read(path).duration.seconds <= 0.3, "\(label)")
        default: #expect(try MovieTests.frames(VideoFileSource(path: path)).count >= taken - 9, "\(label)")
        }
    }

    @Test("shows a player the whole multiples of the interval that a client asked for, and all of it once it is finished")
    func interval() async throws {
        let scratch = try Scratch()
        let path = scratch("take.mov")
        var movie = Take.picturesAndSound.movie
        movie.fragments = .every(CMTime(value: 1, timescale: 1))
        let writer = try MovieFileWriter(path: path, movie: movie)
        var seen: [Int] = []
        for half in 0..<5 {
            try FragmentTests.write(15 * half..<15 * half + 15, to: writer)
            seen.append((try? MovieTests.frames(VideoFileSource(path: path)).count) ?? 0)
        }
        // A fragment holds three frames, and an interval ends with a fragment.
        #expect(zip(seen, [0, 0, 30, 30, 60]).allSatisfy { abs($0 - $1) <= 3 }, "\(seen)")
        try writer.finish()
        #expect(try MovieTests.frames(VideoFileSource(path: path)).count == 75)
    }
}
