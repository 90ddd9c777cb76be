import Foundation
import Pipeline
import Support

/// Finds the object around a tapped point: several ways propose a region, and where most of them agree the outline is cut out once more, more finely.
///
/// Proposals: what hangs together in disparity without the ground; what the picture's rim cannot reach without crossing an edge, and what the
/// tap can (minimum barrier distance); and cuts by colour and disparity, from discs around the tap and from what barriers and distance say before.
/// Works on 144 pixels of width, fewer when the picture is narrow; the outline is as fine as on 224.
struct SalientFinder {
    static let (width, outlineWidth) = (144, 224)
    let picture: SalientPicture
    let cutter: Cutter
    /// The barrier between the picture's rim and each pixel, and the highest of them but for specks.
    private let rim: [Float]
    private let highest: Float
    /// The picture in which the outline is cut out.
    private let large: SalientPicture

    /// Radii of discs around the tap, in heights of the picture, from which cuts start; of cuts that colours and barriers tell; of cuts that hardly
    /// depend on where the tap is.
    private static let (discs, reaches, softReaches) = ([0.5, 0.35, 0.2, 0.1], [0.6, 0.4, 0.25, 0.15, 0.08], [0.4, 0.2])

    init(picture: ReducedPicture, disparity: DisparityMap) throws(VisionError) {
        self.picture = try SalientPicture(picture, disparity, width: Self.width)
        large = try SalientPicture(picture, disparity, width: Self.outlineWidth)
        cutter = try Cutter(self.picture.tones)
        let (width, height) = (self.picture.width, self.picture.height)
        let isRim = Raster.where(width, height) { x, y in x == 0 || y == 0 || x == width - 1 || y == height - 1 }
        rim = self.picture.tones.barriers(from: [isRim])[0]
        highest = max(rim.sorted()[rim.count * 199 / 200], 1)
    }

    /// The object at `point` (0…1); nil when nothing stands out.
    func object(at point: CGPoint) throws(VisionError) -> SalientObject? {
        let judge = SalientJudge(picture: picture, proposals: try proposals(at: point), tap: point)
        guard let (consensus, confidence) = judge.consensus() else { return nil }
        return try outline(of: consensus, at: point, confidence: confidence)
    }

    /// Cuts the outline out of the larger picture by what most proposals say, and by colour.
    private func outline(of consensus: SoftMask, at point: CGPoint, confidence: Double) throws(VisionError) -> SalientObject? {
        let (width, height) = (large.width, large.height)
        let (x, y) = large.pixel(at: point)
        let cutter = try Cutter(large.tones)
        let labels = cutter.labels
        let shares = consensus.enlarged(width: width, height: height).values
        var prior = [Float](repeating: 0, count: width * height)
        for j in 0..<height {
            for i in 0..<width {
                let share = shares[j * width + i]
                let odds = log((share + 0.03) / (1.03 - share))
                prior[j * width + i] = 3 * odds
                let isTap = abs(i - x) <= 1 && abs(j - y) <= 1
                let label: CutLabel =
                    if isTap || share > 0.97 { .object } else if share < 0.02 { .background } else {
                        odds > 0 ? .probablyObject : .probablyBackground
                    }
                labels.bytes[j * width + i] = label.rawValue
            }
        }
        let mask = try cutter.cut(labels, prior: prior, iterations: 1)
        guard let (bounds, _) = try mask.keepComponent(at: x, y) else { return nil }
        let box = CGRect(
            x: bounds.minX / Double(width), y: bounds.minY / Double(height), width: bounds.width / Double(width),
            height: bounds.height / Double(height))
        return SalientObject(mask: mask, box: box, confidence: confidence)
    }

    /// Every region that is worth a look, the smallest and largest ones left out.
    func proposals(at point: CGPoint) throws(VisionError) -> [SalientProposal] {
        let (x, y) = picture.pixel(at: point)
        let reached = picture.tones.barriers(from: [disc(x, y, radius: 2)])[0]
        // Cuts take the longest: they are made on the other core.
        let task = ConcurrentTask { () throws(VisionError) in try cuts(x, y, reached: reached) }
        defer { task.join() }
        var found: [SalientProposal?] = []
        let depth = picture.depth
        for tolerance in [0.04, 0.08, 0.15] where depth.range > 0 { found.append(try region(x, y, depth.component(x, y, tolerance: tolerance))) }
        let (width, height) = (picture.width, picture.height)
        let level = max(min(median(of: rim, x, y, radius: 1), highest), 0.2 * highest)
        for share in [0.25, 0.4, 0.55, 0.7, 0.85] as [Float] {
            found.append(try region(x, y, Raster.where(width, height) { min(rim[$1 * width + $0], highest) > share * level }))
        }
        for share in [0.7, 1, 1.4] as [Float] {
            found.append(try region(x, y, Raster.where(width, height) { reached[$1 * width + $0] < share * rim[$1 * width + $0] }))
        }
        return found.compactMap { $0 } + (try task.value())
    }

    /// Cuts around the tap, by radius. Each is like the one before, so that it takes less time.
    private func cuts(_ x: Int, _ y: Int, reached: [Float]) throws(VisionError) -> [SalientProposal] {
        var found: [SalientProposal?] = []
        for radius in Self.discs { found.append(try cut(x, y, labels(x, y, radius: radius * Double(picture.height)), prior: nil)) }
        let (byRim, byTap) = (rimOdds(x, y), tapOdds(x, y, reached))
        for radius in Self.reaches {
            let near = nearOdds(x, y, radius: radius * Double(picture.height))
            let prior = byRim.indices.map { 3 * byRim[$0] + 3 * byTap[$0] + 4 * near[$0] }
            found.append(try cut(x, y, labels(x, y, radius: radius * Double(picture.height), prior, byRim), prior: prior))
        }
        for radius in Self.softReaches {
            let near = nearOdds(x, y, radius: radius * Double(picture.height))
            let prior = byRim.indices.map { 2 * byRim[$0] + 2 * near[$0] }
            found.append(try cut(x, y, labels(x, y, radius: radius * Double(picture.height), prior, byRim), prior: prior))
        }
        return found.compactMap { $0 }
    }

