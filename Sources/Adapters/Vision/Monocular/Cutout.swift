import Foundation

/// A subject's mask over time: carried along the flow, fitted anew now and then and then only approached, so that its outline does not boil.
struct Cutout {
    /// Share of the way that it goes to a new fit, unless somebody says otherwise.
    static let pace: Float = 0.4

    /// Share of the way that it goes to what the colours beside its outline say: all of it, and masks would follow each shade.
    private static let refining: Float = 0.6

    /// Certainty of the plate from which on what looks like it is background, 0…1: leaves are as dark as hair.
    private static let background: Float = 0.8

    /// Nil before the first fit.
    private(set) var mask: SoftMask?
    /// The same in a larger picture, as the colours beside its outline have it.
    private(set) var detail: SoftMask?
    /// Time of the last fit, taken or not, nanoseconds: who cannot be fitted must not keep the others waiting.
    var tried: Int64?

    /// Goes on to the next picture.
    mutating func carry(along flow: DenseFlow) { mask = mask.map(flow.carried) }

    /// Takes a fit to the picture.
    mutating func take(_ fit: SoftMask, pace: Float = Self.pace) {
        if mask == nil { mask = fit } else { mask!.approach(fit, share: pace) }
    }

    /// Goes on with the outline that colours have told in a larger picture. What looks like the plate (`foreground`, its evidence), or lies beyond the box
    /// of a thing as a whole, is not added for good: a wall of a shirt's colour would come to belong to it, step by step. What is the plate's for certain
    /// is not even shown where the mask had nothing.
    mutating func refine(to detail: SoftMask, foreground: [Float], within box: CGRect? = nil) {
        guard let mask else { return }
        var most = mask
        for at in most.values.indices where foreground[at] > -Self.background || most.values[at] >= 0.5 { most.values[at] = 1 }
        self.detail = detail
        self.detail!.lower(to: most.enlarged(width: detail.width, height: detail.height))
        var told = detail.reduced(width: mask.width, height: mask.height)
        for at in told.values.indices where told.values[at] > mask.values[at] {
            let place = CGPoint(x: Double(at % mask.width) + 0.5, y: Double(at / mask.width) + 0.5)
            if foreground[at] < -BackgroundPlate.surely || box?.contains(place) == false { told.values[at] = mask.values[at] }
        }
        self.mask!.approach(told, share: Self.refining)
    }

    /// Log-odds of where it has been, nothing being certain: what has no edge against its surroundings is gone.
    func prior(in raster: Raster) -> SubjectPrior? {
        guard let mask, let bounds = mask.bounds else { return nil }
        let margin: Double = 0.2 * Double(max(bounds.width, bounds.height)) + 4
        guard let part = PixelBox(bounds.insetBy(dx: -margin, dy: -margin), in: raster) else { return nil }
        var prior = SubjectPrior(box: part)
        let distance = mask.distance()
        prior.add(width: raster.width) { _, at in distance[at] < 0.5 ? 0.4 : -0.4 - min(distance[at] / 3, 3) }
        return prior
    }

    /// Adds the mask of another.
    mutating func join(_ other: Cutout) {
        guard let more = other.mask else { return }
        if mask == nil { mask = more } else { mask!.raise(to: more) }
    }

    /// Gives the pixels of which `isOther` is true of their index to another.
    mutating func split(_ isOther: (Int) -> Bool) -> Cutout {
        guard var own = mask else { return Cutout() }
        var other = SoftMask(width: own.width, height: own.height)
        for at in own.values.indices where isOther(at) { swap(&own.values[at], &other.values[at]) }
        mask = own
        return Cutout(mask: other, tried: nil)
    }

    /// Sets pixels that are certain: 1 or 0 where `value` says so of x and y in a part of the picture.
    mutating func set(in box: PixelBox, _ value: (Int, Int) -> Float?) {
        guard var mask else { return }
        for y in box.y..<box.y + box.height {
            for x in box.x..<box.x + box.width {
                if let value = value(x, y) { mask.values[y * mask.width + x] = value }
            }
        }
        self.mask = mask
    }
}
