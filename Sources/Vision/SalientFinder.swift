import Foundation
import Pipeline

/// Finds the object around a tapped point: several ways propose a region, one judge chooses.
///
/// Proposals: what hangs together in disparity, what hangs together in colour, and GrabCut from discs around the point or
/// from the disparity region. Works on 160 pixels of width.
struct SalientFinder {
    static let width = 160
    let colours: Raster
    let edges: Raster
    let depth: DepthGrid
    let width: Int
    let height: Int

    init(picture: ReducedPicture, disparity: DisparityMap) throws(VisionError) {
        width = Self.width
        height = max(16, Int((Double(Self.width) * picture.height / picture.width).rounded()))
        colours = try Raster.bgr(luma: picture.luma, chroma: picture.chroma, width: width, height: height)
        edges = try colours.edges()
        depth = DepthGrid(disparity, width: width, height: height)
    }

    /// The box (0…1) of the object at `point` (0…1) and how sure that is; nil when nothing stands out.
    func object(at point: CGPoint) throws(VisionError) -> (box: CGRect, confidence: Double)? {
        let proposals = try self.proposals(at: point)
        let judge = SalientJudge(finder: self, proposals: proposals)
        guard let (index, score) = judge.best(), score >= SalientJudge.enough else { return nil }
        let box = proposals[index].bounds
        return (
            CGRect(
                x: box.minX / Double(width), y: box.minY / Double(height), width: box.width / Double(width), height: box.height / Double(height)),
            min(max(score, 0), 1)
        )
    }

    /// Every region that is worth a look, the smallest and largest ones left out.
    func proposals(at point: CGPoint) throws(VisionError) -> [SalientProposal] {
        let x = min(max(Int(point.x * Double(width)), 0), width - 1)
        let y = min(max(Int(point.y * Double(height)), 0), height - 1)
        var proposals: [SalientProposal] = []
        func add(_ origin: SalientProposal.Origin, _ mask: Raster) throws(VisionError) {
            guard let (bounds, count) = try mask.keepComponent(at: x, y) else { return }
            guard count >= 24, bounds.width >= 4, bounds.height >= 4, bounds.area < 0.95 * Double(width * height) else { return }
            proposals.append(SalientProposal(origin: origin, mask: mask, bounds: bounds, count: count))
        }
        for tolerance in [0.04, 0.08, 0.15] where depth.spread > 0 {
            let mask = depth.component(x, y, tolerance: tolerance)
            try add(.depth, mask)
            if tolerance == 0.08, let seed = proposals.last, seed.origin == .depth {
                try add(.depthCut, colours.grabCut(labels(around: seed.mask)))
            }
        }
        for tolerance in [7, 12, 20] { try add(.flood, try colours.flood(x, y, tolerance: tolerance)) }
        for radius in [0.1, 0.2, 0.35] { try add(.cut, try colours.grabCut(labels(x, y, radius: radius * Double(height)))) }
        return proposals
    }

    /// A disc that is probably the object, its middle surely; the picture's rim is surely not.
    private func labels(_ x: Int, _ y: Int, radius: Double) -> Raster {
        let labels = Raster(width: width, height: height)
        for j in 0..<height {
            for i in 0..<width {
                let distance = hypot(Double(i - x), Double(j - y))
                let label: CutLabel =
                    if distance < max(2, radius * 0.25) { .object } else if distance < radius {
                        .probablyObject
                    } else if i < 2 || j < 2 || i >= width - 2
                        || j >= height - 2 || distance > radius * 3.5
                    { .background } else { .probablyBackground }
                labels.bytes[j * width + i] = label.rawValue
            }
        }
        return labels
    }

    /// What surrounds a region by up to 6 pixels is open, the rest is not the object.
    private func labels(around mask: Raster) -> Raster {
        let labels = Raster(width: width, height: height)
        let reach = 6
        for j in 0..<height {
            for i in 0..<width {
                if mask.bytes[j * width + i] != 0 {
                    labels.bytes[j * width + i] = CutLabel.probablyObject.rawValue
                    continue
                }
                var near = false
                for (di, dj) in [(-reach, 0), (reach, 0), (0, -reach), (0, reach), (-3, -3), (3, 3), (3, -3), (-3, 3)] {
                    let (a, b) = (i + di, j + dj)
                    if a >= 0, b >= 0, a < width, b < height, mask.bytes[b * width + a] != 0 { near = true }
                }
                labels.bytes[j * width + i] = (near ? CutLabel.probablyBackground : .background).rawValue
            }
        }
        return labels
    }
}

/// One region that may be the tapped object.
struct SalientProposal {
    enum Origin: Int { case depth, depthCut, flood, cut }

    let origin: Origin
    let mask: Raster
    /// Pixels of the 160-pixel picture.
    let bounds: CGRect
    let count: Int
}
