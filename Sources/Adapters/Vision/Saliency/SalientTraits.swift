/// Traits by which a proposal for the tapped object is judged, 0…1 each.
struct SalientTraits: Equatable {
    /// 1 where the tap is in the middle of the box, 0 at its edge.
    var centring: Double
    /// Share of the outline at which colour or depth clearly changes.
    var outline: Double
    /// Overlap with what taps three pixels away lead to.
    var stability: Double
    /// 1 where all of it is equally far, 0 where its depth varies as the picture's does or is not known.
    var evenness: Double
    /// Square root of the share of the picture that its box covers.
    var size: Double

    /// Weighted sum, 0…1.
    func quality(_ weights: SalientWeights) -> Double {
        weights.centring * centring + weights.outline * outline + weights.stability * stability + weights.evenness * evenness + weights.size * size
    }
}

/// Weights of the traits; they add up to 1.
///
/// `chosen` was fitted to the overlaps with boxes drawn on some hundred pictures, and rounded; neither that script nor its list of pictures was kept.
/// `make saliency-fit` fits by logistic regression on pairs of proposals, to drawn scenes and to the photographs beside the checkout. It does not give
/// `chosen` again; its weights rank better, each on its own pictures, and were not taken: they would change the boxes of taps.
///
/// | | centring | outline | stability | evenness | size | pairs in order | overlap of the best |
/// |---|---|---|---|---|---|---|---|
/// | 400 drawn scenes: chosen | 0.15 | 0.3 | 0.3 | 0.15 | 0.1 | 66 % | 63 % |
/// | fitted | 0.39 | 0.21 | 0.09 | 0.01 | −0.3 | 83 % | 69 % |
/// | equal | 0.2 | 0.2 | 0.2 | 0.2 | 0.2 | 65 % | 60 % |
/// | 225 taps on photographs: chosen | 0.15 | 0.3 | 0.3 | 0.15 | 0.1 | 72 % | 56 % |
/// | fitted | 0.25 | 0.37 | 0.09 | 0.23 | 0.07 | 76 % | 59 % |
/// | equal | 0.2 | 0.2 | 0.2 | 0.2 | 0.2 | 71 % | 52 % |
///
/// Drawn things are small before large scenery, so that size speaks against a proposal there; on photographs it does not.
struct SalientWeights: Equatable {
    var centring: Double
    var outline: Double
    var stability: Double
    var evenness: Double
    var size: Double

    static let chosen = SalientWeights(centring: 0.15, outline: 0.3, stability: 0.3, evenness: 0.15, size: 0.1)
}
