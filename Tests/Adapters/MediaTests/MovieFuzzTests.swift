import CoreMedia
import Foundation
import FuzzSupport
import Pipeline
import Support
import TestSupport
import Testing

@testable import Media

@Suite("Movies, changed by chance where their structure lies") struct MovieFuzzTests {
    /// A recording as a killed process leaves it, and one whose fragments are hidden.
    private static func recording(_ fragments: MovieDescription.Fragments, in scratch: Scratch) throws -> Data {
        var movie = FragmentTests.movie()
        movie.fragments = fragments
        let writer = try MovieFileWriter(path: scratch("seed.mov"), movie: movie)
        try FragmentTests.write(0..<12, to: writer)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch("seed.mov")))
        writer.cancel()
        return bytes
    }

    private static let boxes = [
        "tfhd", "trun", "tfdt", "moof", "traf", "mvhd", "mdhd", "stsd", "trex", "elst", "tkhd", "mdat", "uuid", "ftyp", "stsz", "stsc", "stts",
        "stco",
        "ctts", "avcC", "esds",
    ].map { Data($0.utf8) }

    /// Changes numbers within the boxes of the index most often, sometimes any byte, and cuts now and then.
    private static func mutate(_ bytes: Data, _ generator: inout FuzzGenerator) -> Data {
        var result = bytes
        for _ in 0...generator.index(4) {
            var place = generator.index(result.count)
            let name = generator.pick(boxes)
            if let box = result.range(of: name, in: place..<result.count) ?? result.range(of: name) {
                place = min(box.lowerBound + generator.index(44) - 4, result.count - 1)
            }
            let values: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF, UInt8(generator.index(256))]
            for offset in 0..<generator.pick([1, 1, 2, 4, 8]) where place + offset < result.count { result[place + offset] = generator.pick(values) }
        }
        if generator.chance(0.125) { result = result.prefix(1 + generator.index(result.count - 1)) }
        return result
    }

    @Test("are read, recovered or refused with a typed error")
    func movies() throws {
        let scratch = try Scratch()
        try MovieTests.write(scratch("whole.mp4"), frames: 4)
        let samples = try [
            Self.recording(.all, in: scratch), Self.recording(.every(.invalid), in: scratch),
            Data(contentsOf: URL(fileURLWithPath: scratch("whole.mp4"))),
        ]
        let path = scratch("odd.mov")
        try FuzzRun("movie", count: 60)({ generator in Self.mutate(generator.pick(samples), &generator) }) { input, seed in
            try input.write(to: URL(fileURLWithPath: path))
            Self.tolerate(seed) { _ = try MovieRecovery.recover(path, to: scratch("out.mov"), replacingExisting: true) }
            Self.tolerate(seed) {
                let source = try VideoFileSource(path: path)
                for _ in 0..<100 { guard try source.nextFrame() != nil else { break } }
            }
            Self.tolerate(seed) { _ = try SoundFileSource.open(path)?.sound(of: 0..<48_000) }
        }
    }

    @Test("pictures are read or refused with a typed error")
    func pictures() throws {
        let scratch = try Scratch()
        try PictureFile.writePNG(Picture.bgra(), to: scratch("a.png"))
        let mutator = ByteMutator([try Data(contentsOf: URL(fileURLWithPath: scratch("a.png")))])
        let path = scratch("odd.png")
        try FuzzRun("picture", count: 100)({ mutator(&$0) }) { input, seed in
            try input.write(to: URL(fileURLWithPath: path))
            Self.tolerate(seed) { _ = try PictureFile.read(path) }
            Self.tolerate(seed) { _ = try PictureFile.readDisparity(path) }
        }
    }

    /// Records any error but the typed ones.
    private static func tolerate(_ seed: UInt64, _ body: () throws -> Void) {
        do {
            try body()
        } catch is MediaError {
        } catch is OutputError {
        } catch {
            Issue.record("seed \(seed): \(error)")
        }
    }
}
