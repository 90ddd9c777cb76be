import Foundation

/// Weighs proposals for a tapped object, and adds them up: each pixel's share is that of the weights of the proposals that cover it.
///
/// The quality of a proposal is a weighted sum of its traits (`SalientWeights`). Agreement is first that with every other proposal, then that with
/// the consensus of the first round.
struct SalientJudge {
    let picture: SalientPicture
    let proposals: [SalientProposal]
    /// 0…1 of the picture.
    let tap: CGPoint

    /// Colours (mean of three channels, 0…255) and depths (of the range) are clearly different from here on.
    private static let (otherColour, otherDepth) = (25, 0.15)
    /// Least share of an outline, 0…1, at which something has to change.
    private static let leastOutline = 0.15
    /// Weight of a proposal against one whose quality is higher by q: exp(−8 q), so that 0.1 less counts a little less than half.
    private static let sharpness = 8.0

    /// Share of the weights that speak for each pixel, 0…1, and the quality of the best proposal, 0…1; nil when nothing stands out.
    func consensus() -> (shares: SoftMask, confidence: Double)? {
        let candidates = proposals.filter { outline(of: $0) >= Self.leastOutline }
        guard !candidates.isEmpty else { return nil }
        let first = shares(of: candidates, qualities: traits(of: candidates).map { $0.quality(.chosen) })
        let qualities = candidates.map { candidate in
            var again = traits(of: candidate)
            again.agreement = Self.overlap(candidate.mask, first)
            return again.quality(.chosen)
        }
        return (shares(of: candidates, qualities: qualities), qualities.max()!)
    }

    /// Traits of proposals among each other.
    func traits(of proposals: [SalientProposal]) -> [SalientTraits] {
        var sums = [Double](repeating: 0, count: proposals.count)
        for first in proposals.indices {
            for second in first + 1..<proposals.count {
                let overlap = Self.overlap(proposals[first].mask, proposals[second].mask)
                sums[first] += overlap
                sums[second] += overlap
            }
        }
        return zip(proposals, sums).map { proposal, sum in
            var traits = traits(of: proposal)
            traits.agreement = proposals.count > 1 ? sum / Double(proposals.count - 1) : 1
            return traits
        }
    }

    /// Traits of one proposal, as one that agrees with none.
    private func traits(of proposal: SalientProposal) -> SalientTraits {
        let box = proposal.bounds
        let (x, y) = (tap.x * Double(picture.width), tap.y * Double(picture.height))
        let offCentre = 2 * max(abs(x - box.midX) / box.width, abs(y - box.midY) / box.height)
        let share = box.area / Double(picture.width * picture.height)
        return SalientTraits(centring: 1 - min(offCentre, 1), agreement: 0, size: share.squareRoot())
    }

    private func shares(of proposals: [SalientProposal], qualities: [Double]) -> SoftMask {
        let best = qualities.max() ?? 0
        let weights = qualities.map { exp(Self.sharpness * ($0 - best)) }
        let sum = weights.reduce(0, +)
        var shares = SoftMask(width: picture.width, height: picture.height)
        for (proposal, weight) in zip(proposals, weights) {
            let share = Float(weight / sum)
            for at in shares.values.indices where proposal.mask.bytes[at] != 0 { shares.values[at] += share }
        }
        return shares
    }

    /// Intersection over union of two masks of one size.
    private static func overlap(_ first: Raster, _ second: Raster) -> Double {
        var (both, either) = (0, 0)
        for at in 0..<first.count {
            both += Int(first.bytes[at] & second.bytes[at] & 1)
            either += Int((first.bytes[at] | second.bytes[at]) & 1)
        }
        return either > 0 ? Double(both) / Double(either) : 0
    }

    /// The same with shares of 0…1: sum of the lesser values over that of the greater.
    private static func overlap(_ mask: Raster, _ shares: SoftMask) -> Double {
        var (lesser, greater): (Float, Float) = (0, 0)
        for at in 0..<mask.count {
            if mask.bytes[at] != 0 {
                lesser += shares.values[at]
                greater += 1
            } else {
                greater += shares.values[at]
            }
        }
        return greater > 0 ? Double(lesser / greater) : 0
    }

    /// Share of the outline, 0…1, at which colour or depth clearly changes.
    private func outline(of proposal: SalientProposal) -> Double {
        let (width, height, mask, depth) = (picture.width, picture.height, proposal.mask.bytes, picture.depth)
        let leastJump = depth.range > 0 ? Float(Self.otherDepth * depth.range) : .infinity
        var (all, clear) = (0, 0)
        for y in Int(proposal.bounds.minY)..<Int(proposal.bounds.maxY) {
            for x in Int(proposal.bounds.minX)..<Int(proposal.bounds.maxX) where mask[y * width + x] != 0 {
                for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                    let (i, j) = (x + dx, y + dy)
                    guard i >= 0, j >= 0, i < width, j < height, mask[j * width + i] == 0 else { continue }
                    let (outX, outY) = (min(max(x + 3 * dx, 0), width - 1), min(max(y + 3 * dy, 0), height - 1))
                    let (inX, inY) = (min(max(x - 2 * dx, 0), width - 1), min(max(y - 2 * dy, 0), height - 1))
                    let isClear =
                        difference(picture.colours.pixel(outX, outY), picture.colours.pixel(inX, inY)) >= 3 * Self.otherColour
                        || abs(depth.values[outY * width + outX] - depth.values[inY * width + inX]) >= leastJump
                    all += 1
                    clear += isClear ? 1 : 0
                }
            }
        }
        return Double(clear) / Double(max(all, 1))
    }

    /// Summed over three channels.
    private func difference(_ a: UnsafeMutablePointer<UInt8>, _ b: UnsafeMutablePointer<UInt8>) -> Int {
        abs(Int(a[0]) - Int(b[0])) + abs(Int(a[1]) - Int(b[1])) + abs(Int(a[2]) - Int(b[2]))
    }
}
