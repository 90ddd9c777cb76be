import Foundation
import Support
import TestSupport
import Testing

@testable import Vision

@Suite("dlib's model, kept from one run to the next")
struct HeadModelTests {
    @Test("a file of the model's own bytes is taken, and none that is shorter, longer or of other planes")
    func restoring() throws {
        let scratch = try Scratch()
        let file = CacheFile("model.bin", in: scratch.path)
        #expect(!HeadModel.restore(file))
        let bytes = try #require(HeadModel.bytes)
        file.write(bytes)
        #expect(HeadModel.restore(file))
        // Two thresholds of overlap, the size of a filter, the number of detectors; a threshold, the number of filters; the plane of the first one.
        var other = bytes
        other[16 + 4 + 4 + 8 + 4] = 31
        for damaged in [Array(bytes.dropLast()), bytes + [0], Array(bytes.prefix(20)), [], other] {
            file.write(damaged)
            #expect(!HeadModel.restore(file), "\(damaged.count) bytes")
        }
    }
}
