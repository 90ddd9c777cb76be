import CoreVideo
import Foundation
import Pipeline
import Stage

@testable import Vision

/// Pictures with one tapped thing each, drawn by the stage, and the proposals for them.
enum SaliencyScenes {
    /// A proposal with what it is worth: its overlap (intersection over union) with the thing's box.
    struct Sample {
        var traits: SalientTraits
        var overlap: Double
    }

    private static let kinds: [(Subject.Kind, String?, CGSize)] = [
        (.prop, "mug", CGSize(width: 0.16, height: 0.25)), (.prop, "plant", CGSize(width: 0.2, height: 0.5)),
        (.prop, "lamp", CGSize(width: 0.18, height: 0.5)), (.prop, "bottle", CGSize(width: 0.1, height: 0.45)),
        (.prop, "ball", CGSize(width: 0.16, height: 0.28)), (.prop, "book", CGSize(width: 0.18, height: 0.36)),
        (.catBody, nil, CGSize(width: 0.28, height: 0.34)), (.dogBody, nil, CGSize(width: 0.3, height: 0.4)),
        (.person, nil, CGSize(width: 0.22, height: 0.8)),
    ]

    /// Samples of so many scenes, one list for each; every other scene is without depth.
    static func samples(_ count: Int, seed: UInt64) throws -> [[Sample]] {
        var dice = Dice(state: seed)
        return try (0..<count).map { try samples(world(&dice, seed: seed + UInt64($0)), hasDepth: $0 % 2 == 0, &dice) }
    }

    /// A room, a street or a studio with three subjects, of which the first is nearest and so in sight as a whole.
    private static func world(_ dice: inout Dice, seed: UInt64) -> World {
        var world = World()
        world.width = 320
        world.height = 180
        world.frameCount = 1
        world.seed = seed
        world.light = Motion(40 + 400 * dice.share())
        world.backdrop.kind = Backdrop.Kind.allCases[dice.roll(3)]
        world.backdrop.wallDepth = 4 + 4 * dice.share()
        world.subjects = (0..<3).map { index in
            let (kind, texture, size) = kinds[dice.roll(kinds.count)]
            let scale = 0.6 + 0.6 * dice.share()
            let (width, height) = (size.width * scale, min(size.height * scale, 0.9))
            let box = Pictures.box(dice.share() * (1 - width), dice.share() * (1 - height), width, height)
            let depth = index == 0 ? 0.9 + 0.8 * dice.share() : 2 + 1.6 * dice.share()
            var subject = Subject(name: "subject-\(index)", kind: kind, placement: Motion(Placement(box: box, depth: depth)))
            subject.texture = texture
            return subject
        }
        return world
    }

    private static func samples(_ world: World, hasDepth: Bool, _ dice: inout Dice) throws -> [Sample] {
        guard let frame = try StageSource(world: world).nextFrame(), let disparity = frame.disparity else { return [] }
        let picture = try ReducedPicture(frame.image)
        let finder = try SalientFinder(picture: picture, disparity: hasDepth ? disparity : Pictures.map(2, 2) { _, _ in 0 })
        let box = world.subjects[0].placement(at: 0).box
        let tap = CGPoint(x: box.midX + (dice.share() - 0.5) * 0.2 * box.width, y: box.midY + (dice.share() - 0.5) * 0.2 * box.height)
        return try samples(finder, tap: tap, box: box)
    }

    /// Proposals for a tap, and their overlaps with a box (both 0…1 of the picture).
    static func samples(_ finder: SalientFinder, tap: CGPoint, box: CGRect) throws -> [Sample] {
        let proposals = try finder.proposals(at: tap)
        let traits = SalientJudge(picture: finder.picture, proposals: proposals, tap: tap).traits(of: proposals)
        let (width, height) = (Double(finder.picture.width), Double(finder.picture.height))
        let truth = CGRect(x: box.minX * width, y: box.minY * height, width: box.width * width, height: box.height * height)
        return zip(proposals, traits).map { Sample(traits: $1, overlap: $0.bounds.overlap(truth)) }
    }
}
