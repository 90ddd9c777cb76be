import Foundation

/// Schedule of the cascades' searches: which windows each frame searches.
///
/// At 30 frames a second near frontal faces are searched all over in 1/3 s, far ones in 0.45 s; profiles and cats share a round of 0.7 s; the farthest
/// faces, in the enlarged picture, and profiles in shadow one of 1.2 s.
struct SweepPlan {
    private var rounds: [Round]

    /// Sweeps that are done one after the other, a slice in each frame; slices cost the same.
    ///
    /// Each slice remembers what it saw last; the hits of all slices together are what the searches see now.
    private struct Round {
        private let sweeps: [Sweep]
        private var slices: [Slice]
        private var next = 0

        private struct Slice {
            var pieces: [(sweep: Int, piece: Sweep.Piece)] = []
            /// By sweep.
            var seen: [[RawHit]]
        }

        init(_ sweeps: [Sweep], period: Double, frameDuration: Double) {
            let count = max(Int((SearchTime.seconds(period, frameDuration: frameDuration) / frameDuration).rounded()), 1)
            let share = sweeps.reduce(0) { $0 + $1.levels.reduce(0) { $0 + $1.cost } } / Double(count)
            let empty = Slice(seen: Array(repeating: [], count: sweeps.count))
            // Less than this part of the rows is no piece of its own, and less than this part of its room leaves a slice full.
            let crumb = 0.1
            var slices = [empty]
            var room = share
            for (index, sweep) in sweeps.enumerated() {
                for level in sweep.levels {
                    var first = 0.0
                    while first < 1 {
                        var last = slices.count == count ? 1 : first + room / level.cost
                        if last > 1 - crumb { last = 1 }
                        slices[slices.count - 1].pieces.append((index, Sweep.Piece(size: level.size, rows: first..<last)))
                        room -= (last - first) * level.cost
                        first = last
                        // The end of a dear level may have taken the room of several slices.
                        while room < crumb * share, slices.count < count {
                            slices.append(empty)
                            room += share
                        }
                    }
                }
            }
            self.sweeps = sweeps
            self.slices = slices
        }

        /// Searches the next slice, or all of them.
        mutating func advance(_ picture: ReducedPicture, cascades: Cascades, isWhole: Bool) throws(VisionError) {
            for _ in 0..<(isWhole ? slices.count : 1) {
                var seen = [[RawHit]](repeating: [], count: sweeps.count)
                for (index, piece) in slices[next].pieces {
                    seen[index] += try sweeps[index].scan(piece, of: picture, with: cascades.cascade(for: sweeps[index].look))
                }
                slices[next].seen = seen
                next = (next + 1) % slices.count
            }
        }

        /// Windows that the searches accept now, grouped.
        func hits() throws(VisionError) -> [Hit] {
            var hits: [Hit] = []
            for (index, sweep) in sweeps.enumerated() {
                let groups = try RawHit.grouped(slices.flatMap { $0.seen[index] }, neighbours: sweep.neighbours, scale: sweep.version.scale.factor)
                hits += groups.map {
                    var hit = Hit(look: sweep.look, box: $0.box, support: $0.weight, isNew: true)
                    hit.tone = sweep.version.tone
                    return hit
                }
            }
            return hits
        }
    }

    /// Without `seeksFaces` only cats are searched.
    init(picture: ReducedPicture, cascades: Cascades, frameDuration: Double, seeksFaces: Bool = true) {
        let isLarge = picture.luma.width > 400
        let largest = min(isLarge ? picture.half.height : picture.luma.height, isLarge ? picture.half.width : picture.luma.width)
        let near: SearchPicture.Scale = isLarge ? .half : .full
        func sweep(_ look: Hit.Look, tone: SearchPicture.Tone = .plain, smallest: Int, step: Double, neighbours: Int) -> Sweep {
            Sweep(
                look, in: SearchPicture(scale: near, tone: tone), sizes: smallest...max(smallest, largest),
                base: cascades.cascade(for: look).base, step: step, neighbours: neighbours)
        }
        func round(_ sweeps: [Sweep], period: Double) -> Round { Round(sweeps, period: period, frameDuration: frameDuration) }
        let farCats = Sweep(.cat, in: SearchPicture(scale: .full), sizes: cascades.cat.base...52, base: cascades.cat.base, neighbours: 3)
        let cats = [sweep(.cat, smallest: 24, step: 1.1, neighbours: 3)] + (isLarge ? [farCats] : [])
        guard seeksFaces else {
            rounds = [round(cats, period: 0.8)]
            return
        }
        rounds = [round([sweep(.frontal, smallest: 20, step: 1.1, neighbours: 2)], period: 0.33)]
        if isLarge {
            rounds.append(
                round([Sweep(.frontal, in: SearchPicture(scale: .full), sizes: 20...42, base: cascades.frontal.base, neighbours: 2)], period: 0.45))
        }
        let profiles = [Hit.Look.left, .right].map { sweep($0, smallest: 24, step: 1.15, neighbours: 2) }
        rounds.append(round(profiles + cats, period: 0.7))
        let (enlarged, base) = (SearchPicture(scale: .enlarged), cascades.frontal.base)
        let size = enlarged.size(of: picture)
        let farthest = Sweep(.frontal, in: enlarged, sizes: base...max(base, min(28, size.width, size.height)), base: base, neighbours: 2)
        let shaded = [Hit.Look.left, .right].map { sweep($0, tone: .lifted, smallest: 24, step: 1.15, neighbours: 2) }
        let farProfiles = [Hit.Look.left, .right].filter { _ in isLarge }.map {
            Sweep($0, in: SearchPicture(scale: .full), sizes: 20...42, base: cascades.profile.base, step: 1.15, neighbours: 2)
        }
        rounds.append(round([farthest] + shaded + farProfiles, period: 1.2))
    }

    /// Searches this frame's share, or with `isWhole` everything; gives what all searches see now.
    mutating func advance(_ picture: ReducedPicture, cascades: Cascades, isWhole: Bool) throws(VisionError) -> [Hit] {
        var hits: [Hit] = []
        for index in rounds.indices {
            try rounds[index].advance(picture, cascades: cascades, isWhole: isWhole)
            hits += try rounds[index].hits()
        }
        return hits
    }
}
