import CoreMedia
import Foundation
import Pipeline
import Support
import TestSupport
import Testing

@testable import Media

/// Movies with a few bytes changed where the structure lies. RACKFOCUS_FUZZ_SECONDS sets how long, RACKFOCUS_FUZZ_SEED where it begins.
@Suite("Movies that were tampered with") struct MovieFuzzTests {
    private static let seconds = Double(ProcessInfo.processInfo.environment["RACKFOCUS_FUZZ_SECONDS"] ?? "") ?? 0
    private static let seed = UInt64(ProcessInfo.processInfo.environment["RACKFOCUS_FUZZ_SEED"] ?? "") ?? 13
    /// How many without RACKFOCUS_FUZZ_SECONDS.
    private static let least = 60

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

    /// Changes numbers within the boxes of the index most often, sometimes any byte, and cuts now and then.
    private static func mutate(_ bytes: Data, _ random: inout SplitMix) -> Data {
        var result = bytes
        let names = ["tfhd", "trun", "tfdt", "moof", "traf", "mvhd", "mdhd", "stsd", "trex", "elst", "tkhd", "mdat", "uuid", "ftyp"]
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let name = Data(names.randomElement(using: &random)!.utf8)
            var place = Int.random(in: 0..<result.count, using: &random)
            if let box = result.range(of: name, in: place..<result.count) ?? result.range(of: name) {
                place = min(box.lowerBound + Int.random(in: -4..<40, using: &random), result.count - 1)
            }
            let values: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)]
            for offset in 0..<[1, 1, 2, 4, 8].randomElement(using: &random)! where place + offset < result.count {
                result[place + offset] = values.randomElement(using: &random)!
            }
        }
        if Int.random(in: 0..<8, using: &random) == 0 { result = result.prefix(Int.random(in: 1..<result.count, using: &random)) }
        return result
    }

    @Test("are read, recovered or refused with a typed error")
    func movies() throws {
        let scratch = try Scratch()
        try MovieTests.write(scratch("whole.mp4"), frames: 4)
        let seeds = try [
            Self.recording(.all, in: scratch), Self.recording(.every(.invalid), in: scratch),
            Data(contentsOf: URL(fileURLWithPath: scratch("whole.mp4"))),
        ]
        var random = SplitMix(state: Self.seed)
        let (path, end) = (scratch("odd.mov"), Date(timeIntervalSinceNow: Self.seconds))
        var count = 0
        while count < Self.least || Date() < end {
            try Self.mutate(seeds[count % seeds.count], &random).write(to: URL(fileURLWithPath: path))
            let start = Date()
            Self.tolerate("input \(count)") { _ = try MovieRecovery.recover(path, to: scratch("out.mov"), replacingExisting: true) }
            Self.tolerate("input \(count)") {
                let source = try VideoFileSource(path: path)
                for _ in 0..<100 { guard try source.nextFrame() != nil else { break } }
            }
            Self.tolerate("input \(count)") { _ = try SoundFileSource.open(path)?.sound(of: 0..<48_000) }
            #expect(Date().timeIntervalSince(start) < 5, "input \(count) of seed \(Self.seed) took longer")
            count += 1
        }
    }

    /// Records any error but the typed ones.
    private static func tolerate(_ label: String, _ body: () throws -> Void) {
        do {
            try body()
        } catch is MediaError {
        } catch is OutputError {
        } catch {
            Issue.record("\(label) of seed \(seed): \(error)")
        }
    }
}
