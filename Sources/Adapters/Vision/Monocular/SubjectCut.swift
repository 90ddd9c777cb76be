import Foundation

/// Cuts subjects out of one picture by colour: GrabCut (Rother, Kolmogorov and Blake, SIGGRAPH 2004) with what is known of the outline as a prior,
/// and boundary connectivity as a cue: what the rim, or what is known for background, reaches without an edge is background (Zhang et al., "Minimum
/// barrier salient object detection at 80 fps", ICCV 2015).
struct SubjectCut {
    /// CIE Lab.
    let tones: Raster
    /// Log-odds to the units of the cut, of what the rim says.
    private static let byRim: Float = 2.5
    /// Barriers of this share of the core's, or where nothing is certain of what is likely, are as much object as background; of colour channels' steps.
    private static let (level, levels): (Float, ClosedRange<Float>) = (0.45, 12...60)
    /// Most that the rim says, log-odds.
    private static let most: Float = 2.5

    /// The mask (0 or 1) of a subject of the whole picture's size; where nothing is certain, what the prior says, whose log-odds count `weight` times.
    func mask(_ prior: SubjectPrior, weight: Float) throws(VisionError) -> SoftMask {
        var prior = prior
        let part = tones.cropped(to: prior.box)
        let byRim = rimOdds(prior, part)
        for at in prior.odds.indices { prior.odds[at] = weight * prior.odds[at] + Self.byRim * byRim[at] }
        prior.resolveLabels()
        let cutter = try Cutter(part)
        let labels = cutter.labels
        for at in prior.labels.indices { labels.bytes[at] = prior.labels[at].rawValue }
        let cut = try cutter.cut(labels, prior: prior.odds, iterations: 2)
        var inside = SoftMask(width: part.width, height: part.height)
        var open = (0..<cut.count).map { cut.bytes[$0] != 0 }
        let cores = open.indices.filter { prior.labels[$0] == .object }
        for at in ConnectedCells.flood(from: cores.isEmpty ? Array(open.indices) : cores, through: &open, columns: inside.width) {
            inside.values[at] = 1
        }
        return inside.placed(at: prior.box, width: tones.width, height: tones.height)
    }

    /// Log-odds from the barrier between each pixel and the background: the rim of the part, where that is not the subject's own, and what is known.
    private func rimOdds(_ prior: SubjectPrior, _ part: Raster) -> [Float] {
        let (width, height) = (part.width, part.height)
        let seeds = Raster(width: width, height: height)
        var cores: [Float] = []
        for y in 0..<height {
            for x in 0..<width {
                let at = y * width + x
                // The lower edge cuts people off, the upper one their hair: there only what is surely beside is background.
                let isSide = (x == 0 || x == width - 1) && prior.odds[at] < 1.5
                let isRim = isSide || y == 0 && prior.odds[at] < -0.3 || y == height - 1 && prior.odds[at] < -2
                if isRim && prior.labels[at] != .object || prior.isBackground[at] { seeds.bytes[at] = 255 }
            }
        }
        guard (0..<seeds.count).contains(where: { seeds.bytes[$0] != 0 }) else { return prior.odds.map { _ in 0 } }
        let barriers = part.barriers(from: [seeds])[0]
        let isCertain = prior.labels.contains(.object)
        for at in barriers.indices where isCertain ? prior.labels[at] == .object : prior.odds[at] > 0 { cores.append(barriers[at]) }
        cores.sort()
        let core = cores.isEmpty ? Self.levels.upperBound : Self.level * cores[cores.count / 2]
        let level = min(max(core, Self.levels.lowerBound), Self.levels.upperBound)
        return barriers.indices.map { at in
            min(max(Self.most * (barriers[at] / level - 1), -Self.most), Self.most)
        }
    }
}

extension Raster {
    /// A copy of a part.
    fileprivate func cropped(to box: PixelBox) -> Raster {
        let result = Raster(width: box.width, height: box.height, channels: channels)
        for y in 0..<box.height { result.pixel(0, y).update(from: pixel(box.x, box.y + y), count: box.width * channels) }
        return result
    }
}

extension SoftMask {
    /// This mask of a part of a picture as one of the whole.
    fileprivate func placed(at box: PixelBox, width: Int, height: Int) -> SoftMask {
        var whole = SoftMask(width: width, height: height)
        for y in 0..<box.height {
            for x in 0..<box.width { whole.values[(box.y + y) * width + box.x + x] = values[y * box.width + x] }
        }
        return whole
    }
}
