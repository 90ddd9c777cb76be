import Foundation

/// Chooses among proposals by edge support, depth, size, rim and agreement.
struct SalientJudge {
    /// What a choice must score to count as an object.
    static let enough = 0.25
    let finder: SalientFinder
    let proposals: [SalientProposal]

    /// What is known of one proposal; each 0…1.
    struct Traits {
        /// Edge strength along the outline against the strongest the picture offers.
        var edges = 0.0
        /// How much depth changes across the outline against inside.
        var depth = 0.0
        /// How much colour changes across the outline.
        var contrast = 0.0
        /// Share of the outline on the picture's rim.
        var rim = 0.0
        /// Share of the picture, of the box.
        var size = 0.0
        /// Share of the box that the region fills.
        var fill = 0.0
        /// Mean overlap with the other proposals' boxes.
        var agreement = 0.0
    }

    func best() -> (index: Int, score: Double)? {
        let scores = proposals.indices.map { score(traits(of: $0), proposals[$0].origin) }
        return scores.indices.max { scores[$0] < scores[$1] }.map { ($0, scores[$0]) }
    }

    func score(_ t: Traits, _ origin: SalientProposal.Origin) -> Double {
        guard max(t.edges, t.depth, t.contrast) >= 0.25 else { return 0 }
        let size = t.size < 0.02 ? t.size / 0.02 : (t.size > 0.5 ? max(0, 1 - (t.size - 0.5) / 0.45) : 1)
        return 0.25 * t.edges + 0.2 * t.depth + 0.15 * t.contrast + 0.2 * t.agreement + 0.2 * size + 0.1 * t.fill - 0.5 * t.rim
    }

    func traits(of index: Int) -> Traits {
        let proposal = proposals[index]
        let (width, height, mask) = (finder.width, finder.height, proposal.mask.bytes)
        var traits = Traits()
        var (outline, rim, edge, jump, change) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for y in Int(proposal.bounds.minY)..<Int(proposal.bounds.maxY) {
            for x in Int(proposal.bounds.minX)..<Int(proposal.bounds.maxX) where mask[y * width + x] != 0 {
                for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                    let (i, j) = (x + dx, y + dy)
                    guard i >= 0, j >= 0, i < width, j < height else {
                        outline += 1
                        rim += 1
                        continue
                    }
                    guard mask[j * width + i] == 0 else { continue }
                    outline += 1
                    edge += Double(max(finder.edges.bytes[y * width + x], finder.edges.bytes[j * width + i]))
                    let (outX, outY) = (min(max(x + 3 * dx, 0), width - 1), min(max(y + 3 * dy, 0), height - 1))
                    let (inX, inY) = (min(max(x - 2 * dx, 0), width - 1), min(max(y - 2 * dy, 0), height - 1))
                    jump += abs(Double(finder.depth.values[outY * width + outX] - finder.depth.values[inY * width + inX]))
                    change += distance(finder.colours.pixel(outX, outY), finder.colours.pixel(inX, inY))
                }
            }
        }
        let inner = max(outline - rim, 1)
        traits.edges = min(edge / inner / 80, 1)
        traits.depth = finder.depth.spread > 0 ? min(jump / inner / (0.25 * finder.depth.spread), 1) : 0
        traits.contrast = min(change / inner / 90, 1)
        traits.rim = rim / max(outline, 1)
        traits.size = proposal.bounds.area / Double(width * height)
        traits.fill = Double(proposal.count) / proposal.bounds.area
        traits.agreement = agreement(of: index)
        return traits
    }

    private func distance(_ a: UnsafeMutablePointer<UInt8>, _ b: UnsafeMutablePointer<UInt8>) -> Double {
        var sum = 0.0
        for channel in 0..<3 { sum += abs(Double(a[channel]) - Double(b[channel])) }
        return sum / 3
    }

    private func agreement(of index: Int) -> Double {
        guard proposals.count > 1 else { return 0 }
        var sum = 0.0
        for other in proposals.indices where other != index { sum += proposals[index].bounds.overlap(proposals[other].bounds) }
        return sum / Double(proposals.count - 1)
    }
}
