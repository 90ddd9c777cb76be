/// Traits by which a proposal for the tapped object is judged, 0…1 each.
struct SalientTraits: Equatable {
    /// 1 where the tap is in the middle of the box, 0 at its edge.
    var centring: Double
    /// Mean overlap (intersection over union) with the other proposals, then with their consensus.
    var agreement: Double
    /// Square root of the share of the picture that its box covers.
    var size: Double

    /// Weighted sum, 0…1.
    func quality(_ weights: SalientWeights) -> Double {
        weights.centring * centring + weights.agreement * agreement + weights.size * size
    }
}

/// Weights of the traits; they add up to 1.
///
/// Chosen among some fifteen sets, together with `SalientJudge.sharpness`, on photographs beside the checkout: five taps on each of 13 outlines, drawn
/// boxes tapped in the middle, and boxes in company and before clutter. Mean overlap of the answer's box, and the share of taps above one half:
///
/// | centring | agreement | size | sharpness | outlines | drawn | clutter |
/// |---|---|---|---|---|---|---|
/// | 0.475 | 0.475 | 0.05 | 16 | .573, 65 % | .624 | .564 |
/// | 0.25 | 0.67 | 0.08 | 16 | .590, 71 % | .650 | .476 |
/// | 0.475 | 0.475 | 0.05 | 8 | .595, 71 % | .657 | .522 |
/// | 0.42 | 0.52 | 0.06 | 8 | .605, 71 % | .662 | .507 |
/// | 0.55 | 0.35 | 0.1 | 8 | .601, 71 % | .658 | .532 |
///
/// Change of colour at the outline, difference of the colours inside, and the barrier to the rim got next to no weight in a ridge regression
/// (−0.03, 0.03 and 0.02 against 0.80 of agreement). `make saliency-fit` fits the three by logistic regression on pairs of proposals.
struct SalientWeights: Equatable {
    var centring: Double
    var agreement: Double
    var size: Double

    static let chosen = SalientWeights(centring: 0.55, agreement: 0.35, size: 0.1)
}
