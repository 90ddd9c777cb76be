import Foundation
import Pipeline
import Testing

@testable import Vision

/// File to which `make saliency-fit` has the figures written; without it few scenes are drawn.
private let report = ProcessInfo.processInfo.environment["RACKFOCUS_SALIENCY_FIT"]

@Suite("The weights by which proposals for a tapped thing are judged")
struct SaliencyFitTests {
    /// Figures of the chosen, the fitted and equal weights, to be read.
    private static func text(_ name: String, _ taps: [[SaliencyScenes.Sample]], _ regression: RankingRegression) -> String {
        let rows = [("chosen", SalientWeights.chosen), ("fitted", regression.fitted()), ("equal", equal)].map { name, weights in
            "\(name): \(weights.values.map { ($0 * 100).rounded() / 100 }), "
                + "pairs in order \(percent(regression.agreement(weights))), overlap of the best \(percent(overlap(taps, weights)))"
        }
        return "\(taps.count) taps on \(name), \(regression.pairs.count) pairs\n" + rows.joined(separator: "\n") + "\n"
    }

    private static let equal = SalientWeights([1 / 3, 1 / 3, 1 / 3])

    @Test("rank proposals on drawn scenes better than equal weights, and less well than those fitted to them")
    func drawn() throws {
        let taps = try SaliencyScenes.samples(report == nil ? 24 : 400, seed: 7)
        let regression = RankingRegression(taps)
        let text = Self.text("drawn scenes", taps, regression)
        if let report { try Data(text.utf8).write(to: URL(fileURLWithPath: report)) }
        #expect(regression.agreement(.chosen) > 0.5, "\(text)")
        #expect(regression.agreement(.chosen) > regression.agreement(Self.equal), "\(text)")
        #expect(regression.agreement(regression.fitted()) > regression.agreement(.chosen), "\(text)")
    }

    @Test(
        "rank proposals on photographs better than equal weights, and less well than those fitted to them",
        .enabled(if: Pictures.hasShared && report != nil, "needs ../shared/data, and lasts a minute: make saliency-fit"))
    func photographed() throws {
        let things = try TapThings.drawn() + TapThings.masked() + TapThings.tabled()
        let taps = try things.flatMap { thing in
            let finder = try SalientFinder(picture: try ReducedPicture(thing.frame.image), disparity: thing.map)
            return try thing.taps.map { try SaliencyScenes.samples(finder, tap: $0, box: thing.box) }
        }
        let regression = RankingRegression(taps)
        let text = Self.text("photographs", taps, regression)
        if let report { try Data(text.utf8).write(to: URL(fileURLWithPath: report + ".photographs")) }
        #expect(regression.agreement(.chosen) > 0.7, "\(text)")
        #expect(regression.agreement(.chosen) > regression.agreement(Self.equal), "\(text)")
        #expect(regression.agreement(regression.fitted()) > regression.agreement(.chosen), "\(text)")
    }

    @Test("the regression finds the weights that made a ranking")
    func recovers() {
        var dice = Dice(state: 3)
        let truth = SalientWeights([0.2, 0.5, 0.3])
        let taps = (0..<60).map { _ in
            (0..<8).map { _ in
                let traits = SalientTraits(centring: dice.share(), agreement: dice.share(), size: dice.share())
                return SaliencyScenes.Sample(traits: traits, overlap: traits.quality(truth))
            }
        }
        let found = RankingRegression(taps).fitted()
        for (a, b) in zip(found.values, truth.values) { #expect(abs(a - b) < 0.03, "\(found)") }
        #expect(RankingRegression(taps).agreement(found) > 0.97)
    }

    @Test("traits say what they are called")
    func traits() throws {
        #expect(abs(SalientWeights.chosen.values.reduce(0, +) - 1) < 1e-9)
        let picture = try SalientPicture(
            ReducedPicture(Pictures.picture(320, 180, luma: { x, _ in x < 160 ? 200 : 60 })), Pictures.map(2, 2) { _, _ in 0 }, width: 128)
        func proposal(_ x: Int, _ width: Int) -> SalientProposal {
            let mask = Raster(width: picture.width, height: picture.height)
            for j in 16..<56 { for i in x..<x + width { mask.bytes[j * picture.width + i] = 255 } }
            return SalientProposal(mask: mask, bounds: CGRect(x: x, y: 16, width: width, height: 40))
        }
        let proposals = [proposal(40, 48), proposal(40, 48), proposal(40, 24)]
        func traits(_ x: Double) -> [SalientTraits] {
            SalientJudge(picture: picture, proposals: proposals, tap: CGPoint(x: x, y: 0.5)).traits(of: proposals)
        }
        let found = traits(0.5)
        #expect(found[0].centring > 0.95 && found[0].agreement == 0.75 && found[2].agreement == 0.5)
        #expect(abs(found[0].size - (48.0 * 40 / 128 / 72).squareRoot()) < 1e-9)
        #expect(traits(88.0 / 128)[0].centring < 0.01)
    }

    /// Mean overlap with the truth of the best proposal of each tap, 0…1.
    private static func overlap(_ taps: [[SaliencyScenes.Sample]], _ weights: SalientWeights) -> Double {
        taps.reduce(0) { $0 + ($1.max { $0.traits.quality(weights) < $1.traits.quality(weights) }?.overlap ?? 0) } / Double(taps.count)
    }

    private static func percent(_ share: Double) -> String { "\((share * 1000).rounded() / 10) %" }
}
