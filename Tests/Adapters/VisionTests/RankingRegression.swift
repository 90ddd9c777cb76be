import Foundation

@testable import Vision

/// Logistic regression on pairs: P(a is better than b) = 1 / (1 + exp(−w · (a − b))).
///
/// A pair is two proposals for one tap whose overlaps with the truth differ by more than 0.1; each tap counts alike. Newton's method with a small
/// ridge; Bradley and Terry 1952, as in Burges et al. 2005 with a linear score.
struct RankingRegression {
    /// Differences of the traits, better less worse, and the weight of the pair.
    let pairs: [(difference: [Double], weight: Double)]

    private static let ridge = 1e-3

    init(_ taps: [[SaliencyScenes.Sample]]) {
        pairs = taps.flatMap { samples in
            var found: [[Double]] = []
            for better in samples {
                for worse in samples where better.overlap - worse.overlap > 0.1 { found.append(zip(better.values, worse.values).map { $0 - $1 }) }
            }
            return found.map { ($0, 1 / Double(found.count)) }
        }
    }

    /// Share of the pairs, each tap alike, that weights put in the right order, 0…1.
    func agreement(_ weights: SalientWeights) -> Double {
        let right = pairs.reduce(0) { $0 + (zip($1.difference, weights.values).reduce(0) { $0 + $1.0 * $1.1 } > 0 ? $1.weight : 0) }
        return right / pairs.reduce(0) { $0 + $1.weight }
    }

    /// Weights of the greatest likelihood, scaled so that their absolute values add up to 1.
    func fitted() -> SalientWeights {
        var weights = [Double](repeating: 0, count: 3)
        for _ in 0..<25 {
            var gradient = weights.map { -Self.ridge * $0 }
            var curvature = (0..<3).map { row in (0..<3).map { $0 == row ? Self.ridge : 0 } }
            for (difference, weight) in pairs {
                let chance = 1 / (1 + exp(-zip(difference, weights).reduce(0) { $0 + $1.0 * $1.1 }))
                for i in 0..<3 {
                    gradient[i] += weight * (1 - chance) * difference[i]
                    for j in 0..<3 { curvature[i][j] += weight * chance * (1 - chance) * difference[i] * difference[j] }
                }
            }
            let step = Self.solve(curvature, gradient)
            for i in 0..<3 { weights[i] += step[i] }
        }
        let sum = weights.reduce(0) { $0 + abs($1) }
        return SalientWeights(weights.map { $0 / sum })
    }

    /// Gaussian elimination of a positive definite system.
    private static func solve(_ matrix: [[Double]], _ right: [Double]) -> [Double] {
        var (matrix, right) = (matrix, right)
        for i in right.indices {
            for j in right.indices where j > i {
                let factor = matrix[j][i] / matrix[i][i]
                for k in right.indices { matrix[j][k] -= factor * matrix[i][k] }
                right[j] -= factor * right[i]
            }
        }
        for i in right.indices.reversed() {
            for j in right.indices where j > i { right[i] -= matrix[i][j] * right[j] }
            right[i] /= matrix[i][i]
        }
        return right
    }
}

extension SaliencyScenes.Sample {
    var values: [Double] { [traits.centring, traits.agreement, traits.size] }
}

extension SalientWeights {
    var values: [Double] { [centring, agreement, size] }

    init(_ values: [Double]) {
        self.init(centring: values[0], agreement: values[1], size: values[2])
    }
}
