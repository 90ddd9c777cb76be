import Foundation
import Pipeline
import Testing

@testable import Vision

@Suite("Sharpness and light inside boxes")
struct PictureCuesTests {
    /// Left half as `left` says, right half as `right` says: stripes with edges blurred over `ramp` pixels, between two levels.
    private func cues(left: (ramp: Double, levels: ClosedRange<Int>), right: (ramp: Double, levels: ClosedRange<Int>)) throws -> [Detection] {
        let picture = Pictures.picture(
            320, 180,
            luma: { x, y in
                let side = x < 160 ? left : right
                // Triangle wave of 40 pixels, clipped so that its edges are `ramp` wide.
                let wave = abs(Double((x + y / 8) % 40) - 20) - 10
                let share = min(max(wave / side.ramp + 0.5, 0), 1)
                return side.levels.lowerBound + Int((Double(side.levels.count - 1) * share).rounded())
            })
        let boxes = [0.1, 0.6].enumerated().map { index, x in
            Detection(objectID: index + 1, kind: .face, bounds: Pictures.box(x, 0.2, 0.3, 0.6))
        }
        return PictureCues(try ReducedPicture(picture)).added(to: boxes)
    }

    @Test("what is in focus is sharper than what is not, whatever their contrast")
    func sharpness() throws {
        let seen = try cues(left: (1, 100...150), right: (9, 30...220))
        let (sharp, blurred) = (try #require(seen[0].sharpness), try #require(seen[1].sharpness))
        #expect(sharp > 0.8 && blurred < 0.3, "\(sharp), \(blurred)")
    }

    @Test("more blur is less sharp")
    func ladder() throws {
        let sharpness = try [3.0, 4, 6].map { try #require(try cues(left: ($0, 60...180), right: (1, 60...180))[0].sharpness) }
        for (less, more) in zip(sharpness, sharpness.dropFirst()) { #expect(less > more, "\(sharpness)") }
    }

    @Test("an even surface has no sharpness; its brightness is its level")
    func even() throws {
        let seen = try cues(left: (1, 60...60), right: (1, 180...180))
        #expect(seen.allSatisfy { $0.sharpness == 0 })
        let (dark, bright) = (try #require(seen[0].brightness), try #require(seen[1].brightness))
        #expect(abs(dark - 0.2) < 0.01 && abs(bright - 0.75) < 0.01)
    }

    @Test("a box outside the picture has no cues")
    func outside() throws {
        let picture = try ReducedPicture(Pictures.picture(320, 180, luma: { _, _ in 90 }))
        let gone = Detection(objectID: 1, kind: .face, bounds: Pictures.box(1.2, 0.2, 0.3, 0.6))
        #expect(PictureCues(picture).added(to: [gone]) == [gone])
    }
}
