/// Discs by size: each has a pipeline of its own, whose loop is as long as its disc is high.
struct DiscBuckets {
    static let fine = DiscBuckets(radii: [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32], isCoarse: false)
    static let coarse = DiscBuckets(radii: Array(stride(from: 0, through: 32, by: 2)), isCoarse: true)

    /// Largest distance of a row from the disc's middle, in layer pixels; the first clears.
    let radii: [Int]
    private let isCoarse: Bool
    /// Up to this radius round discs have fractional edges, and at layer size are summed pixel by pixel, without sums of rows; `disc-small`.
    private static let lastDirect = 6
    /// Extent of discs with fractional edges, and with whole ones, beyond that, in layer pixels.
    static let exactReach: Float = 0.5
    static let wholeReach: Float = 0.99

    /// Whether the discs of a bucket have fractional edges: small ones, and all of a shape, whose straight sides would look ragged.
    func isExact(_ bucket: Int, isRound: Bool) -> Bool { radii[bucket] <= Self.lastDirect || !isRound }

    /// Whether the discs of a bucket are summed pixel by pixel.
    func isDirect(_ bucket: Int, isRound: Bool) -> Bool { !isCoarse && isRound && (1...Self.lastDirect).contains(radii[bucket]) }

    /// The radius of the largest disc that a bucket draws: it touches no row beyond.
    func reach(_ bucket: Int, isRound: Bool) -> Float {
        let radius = Float(radii[bucket])
        if isCoarse { return ((radius + 1) * (radius + 1) + LensPlan.rowResampling).squareRoot() }
        return radius + (isExact(bucket, isRound: isRound) ? Self.exactReach : Self.wholeReach)
    }

    /// The bucket for a blur of `radius` layer pixels.
    func bucket(_ radius: Float, isRound: Bool) -> Int {
        guard radius > 0 else { return 0 }
        let disc = LensPlan.disc(radius, coarse: isCoarse)
        return radii.indices.first { $0 > 0 && reach($0, isRound: isRound) >= disc } ?? radii.count - 1
    }
}
