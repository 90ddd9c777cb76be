import Foundation

/// Chooses among proposals: each edge of the answer is the weighted median of theirs, the better ones counting more.
///
/// The quality of a proposal is a weighted sum of five traits (`SalientWeights`). Proposals that agree prove little: those that are wrong agree as well.
struct SalientJudge {
    let finder: SalientFinder
    let proposals: [SalientProposal]
    /// 0…1 of the picture.
    let tap: CGPoint

    /// Colours (mean of three channels, 0…255) and depths (of the spread) are clearly different from here on.
    private static let (otherColour, otherDepth) = (25, 0.15)
    /// Least share of an outline, 0…1, at which something has to change.
    private static let leastOutline = 0.15
    /// Weight of a proposal against one whose quality is higher by q: exp(−27 q), so that 0.1 less counts a fifteenth.
    private static let sharpness = 27.0

    /// The box in pixels and how sure it is; nil when nothing stands out.
    func verdict() -> (box: CGRect, confidence: Double)? {
        let found = proposals.map { (box: $0.bounds, traits: traits(of: $0)) }.filter { $0.traits.outline >= Self.leastOutline }
            .map { (box: $0.box, quality: $0.traits.quality(.chosen)) }
        guard let best = found.map(\.quality).max() else { return nil }
        let weights = found.map { exp(Self.sharpness * ($0.quality - best)) }
        func edge(_ value: (CGRect) -> Double) -> Double { Self.median(found.map { value($0.box) }, weights) }
        let (left, right) = (edge { $0.minX }, edge { $0.maxX })
        let (top, bottom) = (edge { $0.minY }, edge { $0.maxY })
        guard right > left, bottom > top else { return nil }
        return (CGRect(x: left, y: top, width: right - left, height: bottom - top), best)
    }

    /// Traits of one proposal.
    func traits(of proposal: SalientProposal) -> SalientTraits {
        let box = proposal.bounds
        let share = box.area / Double(finder.width * finder.height)
        let (x, y) = (tap.x * Double(finder.width), tap.y * Double(finder.height))
        let offCentre = 2 * max(abs(x - box.midX) / box.width, abs(y - box.midY) / box.height)
        return SalientTraits(
            centring: 1 - min(offCentre, 1), outline: outline(of: proposal), stability: proposal.stability, evenness: evenness(of: proposal),
            size: share.squareRoot())
    }

    /// Share of the outline, 0…1, at which colour or depth clearly changes.
    private func outline(of proposal: SalientProposal) -> Double {
        let (width, height, mask, depth) = (finder.width, finder.height, proposal.mask.bytes, finder.depth)
        let leastJump = depth.spread > 0 ? Float(Self.otherDepth * depth.spread) : .infinity
        var (all, clear) = (0, 0)
        for y in Int(proposal.bounds.minY)..<Int(proposal.bounds.maxY) {
            for x in Int(proposal.bounds.minX)..<Int(proposal.bounds.maxX) where mask[y * width + x] != 0 {
                for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                    let (i, j) = (x + dx, y + dy)
                    guard i >= 0, j >= 0, i < width, j < height, mask[j * width + i] == 0 else { continue }
                    let (outX, outY) = (min(max(x + 3 * dx, 0), width - 1), min(max(y + 3 * dy, 0), height - 1))
                    let (inX, inY) = (min(max(x - 2 * dx, 0), width - 1), min(max(y - 2 * dy, 0), height - 1))
                    let isClear =
                        difference(finder.colours.pixel(outX, outY), finder.colours.pixel(inX, inY)) >= 3 * Self.otherColour
                        || abs(depth.values[outY * width + outX] - depth.values[inY * width + inX]) >= leastJump
                    all = all + 1
                    clear = clear + (isClear ? 1 : 0)
                }
            }
        }
        return Double(clear) / Double(max(all, 1))
    }

    /// 1 where all of it is equally far, 0 where its depth varies as the picture's does or is not known.
    private func evenness(of proposal: SalientProposal) -> Double {
        guard finder.depth.spread > 0 else { return 0 }
        let inside = (0..<finder.width * finder.height).filter { proposal.mask.bytes[$0] != 0 }.map { Double(finder.depth.values[$0]) }
        let mean = inside.reduce(0, +) / Double(inside.count)
        let deviation = inside.map { abs($0 - mean) }.reduce(0, +) / Double(inside.count)
        return 1 - min(4 * deviation / finder.depth.spread, 1)
    }

    private static func median(_ values: [Double], _ weights: [Double]) -> Double {
        let order = values.indices.sorted { values[$0] < values[$1] }
        let half = weights.reduce(0, +) / 2
        var sum = 0.0
        for index in order {
            sum += weights[index]
            if sum >= half { return values[index] }
        }
        return values[order[order.count - 1]]
    }

    /// Summed over three channels.
    private func difference(_ a: UnsafeMutablePointer<UInt8>, _ b: UnsafeMutablePointer<UInt8>) -> Int {
        abs(Int(a[0]) - Int(b[0])) + abs(Int(a[1]) - Int(b[1])) + abs(Int(a[2]) - Int(b[2]))
    }
}
