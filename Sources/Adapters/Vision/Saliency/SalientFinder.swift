import Foundation
import Pipeline

/// Finds the object around a tapped point: several ways propose a region, a judge weighs them.
///
/// Proposals: what hangs together in disparity without the ground; what the picture's rim cannot reach without crossing an edge, and what the
/// tap can (minimum barrier distance); and cuts by colour and disparity that start from discs around the tap.
/// Works on 128 pixels of width, fewer when the picture is narrow.
struct SalientFinder {
    static let width = 128
    /// Cuts are made at this share of that size, which changes little but what they cost.
    private static let cutShare = 0.625
    let colours: Raster
    let depth: DepthGrid
    let width: Int
    let height: Int
    /// Colours, or colours and depth where there is any.
    private let tones: Raster
    private let cutter: Cutter
    /// The barrier between the picture's rim and each pixel, and the highest of them but for specks.
    private let rim: [Float]
    private let highest: Float

    init(picture: ReducedPicture, disparity: DisparityMap) throws(VisionError) {
        // However narrow or flat the picture, the work stays that of one 9:16.
        let scale = min(Double(Self.width) / picture.width, Double(Self.width) * 16 / 9 / picture.height)
        let (width, height) = (max(16, Int((picture.width * scale).rounded())), max(16, Int((picture.height * scale).rounded())))
        self.width = width
        self.height = height
        colours = try Raster.bgr(luma: picture.luma, chroma: picture.chroma, width: width, height: height)
        depth = DepthGrid(disparity, width: width, height: height)
        let mixed = depth.spread > 0 ? try colours.mixed(withDepth: depth.nearness()) : nil
        cutter = try Cutter((mixed ?? colours).shrunk(Self.cutShare))
        if let mixed { tones = mixed } else { tones = try colours.lab() }
        rim = tones.barriers(from: [Raster.where(width, height) { x, y in x == 0 || y == 0 || x == width - 1 || y == height - 1 }])[0]
        highest = max(rim.sorted()[rim.count * 199 / 200], 1)
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
        // Cuts take the longest: they are made on the other core.
        let task = ConcurrentTask { () throws(VisionError) in try cuts(x, y) }
        defer { task.join() }
        let taps = [(0, 0), (-3, 0), (3, 0), (0, -3), (0, 3)].map { dx, dy in (min(max(x + dx, 0), width - 1), min(max(y + dy, 0), height - 1)) }
        let reached = tones.barriers(
            from: taps.map { x, y in Raster.where(width, height) { ($0 - x) * ($0 - x) + ($1 - y) * ($1 - y) <= 4 } })
        let shifts = try taps.indices.map { index throws(VisionError) in try regions(taps[index].0, taps[index].1, reached: reached[index]) }
        var proposals: [SalientProposal] = []
        for (index, region) in shifts[0].enumerated() {
            guard var region else { continue }
            region.stability = shifts.dropFirst().map { $0[index].map { $0.bounds.overlap(region.bounds) } ?? 0 }.reduce(0, +) / 4
            proposals.append(region)
        }
        return proposals + (try task.value())
    }

    /// Regions around one tap without cutting, always in the same order; `reached` is the barrier distance of each pixel from the tap.
    private func regions(_ x: Int, _ y: Int, reached: [Float]) throws(VisionError) -> [SalientProposal?] {
        var found: [SalientProposal?] = []
        for tolerance in [0.04, 0.08, 0.15] where depth.spread > 0 { found.append(try region(x, y, depth.component(x, y, tolerance: tolerance))) }
        var around: [Float] = []
        for j in max(0, y - 1)...min(height - 1, y + 1) { for i in max(0, x - 1)...min(width - 1, x + 1) { around.append(rim[j * width + i]) } }
        around.sort()
        let level = max(min(around[around.count / 2], highest), 0.2 * highest)
        for share in [0.25, 0.4, 0.55, 0.7, 0.85] as [Float] {
            found.append(try region(x, y, Raster.where(width, height) { min(rim[$1 * width + $0], highest) > share * level }))
        }
        for share in [0.35, 0.5, 0.7, 1, 1.4] as [Float] {
            found.append(try region(x, y, Raster.where(width, height) { reached[$1 * width + $0] < share * rim[$1 * width + $0] }))
        }
        return found
    }

    /// Cuts from discs around the tap. Each is like the one before, so that it takes less time.
    private func cuts(_ x: Int, _ y: Int) throws(VisionError) -> [SalientProposal] {
        try [0.5, 0.35, 0.2, 0.1].map { radius throws(VisionError) in
            let mask = try cutter.cut(labels(x, y, radius: radius * Double(height)), iterations: 2)
            return try region(x, y, mask.enlarged(width, height))
        }.compacted
    }

    private func region(_ x: Int, _ y: Int, _ mask: Raster) throws(VisionError) -> SalientProposal? {
        guard let (bounds, count) = try mask.keepComponent(at: x, y) else { return nil }
        guard count >= 16, bounds.width >= 4, bounds.height >= 4, bounds.area < 0.95 * Double(width * height) else { return nil }
        return SalientProposal(mask: mask, bounds: bounds)
    }

    /// A disc that is probably the object, its middle surely; the picture's rim is surely not.
    private func labels(_ x: Int, _ y: Int, radius: Double) -> Raster {
        let labels = cutter.labels
        let (width, height, x, y) = cutter.place(x, y, of: self.width)
        let radius = radius * Double(width) / Double(self.width)
        for j in 0..<height {
            for i in 0..<width {
                let distance = hypot(Double(i - x), Double(j - y))
                let isRim = i < 1 || j < 1 || i >= width - 1 || j >= height - 1
                let label: CutLabel =
                    if distance < max(1, radius * 0.25) { .object } else if distance < radius {
                        .probablyObject
                    } else if isRim
                        || distance > radius * 3.5
                    { .background } else { .probablyBackground }
                labels.bytes[j * width + i] = label.rawValue
            }
        }
        return labels
    }
}

/// One region that may be the tapped object.
struct SalientProposal {
    let mask: Raster
    /// Pixels of the finder's picture.
    let bounds: CGRect
    /// 0…1: how little a tap three pixels away changes it; a cut's, which is not tried, is as most are.
    var stability = 0.8
}

extension Raster {
    /// A mask: 255 where `isSet` says so of x and y.
    fileprivate static func `where`(_ width: Int, _ height: Int, _ isSet: (Int, Int) -> Bool) -> Raster {
        let mask = Raster(width: width, height: height)
        for y in 0..<height { for x in 0..<width where isSet(x, y) { mask.bytes[y * width + x] = 255 } }
        return mask
    }
}

extension Raster {
    /// This picture at a `share` of its size.
    fileprivate func shrunk(_ share: Double) throws(VisionError) -> Raster {
        let small = Raster(width: Int((Double(width) * share).rounded()), height: Int((Double(height) * share).rounded()), channels: channels)
        try small.fill(reducing: image)
        return small
    }

    /// This mask at another size.
    fileprivate func enlarged(_ width: Int, _ height: Int) -> Raster {
        Raster.where(width, height) { bytes[$1 * self.height / height * self.width + $0 * self.width / width] != 0 }
    }
}

extension [SalientProposal?] {
    fileprivate var compacted: [SalientProposal] { compactMap { $0 } }
}
