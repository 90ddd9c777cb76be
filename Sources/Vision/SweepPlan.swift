import Foundation

/// Which part of which search each frame pays for.
///
/// Near frontal faces are searched all over in 1/6 s, far ones in 1/4 s; profiles and cats share a round of 0.4 s, far cats have one of 0.5 s.
struct SweepPlan {
    private var rounds: [Round]

    /// Sweeps that take turns, one band each.
    private struct Round {
        var sweeps: [Sweep]
        var turn = 0
        var turnsPerFrame = 1

        init(_ sweeps: [Sweep], seconds: Double, frameDuration: Double) {
            self.sweeps = sweeps
            let bands = sweeps.reduce(0) { $0 + $1.bandCount }
            turnsPerFrame = min(max(Int((Double(bands) * frameDuration / seconds).rounded()), 1), max(bands, 1))
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
        func bands(_ seconds: Double) -> Int { min(max(Int((seconds / frameDuration).rounded()), 1), 8) }
        guard seeksFaces else {
            rounds = [Round([sweep(.cat, smallest: 24, step: 1.1, bands: 4, neighbours: 3)], seconds: 0.4, frameDuration: frameDuration)]
            if isLarge { rounds.append(Round([Self.farCats(cascades)], seconds: 0.5, frameDuration: frameDuration)) }
            return
        }
        rounds = [Round([sweep(.frontal, smallest: 20, step: 1.1, bands: bands(0.167), neighbours: 2)], seconds: 0.167, frameDuration: frameDuration)]
        if isLarge {
            let far = Sweep(.frontal, coarse: false, sizes: 20...42, base: cascades.frontal.base, bands: bands(0.25), neighbours: 2)
            rounds.append(Round([far], seconds: 0.25, frameDuration: frameDuration))
        }
        let others = [
            sweep(.left, smallest: 24, step: 1.15, bands: 4, neighbours: 2), sweep(.right, smallest: 24, step: 1.15, bands: 4, neighbours: 2),
            sweep(.cat, smallest: 24, step: 1.1, bands: 4, neighbours: 3),
        ]
        rounds.append(Round(others, seconds: 0.4, frameDuration: frameDuration))
        if isLarge { rounds.append(Round([Self.farCats(cascades)], seconds: 0.5, frameDuration: frameDuration)) }
    }

    private static func farCats(_ cascades: Cascades) -> Sweep {
        Sweep(
            .cat, coarse: false, sizes: cascades.cat.base...52, base: cascades.cat.base, bands: 12, neighbours: 3, largestFirst: true)
    }

    /// Searches this frame's share; gives what all searches see now.
    mutating func advance(_ picture: ReducedPicture, cascades: Cascades) throws(VisionError) -> [Hit] {
        var hits: [Hit] = []
        for r in rounds.indices {
            for _ in 0..<rounds[r].turnsPerFrame {
                let index = rounds[r].turn % rounds[r].sweeps.count
                try rounds[r].sweeps[index].advance(picture, with: cascades.cascade(for: rounds[r].sweeps[index].look))
                rounds[r].turn += 1
            }
            for sweep in rounds[r].sweeps { hits += try sweep.hits() }
        }
        return hits
    }
}
