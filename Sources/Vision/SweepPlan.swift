import Foundation

/// Which part of which search each frame pays for.
///
/// At 30 frames a second near frontal faces are searched all over in 1/4 s, far ones in 0.3 s; profiles and cats share a round of 0.7 s.
struct SweepPlan {
    private var rounds: [Round]

    /// Sweeps that take turns, one band each.
    private struct Round {
        var sweeps: [Sweep]
        var turn = 0
        /// Turns a frame, and what is left of the last frames'.
        let pace: Double
        var credit = 0.999

        init(_ sweeps: [Sweep], period: Double, frameDuration: Double) {
            self.sweeps = sweeps
            let bands = Double(sweeps.reduce(0) { $0 + $1.bandCount })
            pace = min(bands * frameDuration / SearchTime.seconds(period, frameDuration: frameDuration), bands)
        }
    }

    /// Without `seeksFaces` only cats are searched.
    init(picture: ReducedPicture, cascades: Cascades, frameDuration: Double, seeksFaces: Bool = true) {
        let isLarge = picture.luma.width > 400
        let largest = min(isLarge ? picture.half.height : picture.luma.height, isLarge ? picture.half.width : picture.luma.width)
        func sweep(_ look: Hit.Look, smallest: Int, step: Double, bands: Int, neighbours: Int) -> Sweep {
            Sweep(
                look, coarse: isLarge, sizes: smallest...max(smallest, largest), base: cascades.cascade(for: look).base, step: step, bands: bands,
                neighbours: neighbours)
        }
        func bands(_ period: Double) -> Int {
            min(max(Int((SearchTime.seconds(period, frameDuration: frameDuration) / frameDuration).rounded()), 1), 8)
        }
        guard seeksFaces else {
            let cats = [sweep(.cat, smallest: 24, step: 1.1, bands: 4, neighbours: 3)] + (isLarge ? [Self.farCats(cascades)] : [])
            rounds = [Round(cats, period: 0.8, frameDuration: frameDuration)]
            return
        }
        rounds = [Round([sweep(.frontal, smallest: 20, step: 1.1, bands: bands(0.25), neighbours: 2)], period: 0.25, frameDuration: frameDuration)]
        if isLarge {
            let far = Sweep(.frontal, coarse: false, sizes: 20...42, base: cascades.frontal.base, bands: bands(0.3), neighbours: 2)
            rounds.append(Round([far], period: 0.3, frameDuration: frameDuration))
        }
        let others = [
            sweep(.left, smallest: 24, step: 1.15, bands: 4, neighbours: 2), sweep(.right, smallest: 24, step: 1.15, bands: 4, neighbours: 2),
            sweep(.cat, smallest: 24, step: 1.1, bands: 4, neighbours: 3),
        ]
        rounds.append(Round(others + (isLarge ? [Self.farCats(cascades)] : []), period: 0.7, frameDuration: frameDuration))
    }

    private static func farCats(_ cascades: Cascades) -> Sweep {
        Sweep(
            .cat, coarse: false, sizes: cascades.cat.base...52, base: cascades.cat.base, bands: 6, neighbours: 3, largestFirst: true)
    }

    /// Searches this frame's share; gives what all searches see now.
    mutating func advance(_ picture: ReducedPicture, cascades: Cascades) throws(VisionError) -> [Hit] {
        var hits: [Hit] = []
        for r in rounds.indices {
            rounds[r].credit += rounds[r].pace
            while rounds[r].credit >= 1 {
                rounds[r].credit -= 1
                let index = rounds[r].turn % rounds[r].sweeps.count
                try rounds[r].sweeps[index].advance(picture, with: cascades.cascade(for: rounds[r].sweeps[index].look))
                rounds[r].turn += 1
            }
            for sweep in rounds[r].sweeps { hits += try sweep.hits() }
        }
        return hits
    }
}
