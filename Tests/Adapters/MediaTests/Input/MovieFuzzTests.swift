import Foundation
import FuzzSupport
import Pipeline
import Support
import TestSupport
import Testing

@testable import Media

@Suite("Movies, changed by chance where their structure lies") struct MovieFuzzTests {
    @Test("are read, recovered or refused with a typed error")
    func movies() throws {
        let scratch = try Scratch()
        let mutator = BoxMutator(try MovieSamples.tiny(in: scratch))
        let path = scratch("odd.mov")
        let file = try KeptInput(URL(fileURLWithPath: path))
        try FuzzRun("movie", count: 60)({ mutator(&$0) }) { input, seed in
            try file.write(input)
            Self.tolerate(seed) { _ = try MovieRecovery.recover(path, to: scratch("out.mov"), replacingExisting: true) }
            Self.tolerate(seed) {
                let source = try VideoFileSource(path: path)
                for _ in 0..<100 { guard try source.nextFrame() != nil else { break } }
            }
            Self.tolerate(seed) { _ = try SoundFileSource.open(path)?.sound(of: 0..<48_000) }
        }
    }

    @Test("whose pictures are coded from others are refused where one has 2^27 pixels, before there is memory for it")
    func memory() throws {
        let path = Checkout.root.appending(path: "Tests/Corpus/movie/picture-beyond-memory.mov").path
        let error = #expect(throws: MediaError.self) { try VideoFileSource(path: path).nextFrame() }
        #expect(error?.reason == "has pictures of 16384 x 8192 in h264, of which 67108864 pixels are the most")
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
