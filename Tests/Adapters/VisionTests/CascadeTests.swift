import Foundation
import Pipeline
import Stage
import Testing

@testable import Vision

@Suite("Raw windows of a cascade")
struct CascadeTests {
    /// Ten by ten copies of a painted face in tiles of 100 x 110 pixels.
    private func crowd() throws -> Raster {
        let frame = try #require(try StageSource(world: Pictures.world(frames: 1)).nextFrame())
        let face = try ReducedPicture(frame.image).luma
        let crowd = Raster(width: 1000, height: 1100)
        for y in 0..<crowd.height { for x in 0..<crowd.width { crowd.pixel(x, y).pointee = face.pixel(174 + x % 100, 70 + y % 110).pointee } }
        return crowd
    }

    @Test("are all given, however many, down to the bottom of the picture")
    func all() throws {
        let (crowd, cascades) = (try crowd(), try Cascades(folder: Cascades.folder))
        let part = try #require(PixelBox(crowd.bounds, in: crowd))
        let hits = try cascades.frontal.scan(crowd, part: part, sizes: 40...100, step: 1.03)
        #expect(hits.count > 512)
        let rows = Set(hits.map { ($0.y + $0.height / 2) / 110 })
        #expect(rows == Set(0..<10), "\(hits.count) windows in rows \(rows.sorted())")
    }

    @Test("are searched in slices of any picture and rate", arguments: [(16, 16), (64, 36), (320, 180), (640, 360)], [240.0, 60, 24, 1])
    func slices(size: (Int, Int), rate: Double) throws {
        let picture = try ReducedPicture(Pictures.picture(size.0, size.1) { x, _ in 60 + x % 100 })
        let cascades = try Cascades(folder: Cascades.folder)
        var plan = SweepPlan(picture: picture, cascades: cascades, frameDuration: 1 / rate)
        #expect(try plan.advance(picture, cascades: cascades, isWhole: false).isEmpty)
    }
}
