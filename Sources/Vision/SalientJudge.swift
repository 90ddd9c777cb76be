import Foundation

/// Weighs proposals: each edge of the answer is the median of theirs, the better ones counting more.
///
/// Four traits weigh, fitted to proposals' overlap with drawn boxes on two sets of pictures and rounded: agreement with the other proposals, size,
/// the tap's place in the box, and what a small move of the tap changes.
struct SalientJudge {
    let finder: SalientFinder
    let proposals: [SalientProposal]
    /// 0…1 of the picture.
    let tap: CGPoint

    /// What is known of one proposal; each 0…1.
    private struct Traits {
        /// Edge strength along the outline against the strongest the picture offers.
        var edges = 0.0
        /// How much depth changes across the outline.
        var depth = 0.0
        /// How much colour changes across the outline.
        var contrast = 0.0

        /// Whether anything at all changes at the outline.
        var standsOut: Bool { max(edges, depth, contrast) >= 0.25 }
    }

    /// The box in pixels and how sure it is; nil when nothing stands out.
    func verdict() -> (box: CGRect, confidence: Double)? {
        let found = proposals.filter { traits(of: $0).standsOut }.map { (box: $0.bounds, quality: quality(of: $0)) }
        guard let best = found.map(\.quality).max() else { return nil }
        let weights = found.map { exp(20 * ($0.quality - best)) }
        func edge(_ value: (CGRect) -> Double) -> Double { Self.median(found.map { value($0.box) }, weights) }
        let (left, right) = (edge { $0.minX }, edge { $0.maxX })
        let (top, bottom) = (edge { $0.minY }, edge { $0.maxY })
        guard right > left, bottom > top else { return nil }
        return (CGRect(x: left, y: top, width: right - left, height: bottom - top), min(best, 1))
    }

    private func quality(of proposal: SalientProposal) -> Double {
        let box = proposal.bounds
        let share = box.area / Double(finder.width * finder.height)
        let (x, y) = (tap.x * Double(finder.width), tap.y * Double(finder.height))
        let offCentre = 2 * max(abs(x - box.midX) / box.width, abs(y - box.midY) / box.height)
        return 0.2 * agreement(of: box) + 0.15 * share.squareRoot() + 0.2 * (1 - min(offCentre, 1)) + 0.2 * proposal.stability
    }

    /// Mean overlap with the other proposals' boxes.
    private func agreement(of box: CGRect) -> Double {
        guard proposals.count > 1 else { return 0 }
        return (proposals.map { box.overlap($0.bounds) }.reduce(0, +) - 1) / Double(proposals.count - 1)
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

    private func traits(of proposal: SalientProposal) -> Traits {
        let (width, height, mask) = (finder.width, finder.height, proposal.mask.bytes)
        var traits = Traits()
        var (outline, edge, jump, change) = (0.0, 0.0, 0.0, 0.0)
        for y in Int(proposal.bounds.minY)..<Int(proposal.bounds.maxY) {
            for x in Int(proposal.bounds.minX)..<Int(proposal.bounds.maxX) where mask[y * width + x] != 0 {
                for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                    let (i, j) = (x + dx, y + dy)
                    guard i >= 0, j >= 0, i < width, j < height, mask[j * width + i] == 0 else { continue }
                    outline += 1
                    edge += Double(max(finder.edges.bytes[y * width + x], finder.edges.bytes[j * width + i]))
                    let (outX, outY) = (min(max(x + 3 * dx, 0), width - 1), min(max(y + 3 * dy, 0), height - 1))
                    let (inX, inY) = (min(max(x - 2 * dx, 0), width - 1), min(max(y - 2 * dy, 0), height - 1))
                    jump += abs(Double(finder.depth.values[outY * width + outX] - finder.depth.values[inY * width + inX]))
                    change += distance(finder.colours.pixel(outX, outY), finder.colours.pixel(inX, inY))
                }
            }
        }
        outline = max(outline, 1)
        traits.edges = min(edge / outline / 80, 1)
        traits.contrast = min(change / outline / 90, 1)
        if finder.depth.spread > 0 { traits.depth = min(jump / outline / (0.25 * finder.depth.spread), 1) }
        return traits
    }

    private func distance(_ a: UnsafeMutablePointer<UInt8>, _ b: UnsafeMutablePointer<UInt8>) -> Double {
        var sum = 0.0
        for channel in 0..<3 { sum += abs(Double(a[channel]) - Double(b[channel])) }
        return sum / 3
    }
}
