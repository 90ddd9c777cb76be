import Foundation

/// A subject's mask over time: carried along the flow, fitted anew now and then and then only approached, so that its outline does not boil.
struct Cutout {
    /// Share of the way that it goes to a new fit, unless somebody says otherwise.
    static let pace: Float = 0.4

    /// Nil before the first fit.
    private(set) var mask: SoftMask?
    /// Time of the last fit, nanoseconds.
    private(set) var fitted: Int64?

    /// Goes on to the next picture.
    mutating func carry(along flow: DenseFlow) { mask = mask.map(flow.carried) }

    /// Takes a fit to the picture at a time.
    mutating func take(_ fit: SoftMask, at time: Int64, pace: Float = Self.pace) {
        if mask == nil { mask = fit } else { mask!.approach(fit, share: pace) }
        fitted = time
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
        return Cutout(mask: other, fitted: nil)
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
