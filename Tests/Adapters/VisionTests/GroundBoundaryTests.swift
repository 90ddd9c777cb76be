import CoreVideo
import Foundation
import Pipeline
import Testing

@testable import Vision

@Suite("The ground and what stands on it")
struct GroundBoundaryTests {
    private static let (width, height) = (160, 90)

    /// Grey ground from a row of each column on, with a dark lid in it, and green shrubs above, with a pale window.
    private static func tones(_ isGround: (Int, Int) -> Bool) -> Raster {
        let tones = Raster(width: width, height: height, channels: 3)
        for y in 0..<height {
            for x in 0..<width {
                let grain = UInt8(Pictures.speckle(x, y) % 24)
                let colour: (UInt8, UInt8, UInt8) =
                    if (100..<110).contains(x), (80..<83).contains(y) { (30, 128, 128) } else if isGround(x, y) {
                        (130 + grain, 128, 128)
                    } else if (20..<28).contains(x), (35..<41).contains(y) { (220, 126, 130) } else { (70 + grain, 110, 150) }
                let at = 3 * (y * width + x)
                (tones.bytes[at], tones.bytes[at + 1], tones.bytes[at + 2]) = colour
            }
        }
        return tones
    }

    private static func seen(
        _ tones: Raster, subjects: SoftMask = SoftMask(width: width, height: height), stances: [GroundBoundary.Stance] = []
    ) -> GroundBoundary {
        var boundary = GroundBoundary()
        boundary.see(tones, at: 0, horizon: 0.3, subjects: subjects, stances: stances)
        return boundary
    }

    @Test("meet at a row of each column, whatever lies on the one and is pale in the other")
    func rows() {
        let boundary = Self.seen(Self.tones { x, y in y >= (x < 80 ? 50 : 66) })
        #expect(boundary.certainty > 0.9)
        for x in 0..<Self.width where abs(x - 80) > 1 { #expect(abs(boundary.rows[x] - (x < 80 ? 50 : 66)) <= 1, "column \(x)") }
    }

    @Test("are not told apart where they have the same colours")
    func alike() {
        #expect(Self.seen(Self.tones { _, _ in true }).certainty == 0)
        #expect(Self.seen(Self.tones { x, y in (x / 5 + y / 5) % 2 == 0 }).certainty == 0)
    }

    @Test("meet behind a subject as beside it")
    func hidden() {
        var subjects = SoftMask(width: Self.width, height: Self.height)
        for y in 10..<80 { for x in 60..<100 { subjects.values[y * Self.width + x] = 1 } }
        let boundary = Self.seen(Self.tones { x, y in y >= (x < 80 ? 50 : 56) }, subjects: subjects)
        for x in 0..<Self.width { #expect((49...57).contains(boundary.rows[x]), "column \(x)") }
    }

    @Test("meet in a straight line behind a subject, below whose raised arm they are seen, between what is seen on both sides")
    func straight() {
        var subjects = SoftMask(width: Self.width, height: Self.height)
        for y in 10..<85 { for x in 60..<100 where y < 40 || x < 90 { subjects.values[y * Self.width + x] = 1 } }
        func foot(_ x: Int) -> Int { 75 - x / 5 }
        let boundary = Self.seen(Self.tones { x, y in y >= foot(x) }, subjects: subjects)
        for x in 0..<Self.width { #expect(abs(boundary.rows[x] - Double(foot(x))) <= 2, "column \(x)") }
    }

    @Test("meet no lower than where feet are seen", arguments: [false, true])
    func stance(isSeen: Bool) {
        let rug = Self.tones { x, y in y >= 50 && !((40..<60).contains(x) && y >= 62) }
        let boundary = Self.seen(rug, stances: isSeen ? [GroundBoundary.Stance(columns: 40..<60, row: 70)] : [])
        let lowest = boundary.rows[42..<58].max() ?? 0
        #expect(isSeen ? lowest <= 70 : lowest == 90)
    }

    @Test("change slowly: a look that sees otherwise does not move what is sharp at once")
    func slow() {
        var boundary = Self.seen(Self.tones { _, y in y >= 50 })
        let nobody = SoftMask(width: Self.width, height: Self.height)
        boundary.see(Self.tones { _, y in y >= 60 }, at: 100_000_000, horizon: 0.3, subjects: nobody, stances: [])
        #expect(boundary.rows.allSatisfy { (51...54).contains($0) })
    }

    /// Grey ground with somebody in green and red on it, and a green wall to the right that stands on it at row 150.
    private static func street(_ face: CGRect) -> CVPixelBuffer {
        let (feet, foot) = (162, 150)
        return Pictures.picture(
            320, 180,
            luma: { x, y in
                if face.contains(CGPoint(x: x, y: y)) { return 170 }
                if abs(x - 100) < 18, (36..<100).contains(y) { return 90 }
                if (2..<11).contains(abs(x - 100)), (100..<feet).contains(y) { return 50 }
                return (y >= (x < 200 ? 80 : foot) ? 150 : 80) + Pictures.speckle(x, y) / 8
            },
            chroma: { x, y in
                if face.contains(CGPoint(x: x, y: y)) { return (112, 150) }
                if abs(x - 100) < 18, (36..<feet).contains(y), y < 100 || abs(x - 100) >= 2 && abs(x - 100) < 11 { return (160, 110) }
                return y >= (x < 200 ? 80 : foot) ? (128, 128) : (100, 112)
            })
    }

    private static func found(_ kind: Detection.Kind, _ id: Int, _ box: CGRect) -> Detection {
        let bounds = CGRect(x: box.minX / 320, y: box.minY / 180, width: box.width / 320, height: box.height / 180)
        return Detection(objectID: id, groupID: id, kind: kind, bounds: bounds, yaw: 0)
    }

    private static func value(_ map: DisparityMap, _ x: Int, _ y: Int) -> Double { Double(map.row(y * map.height / 180)[x * map.width / 320]) }

    @Test("what stands beside somebody is as far at its foot as at its top, and farther than they are")
    func standing() throws {
        let face = CGRect(x: 93, y: 16, width: 14, height: 18)
        let map = try MonocularDepthEstimator().disparity(of: Pictures.frame(Self.street(face)), detections: [Self.found(.face, 1, face)])
        func nearness(_ x: Int, _ y: Int) -> Double { Self.value(map, x, y) / Self.value(map, 100, 25) }
        #expect(abs(nearness(260, 140) - nearness(260, 40)) < 0.01 && nearness(260, 140) < 0.3)
        #expect(nearness(170, 140) > 0.7)
    }

    @Test("what has just been found before something that stands is measured as on the ground, until its layer is there")
    func justFound() throws {
        let (face, box) = (CGRect(x: 93, y: 16, width: 14, height: 18), CGRect(x: 240, y: 115, width: 24, height: 24))
        let estimator = try MonocularDepthEstimator()
        let faces = [Self.found(.face, 1, face)]
        var before = 0.0
        for index in 0..<3 {
            before = Self.value(try estimator.disparity(of: Pictures.frame(Self.street(face), index: index), detections: faces), 252, 127)
        }
        let found = faces + [Self.found(.salientObject, 2, box)]
        let map = try estimator.disparity(of: Pictures.frame(Self.street(face), index: 3), detections: found)
        #expect(Self.value(map, 252, 127) > 2 * before && abs(Self.value(map, 290, 127) / before - 1) < 0.1)
    }
}
