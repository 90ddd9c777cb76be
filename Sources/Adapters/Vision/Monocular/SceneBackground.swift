import Foundation
import Support

/// Background of a shot of plain video: what it looks like, and where it is seen.
struct SceneBackground {
    /// Log-odds of an outline in which the plate may be the person, and pixels from a subject up to which nothing is background.
    private static let (outer, beside): (Double, Float) = (-2, 2)
    /// Time constant in which a pixel becomes known for background, seconds: leaves that stir do not flicker.
    private static let knowing = 0.3

    private var plate: BackgroundPlate?
    /// Evidence of the plate for each pixel of the last picture, -1…1: what stands in front of it, and what looks like it.
    private(set) var foreground: [Float] = []
    /// Certainty with which the colours beside the subjects said so of each pixel of the last picture, 0…1; nil before the first.
    private(set) var told: SoftMask?
    /// Certainty with which each pixel has been background of late; nil before the first picture.
    private(set) var seen: SoftMask?

    /// The next picture is the first of this shot: the plate begins anew.
    mutating func forgetPlate() { plate = nil }

    /// Compares a picture with the plate. Whoever has just been found may have stood in it so far, still or not for long.
    mutating func compare(
        with picture: ScenePicture, _ people: [PersonList.Person], _ silhouettes: [PersonSilhouette]
    ) throws(VisionError) {
        let (tones, width) = (picture.tones, picture.tones.width)
        var plate = self.plate ?? BackgroundPlate(width: width, height: tones.height)
        defer { self.plate = plate }
        try plate.align(to: tones, moving: picture.motion)
        foreground = plate.evidence(of: tones)
        for (silhouette, person) in zip(silhouettes, people) where person.cutout.tried == nil {
            guard let box = PixelBox(silhouette.reach, in: tones) else { continue }
            var core: [Float] = []
            for y in box.y..<box.y + box.height {
                for x in box.x..<box.x + box.width where silhouette.isCore(Double(x) + 0.5, Double(y) + 0.5) {
                    core.append(foreground[y * width + x])
                }
            }
            plate.forget(in: box, core: core) { silhouette.odds(Double($0) + 0.5, Double($1) + 0.5) > Self.outer }
            foreground = plate.evidence(of: tones)
        }
        plate.forgetGhosts(in: tones, &foreground)
    }

    /// Takes in which pixels look like the background: that of the plate, or, as surely as `told` says, that beside the subjects.
    mutating func know(_ picture: ScenePicture, _ told: SoftMask) {
        var known = seen ?? SoftMask(width: picture.luma.width, height: picture.luma.height)
        if let flow = picture.flow { known = flow.carried(known) }
        let share = Float(1 - exp(-(picture.elapsed ?? 0) / Self.knowing))
        for at in foreground.indices {
            let background = max(-foreground[at], told.values[at])
            known.values[at] += (background - known.values[at]) * share
        }
        (seen, self.told) = (known, told)
    }

    /// Shows the plate what lies beside `covered`, the pixels of subjects and of what moves.
    mutating func learn(_ picture: ScenePicture, covered: SoftMask) {
        let distance = covered.distance()
        plate?.learn(picture.tones) { distance[$0] > Self.beside }
    }
}
