/// Match of a pair reduced to about 120 pixels' width, over every disparity that a pair can have.
///
/// It takes a twentieth of the time of a match of 480 pixels over 64 disparities, and finds the ends of the range of six pairs of Middlebury's to 4 of
/// the large picture's pixels.
struct CoarseMatch {
    /// Width of the reduced pictures, about, pixels.
    private static let width = 120
    /// Disparities searched: more than the reduced picture is wide.
    private static let range = 0..<128
    /// Share of the pixels at each end of the range that may be false matches.
    private static let outliers = 0.001

    /// Disparity in pixels of the picture matched, and its trust, of reduced pixels row after row.
    private let disparity: [Float]
    private let trust: [Float]
    private let width: Int
    private let height: Int
    /// Pixels of the picture for one of the reduced picture: also the uncertainty of its disparities.
    let scale: Double
    /// Disparities of the scene; nil where hardly anything was matched.
    let found: ClosedRange<Double>?

    /// Matches a pair; `matcher` is for reduced pictures only and remembers those before. At most `keep` (0…1) of the pictures is old.
    init(_ left: Raster, _ right: Raster, with matcher: StereoMatcher, keep: Double) throws(VisionError) {
        let factor = max(1, (left.width + Self.width / 2) / Self.width)
        (width, height) = (left.width / factor, max(1, left.height / factor))
        let (first, second) = (Raster(width: width, height: height), Raster(width: width, height: height))
        try first.fill(reducing: left.image)
        try second.fill(reducing: right.image)
        let (values, trust) = matcher.match(first, second, range: Self.range, keep: keep)
        scale = Double(left.width) / Double(width)
        (disparity, self.trust) = (values.map { [scale] in $0 * Float(scale) }, trust)
        found = Self.ends(values, trust).map { [scale] in $0.lowerBound * scale...$0.upperBound * scale }
    }

    /// Least and greatest trusted disparity, whole reduced pixels, without outliers; the least is 0 where half of the picture was not matched and may be
    /// far.
    private static func ends(_ values: [Float], _ trust: [Float]) -> ClosedRange<Double>? {
        var histogram = [Int](repeating: 0, count: range.count)
        for i in values.indices where trust[i] > 0 { histogram[min(max(Int(values[i].rounded()), 0), range.count - 1)] += 1 }
        let least = max(4, Int(outliers * Double(values.count)))
        func end(_ bins: some Sequence<Int>) -> Int? {
            var count = 0
            return bins.first { bin in
                count += histogram[bin]
                return count > least
            }
        }
        guard let low = end(range), let high = end(range.reversed()), low <= high else { return nil }
        let isMostlyMatched = 2 * histogram.reduce(0, +) >= values.count
        return Double(isMostlyMatched ? low : 0)...Double(high)
    }

    /// Sets what lies `limit` pixels or farther apart in the pair, and is so near that the fine match could not find it, to this match's disparities,
    /// and trusts them. `values` and `trust` are of the picture matched; returns whether there was any.
    func bringNearest(from limit: Int, to values: inout [Float], _ trust: inout [Float], width fineWidth: Int, height fineHeight: Int) -> Bool {
        guard let found, found.upperBound >= Double(limit) else { return false }
        for y in 0..<fineHeight {
            let row = min(y * height / fineHeight, height - 1) * width
            for x in 0..<fineWidth {
                let coarse = row + min(x * width / fineWidth, width - 1)
                guard self.trust[coarse] > 0, disparity[coarse] >= Float(limit) else { continue }
                values[y * fineWidth + x] = disparity[coarse]
                trust[y * fineWidth + x] = 1
            }
        }
        return true
    }
}
