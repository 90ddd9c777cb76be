import CoreMedia
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Media

@Suite("Comparison of a movie with what its muxer was given") struct MuxerCheckTests {
    private static let parameters: [UInt8] = [0x67, 1, 2, 3]

    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        number(content.count + 8) + Array(type.utf8) + content
    }

    private static func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

    /// A movie of one track with samples of some sizes.
    private static func movie(sizes: [Int], media: Int, parameters: [UInt8] = parameters) -> [UInt8] {
        let index = box("stsz", [0, 0, 0, 0] + number(0) + number(sizes.count) + sizes.flatMap(number))
        let track = box("trak", box("mdia", box("minf", box("stbl", box("avcC", parameters) + index))))
        return box("moov", track) + box("mdat", [UInt8](repeating: 0, count: media))
    }

    private static let movies: [(bytes: [UInt8], isWhole: Bool)] = [
        (movie(sizes: [5, 7], media: 12), true), (movie(sizes: [5], media: 5), false), (movie(sizes: [5, 7], media: 11), false),
        (movie(sizes: [5, 7], media: 12, parameters: [0x67, 1, 2]), false), (movie(sizes: [5, 7], media: 12).dropLast(), false),
        (movie(sizes: [5, 7], media: 12) + [0, 0], false), ([], false),
    ]

    @Test("finds a sample, bytes of media, a description or the end missing", arguments: movies)
    func isWhole(bytes: [UInt8], isWhole: Bool) throws {
        let scratch = try Scratch()
        try Data(bytes).write(to: URL(fileURLWithPath: scratch("a.mp4")))
        let track = MuxerCheck.Track(parameters: [Self.parameters], isRegrouped: false, packets: 2, bytes: 12)
        #expect(try MuxerCheck.isWhole(InputFile(path: scratch("a.mp4")), tracks: [track]) == isWhole)
    }

    @Test("takes apart the parameter sets between start codes")
    func parameterSets() {
        let bytes: [UInt8] = [0, 0, 0, 1, 0x67, 9, 8, 0, 0, 0, 1, 0x68, 7, 0, 0, 1, 0x06, 5]
        #expect(MuxerCheck.Track.parameterSets(bytes) { [7, 8].contains($0 & 0x1F) } == [[0x67, 9, 8], [0x68, 7]])
        #expect(MuxerCheck.Track.parameterSets([1, 2]) { _ in false } == [[1, 2]])
        #expect(MuxerCheck.Track.parameterSets([]) { _ in true } == [])
    }

    @Test("reads an index that promises more bytes than there are numbers for")
    func hostile() throws {
        let most = Self.number(Int(UInt32.max))
        let run = Self.box("trun", [0, 0, 0, 1] + most + Self.number(0))
        let bytes = Self.box("moof", Self.box("traf", Self.box("tfhd", [0, 0, 0, 0x10] + Self.number(1) + most) + run + run))
        let storage = BoxBytes(bytes: bytes)
        let index = try FragmentIndex(#require(Box(at: 0, in: storage)), in: storage)
        #expect(index?.samples(before: 1000).media == 0)
    }
}
