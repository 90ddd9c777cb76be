import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Media

@Suite("Footage that is brought to the range of ordinary video") struct ToneMappingTests {
    @Test("keeps white white, from HLG and from PQ", arguments: [(16, 573), (18, 721)])
    func toneMapped(transfer: Int, white: UInt16) throws {
        let scratch = try Scratch()
        let format = kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
        var movie = MovieDescription(width: 128, height: 72, frameDuration: CMTime(value: 1, timescale: 25), codec: .hevc, pixelFormat: format)
        movie.colors = PictureColors(primaries: 9, transfer: transfer, matrix: 9)
        let picture = CVPixelBuffer(width: 128, height: 72, pixelFormat: format)
        for (plane, code) in [white, 512].enumerated() {
            for y in 0..<picture.plane(plane).height { picture.plane(plane).row(y, as: UInt16.self).update(repeating: code << 6, count: 128) }
        }
        let writer = try MovieFileWriter(path: scratch("white.mov"), movie: movie)
        try writer.append(picture, at: .zero)
        try writer.finish()
        let source = try VideoFileSource(path: scratch("white.mov"), reading: FootageReading(keepsCoding: true, toneMaps: true))
        #expect(source.description.colors == .bt709 && source.description.pixelFormat == format)
        let mapped = try #require(try source.nextFrame()).picture
        let luma = Int(mapped.plane(0).row(18, as: UInt16.self)[32] >> 6)
        #expect(abs(luma - 873) <= 8, "\(luma)")
    }
}
