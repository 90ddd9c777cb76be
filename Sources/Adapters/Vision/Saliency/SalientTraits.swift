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
struct SalientWeights: Equatable {
    var centring: Double
    var outline: Double
    var stability: Double
    var evenness: Double
    var size: Double

    static let chosen = SalientWeights(centring: 0.15, outline: 0.3, stability: 0.3, evenness: 0.15, size: 0.1)
}