    private func cut(_ x: Int, _ y: Int, _ labels: Raster, prior: [Float]?) throws(VisionError) -> SalientProposal? {
        try region(x, y, try cutter.cut(labels, prior: prior, iterations: 2))
    }

    private func region(_ x: Int, _ y: Int, _ mask: Raster) throws(VisionError) -> SalientProposal? {
        guard let (bounds, count) = try mask.keepComponent(at: x, y) else { return nil }
        guard count >= 16, bounds.width >= 4, bounds.height >= 4, bounds.area < 0.95 * Double(mask.count) else { return nil }
        return SalientProposal(mask: mask, bounds: bounds)
    }

    private func disc(_ x: Int, _ y: Int, radius: Int) -> Raster {
        Raster.where(picture.width, picture.height) { ($0 - x) * ($0 - x) + ($1 - y) * ($1 - y) <= radius * radius }
    }

    private func median(of values: [Float], _ x: Int, _ y: Int, radius: Int) -> Float {
        var around: [Float] = []
        for j in max(0, y - radius)...min(picture.height - 1, y + radius) {
            for i in max(0, x - radius)...min(picture.width - 1, x + radius) { around.append(values[j * picture.width + i]) }
        }
        around.sort()
        return around[around.count / 2]
    }
}

// MARK: What is known before colours are looked at

extension SalientFinder {
    /// A disc that is probably the object, its middle surely; the picture's rim is surely not.
    private func labels(_ x: Int, _ y: Int, radius: Double) -> Raster {
        let labels = cutter.labels
        fill(labels) { i, j in
            let distance = hypot(Double(i - x), Double(j - y))
            if distance < max(1, radius * 0.25) { return .object }
            if distance < radius { return .probablyObject }
            return isRim(i, j) || distance > radius * 3.5 ? .background : .probablyBackground
        }
        return labels
    }

    /// Labels by the sign of a prior; certain at the tap, far from it, and at the rim but where the object is likely to touch it.
    private func labels(_ x: Int, _ y: Int, radius: Double, _ prior: [Float], _ byRim: [Float]) -> Raster {
        let (labels, width) = (cutter.labels, picture.width)
        fill(labels) { i, j in
            let distance = hypot(Double(i - x), Double(j - y))
            if distance <= max(1.5, radius * 0.12) { return .object }
            if distance > 4 * radius || isRim(i, j) && byRim[j * width + i] < 0 { return .background }
            return prior[j * width + i] > 0 ? .probablyObject : .probablyBackground
        }
        return labels
    }

    private func fill(_ labels: Raster, _ label: (Int, Int) -> CutLabel) {
        for y in 0..<labels.height { for x in 0..<labels.width { labels.bytes[y * labels.width + x] = label(x, y).rawValue } }
    }

    private func isRim(_ x: Int, _ y: Int) -> Bool { x < 1 || y < 1 || x >= picture.width - 1 || y >= picture.height - 1 }

    /// Log-odds by the barrier to the rim, against that of the tap.
    private func rimOdds(_ x: Int, _ y: Int) -> [Float] {
        let level = min(max(0.45 * median(of: rim, x, y, radius: 3), 12), 60)
        return rim.map { min(max(2.5 * ($0 / level - 1), -2.5), 2.5) }
    }

    /// Log-odds by the barrier to the tap, against that around it.
    private func tapOdds(_ x: Int, _ y: Int, _ reached: [Float]) -> [Float] {
        let level = max(2.5 * median(of: reached, x, y, radius: 5) + 8, 20)
        return reached.map { min(max(1.5 * (1 - $0 / level), -2), 1.5) }
    }

    /// Log-odds by the distance from the tap.
    private func nearOdds(_ x: Int, _ y: Int, radius: Double) -> [Float] {
        let width = picture.width
        return (0..<width * picture.height).map { at in
            let distance = hypot(Double(at % width - x), Double(at / width - y))
            return Float(min(max(1.5 * (1 - pow(distance / radius, 1.2)), -2.5), 1.5))
        }
    }
}

/// Tapped object that was found.
struct SalientObject {
    /// 255 where the object is, 0 elsewhere.
    let mask: Raster
    /// 0…1 of the picture.
    let box: CGRect
    /// 0…1.
    let confidence: Double

    /// Whether a point (0…1) is on it.
    func contains(_ point: CGPoint) -> Bool {
        let (x, y) = (Int(point.x * Double(mask.width)), Int(point.y * Double(mask.height)))
        return x >= 0 && y >= 0 && x < mask.width && y < mask.height && mask.bytes[y * mask.width + x] != 0
    }
}

/// One region that may be the tapped object.
struct SalientProposal {
    let mask: Raster
    /// Pixels of the finder's picture.
    let bounds: CGRect
}

extension Raster {
    /// A mask: 255 where `isSet` says so of x and y.
    fileprivate static func `where`(_ width: Int, _ height: Int, _ isSet: (Int, Int) -> Bool) -> Raster {
        let mask = Raster(width: width, height: height)
        for y in 0..<height { for x in 0..<width where isSet(x, y) { mask.bytes[y * width + x] = 255 } }
        return mask
    }
}
