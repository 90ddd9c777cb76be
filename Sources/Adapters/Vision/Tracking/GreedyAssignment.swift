/// One-to-one assignment of detections to tracks, cheapest pair first.
///
/// The Hungarian method (`Assignment`) minimises the sum of costs and may give a head a worse detection so that another gets one; of heads the
/// nearest detection is nearly always the right one.
enum GreedyAssignment {
    /// Pairs of which no two share a track or a hit, by rising cost; of equal costs the lower indices go first.
    static func solve(_ costs: [(cost: Double, track: Int, hit: Int)]) -> [(track: Int, hit: Int)] {
        var (tracks, hits) = (Set<Int>(), Set<Int>())
        var pairs: [(track: Int, hit: Int)] = []
        for pair in costs.sorted(by: { ($0.cost, $0.track, $0.hit) < ($1.cost, $1.track, $1.hit) }) {
            guard !tracks.contains(pair.track), !hits.contains(pair.hit) else { continue }
            tracks.insert(pair.track)
            hits.insert(pair.hit)
            pairs.append((pair.track, pair.hit))
        }
        return pairs
    }
}
