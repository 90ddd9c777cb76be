import Foundation

extension Hit {
    /// Greedy non-maximum suppression (Dalal and Triggs, CVPR 2005): of hits of one kind whose intersection over union is more than `overlap`, the one
    /// that ranks first. Frontal before profile, verification of a track before search unless one look is enough, then the hit on which more windows agree, then the
    /// earlier one.
    static func suppressingNonMaxima(_ hits: [Hit], overlap: Double) -> [Hit] {
        let ranks = hits.indices.map { index in
            let hit = hits[index]
            return (hit.look == .frontal || hit.source != .cascade ? 0 : 1, hit.isSure ? 0 : (hit.isNew ? 2 : 1), -hit.support, index)
        }
        var kept: [Hit] = []
        for (_, _, _, index) in ranks.sorted(by: <) {
            let hit = hits[index]
            let isDuplicate = kept.contains { $0.look.kind == hit.look.kind && $0.box.overlap(hit.box) > overlap }
            if !isDuplicate { kept.append(hit) }
        }
        return kept
    }
}
