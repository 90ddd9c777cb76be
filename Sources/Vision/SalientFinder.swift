import Foundation
import Pipeline

/// Finds the object around a tapped point: several ways propose a region, a judge weighs them.
///
/// Proposals: what hangs together in disparity without the ground, and GrabCut, by colour and disparity, from discs around the point,
/// from the disparity region, and of all that is not the picture's rim. Works on 160 pixels of width, fewer when the picture is narrow.
struct SalientFinder {
    static let width = 160
    let colours: Raster
    /// What is cut by: colours, or colours and depth where there is any.
    private let cutting: Raster
    let edges: Raster
    let depth: DepthGrid
    let width: Int
    let height: Int

    init(picture: ReducedPicture, disparity: DisparityMap) throws(VisionError) {
        // However narrow or flat the picture, the work stays that of one 9:16.
        let scale = min(Double(Self.width) / picture.width, Double(Self.width) * 16 / 9 / picture.height)
        width = max(16, Int((picture.width * scale).rounded()))
        height = max(16, Int((picture.height * scale).rounded()))
        colours = try Raster.bgr(luma: picture.luma, chroma: picture.chroma, width: width, height: height)
        edges = try colours.edges()
        depth = DepthGrid(disparity, width: width, height: height)
        cutting = depth.spread > 0 ? try colours.mixed(withDepth: depth.nearness()) : colours
    }

    /// The box (0…1) of the object at `point` (0…1) and how sure that is; nil when nothing stands out.
    func object(at point: CGPoint) throws(VisionError) -> (box: CGRect, confidence: Double)? {
        let proposals = try self.proposals(at: point)
        guard let (box, confidence) = SalientJudge(finder: self, proposals: proposals, tap: point).verdict() else { return nil }
        return (
            CGRect(
                x: box.minX / Double(width), y: box.minY / Double(height), width: box.width / Double(width), height: box.height / Double(height)),
            confidence
        )
    }

    /// Every region that is worth a look, the smallest and largest ones left out.
    func proposals(at point: CGPoint) throws(VisionError) -> [SalientProposal] {
        let x = min(max(Int(point.x * Double(width)), 0), width - 1)
        let y = min(max(Int(point.y * Double(height)), 0), height - 1)
        var proposals: [SalientProposal] = []
        func add(_ mask: Raster) throws(VisionError) -> Bool {
            guard let (bounds, count) = try mask.keepComponent(at: x, y) else { return false }
            guard count >= 24, bounds.width >= 4, bounds.height >= 4, bounds.area < 0.95 * Double(width * height) else { return false }
            proposals.append(SalientProposal(mask: mask, bounds: bounds))
            return true
        }
        for tolerance in [0.04, 0.08, 0.15] where depth.spread > 0 {
            let mask = depth.component(x, y, tolerance: tolerance)
            if try add(mask), tolerance == 0.08 { _ = try add(cutting.grabCut(labels(around: mask))) }
        }
        for radius in [0.1, 0.2, 0.35, 0.5] { _ = try add(cutting.grabCut(labels(x, y, radius: radius * Double(height)))) }
        for isStrict in [true, false] { _ = try add(cutting.grabCut(labels(x, y, isStrict: isStrict), iterations: 3)) }
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

    /// All but the rim is probably the object: a narrow rim that surely is not, or a wide one that probably is not.
    private func labels(_ x: Int, _ y: Int, isStrict: Bool) -> Raster {
        let labels = Raster(width: width, height: height)
        let share = isStrict ? 0.04 : 0.15
        let (marginX, marginY) = (max(2, Int(share * Double(width))), max(2, Int(share * Double(height))))
        for j in 0..<height {
            for i in 0..<width {
                let isInside = i >= marginX && j >= marginY && i < width - marginX && j < height - marginY
                let isEdge = i < 2 || j < 2 || i >= width - 2 || j >= height - 2
                let isTap = (i - x) * (i - x) + (j - y) * (j - y) <= 9
                let label: CutLabel =
                    isTap ? .object : (isInside ? .probablyObject : (isStrict || isEdge ? .background : .probablyBackground))
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
    let mask: Raster
    /// Pixels of the 160-pixel picture.
    let bounds: CGRect
}
