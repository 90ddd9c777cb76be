import CoreMedia
import Foundation
import Pipeline
import TestSupport

@testable import Media

/// Movies of some kilobytes, each of another structure.
enum MovieSamples {
    /// A recording as a killed process leaves it, one whose fragments are hidden, and a movie with one index.
    static func tiny(in scratch: Scratch) throws -> [Data] {
        try MovieTests.write(scratch("whole.mp4"), frames: 4)
        return try [
            recording(.all, in: scratch), recording(.every(.invalid), in: scratch), Data(contentsOf: URL(fileURLWithPath: scratch("whole.mp4"))),
        ]
    }

    private static func recording(_ fragments: MovieDescription.Fragments, in scratch: Scratch) throws -> Data {
        var movie = FragmentTests.movie()
        movie.fragments = fragments
        let writer = try MovieFileWriter(path: scratch("seed.mov"), movie: movie)
        try FragmentTests.write(0..<12, to: writer)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch("seed.mov")))
        writer.cancel()
        return bytes
    }
}
