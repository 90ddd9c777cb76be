import Foundation
import FuzzSupport
import Pipeline
import TestSupport
import Testing

@testable import Media

@Suite("Cinematic movies, changed by chance") struct CinematicFuzzTests {
    @Test("are read with what they hold, recovered, or refused")
    func movies() throws {
        let scratch = try Scratch()
        let mutator = BoxMutator(try Self.samples(in: scratch))
        let file = try KeptInput(scratch.url.appending(path: "odd.mov"))
        try FuzzRun("cinematic-movie", count: 150)({ mutator(&$0) }) { input, seed in
            try file.write(input)
            do {
                let source = try CinematicFileSource(path: file.path)
                var count = 0
                while count < 50, let (frame, _) = try source.next() {
                    #expect(frame.disparity != nil, "seed \(seed)")
                    count += 1
                }
            } catch is MediaError {}
            do {
                _ = try MovieRecovery.recover(file.path, to: scratch("whole.mov"), replacingExisting: true)
            } catch is MediaError {}
        }
    }

    /// A finished movie, and one that was cut off.
    private static func samples(in scratch: Scratch) throws -> [Data] {
        let whole = try MovieFileWriter(path: scratch("whole.mov"), movie: CinematicMovieTests.movie(sound: nil))
        try CinematicMovieTests.write(0..<4, to: whole, sound: nil)
        try whole.finish()
        let cut = try MovieFileWriter(path: scratch("cut.mov"), movie: CinematicMovieTests.movie(sound: nil))
        try CinematicMovieTests.write(0..<8, to: cut, sound: nil)
        let fragments = try Data(contentsOf: URL(fileURLWithPath: scratch("cut.mov")))
        cut.cancel()
        return [try Data(contentsOf: URL(fileURLWithPath: scratch("whole.mov"))), fragments]
    }
}
