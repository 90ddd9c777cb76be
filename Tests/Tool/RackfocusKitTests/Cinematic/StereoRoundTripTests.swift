import CoreMedia
import CoreVideo
import Foundation
import Media
import Pipeline
import TestSupport
import Testing

@testable import RackfocusKit

@Suite("A cinematic recording of a stereo pair, opened again")
struct StereoRoundTripTests {
    /// A tap on what is near, then one on what is far.
    private static let text = """
        scenario: A pair
        device: {aperture: f/1.4, focalLength: 60mm}
        timeline:
          - 0.2s: {tap: {meta: [0.5, 0.5]}}
          - 0.6s: {tap: {meta: [0.1, 0.1]}}
        """
    private static let frames = 24

    @Test("holds what was decided live on a drawn pair, and is baked to the live picture")
    func drawn() throws {
        let scratch = try Scratch()
        // A textured square at 12 pixels of disparity before a wall at 3.
        let eyes = try Self.write(in: scratch, width: 192, height: 108) { x, y, frame, isRight in
            let near = (x: x - frame + (isRight ? 12 : 0), far: x + (isRight ? 3 : 0))
            let isNear = (70..<120).contains(near.x) && (30..<80).contains(y)
            return Self.texture(isNear ? near.x + 1000 : near.far, y)
        }
        try Self.check(eyes, scratch)
    }

    @Test(
        "holds what was decided live on Middlebury's cones, panned over, and is baked to the live picture",
        .enabled(if: Checkout.hasShared("stereo/cones"), "no stereo footage beside the checkout"))
    func real() throws {
        let scratch = try Scratch()
        let folder = Checkout.shared.appending(path: "stereo/cones").path
        let pictures = try ["im2.png", "im6.png"].map {
            try PictureFile.read("\(folder)/\($0)", as: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        }
        let eyes = try Self.write(in: scratch, width: 320, height: 240) { x, y, frame, isRight in
            pictures[isRight ? 1 : 0].plane(0).row(y + 60, as: UInt8.self)[x + 60 + frame]
        }
        try Self.check(eyes, scratch)
    }

    private static func check(_ eyes: (left: String, right: String), _ scratch: Scratch) throws {
        let take = try CinematicTake(
            text, in: scratch, footage: .stereo(left: eyes.left, right: eyes.right, baseline: nil, focalLength: nil))
        try CinematicRoundTripTests.compareAll(take, frames: frames)
        #expect(take.records.flatMap(\.decisions).contains { $0.isUserDecision } && take.records.contains { $0.state.rack != nil })
        let map = try #require(take.records[12].frame.disparity)
        let near = map.median(in: CGRect(x: 0.45, y: 0.45, width: 0.1, height: 0.1))
        let far = map.median(in: CGRect(x: 0.05, y: 0.05, width: 0.1, height: 0.1))
        #expect(try #require(near) > #require(far), "\(near ?? 0), \(far ?? 0)")
        let least = try CinematicRoundTripTests.bakedAgain(take)
        #expect(least >= 50, "\(least) dB")
    }

    /// Two movies without loss, grey.
    static func write(
        in scratch: Scratch, width: Int, height: Int, luma: (_ x: Int, _ y: Int, _ frame: Int, _ isRight: Bool) -> UInt8
    ) throws -> (left: String, right: String) {
        for (name, isRight) in [("left.mov", false), ("right.mov", true)] {
            let movie = MovieDescription(width: width, height: height, frameDuration: CMTime(value: 1, timescale: 24), codec: .ffv1)
            let writer = try MovieFileWriter(path: scratch(name), movie: movie)
            for frame in 0..<frames {
                let picture = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
                for y in 0..<height { for x in 0..<width { picture.plane(0).row(y, as: UInt8.self)[x] = luma(x, y, frame, isRight) } }
                for y in 0..<height / 2 { picture.plane(1).row(y, as: UInt8.self).update(repeating: 128, count: width) }
                try writer.append(picture, at: CMTime(value: Int64(frame), timescale: 24))
            }
            try writer.finish()
        }
        return (scratch("left.mov"), scratch("right.mov"))
    }

    /// Grey of a random texture, 16…235.
    static func texture(_ x: Int, _ y: Int) -> UInt8 {
        var hash = UInt64(bitPattern: Int64(x &* 7919 &+ y &* 104_729)) &* 0x9E37_79B9_7F4A_7C15
        hash ^= hash >> 29
        hash = hash &* 0xBF58_476D_1CE4_E5B9
        return UInt8(16 + (hash >> 40) % 220)
    }
}
