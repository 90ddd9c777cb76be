import CoreVideo
import Foundation
import Pipeline
import Support

extension LayeredScene {
    /// Share of the way from what is behind to a subject just outside of its outline, and pixels in which it falls to nothing: the hands and the hair that
    /// a mask misses lie there, and are nearly as sharp as the subject. `known` of them where the background is seen.
    private static let (feather, reach, known): (Float, Float, Float) = (0.8, 10, 3)
    /// Most of those pixels, as a share of the side of a square as large as the mask: hands are as small as the person is.
    private static let relativeReach: Float = 0.3
    /// Nearness of what stands on the ground, as a share of the way from what is far to the ground at its foot: the horizon is a guess, mostly too high, and
    /// what stands behind somebody is not to be as sharp. Rows in which ground becomes what stands on it.
    private static let (standing, foundation) = (0.2, 2.0)

    /// One layer of the map.
    fileprivate struct Layer {
        var disparity: Double
        var presence: Double
        var mask: SoftMask
        /// The same in a larger picture.
        var detail: SoftMask
        /// Outline of a person whose face is seen, in pixels of the map.
        var silhouette: PersonSilhouette?
        /// Box of its detection, in pixels of the mask; nil of people.
        var box: CGRect?
    }

    /// A map of the picture that was taken in last, as large as its guide, with `people` in it; `graphics` are as near as the nearest. Its confidence is where
    /// layers are: a box that a subject fills in part has the subject's disparity.
    func map(of picture: ScenePicture, people: PersonList, before graphics: SoftMask? = nil) -> DisparityMap {
        let (composed, layers) = composed(people.people, people.disparities, in: picture)
        var values = composed
        if let graphics, let nearest = values.indices.lazy.filter({ layers[$0] }).map({ values[$0] }).max() {
            for at in values.indices where graphics.values[at] > 0 { values[at] = nearest }
        }
        let (width, height) = (picture.guide.width, picture.guide.height)
        let confidence = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_OneComponent8)
        for y in 0..<height {
            let row = confidence.plane(0).row(y, as: UInt8.self)
            for x in 0..<width { row[x] = layers[y * width + x] ? 255 : 0 }
        }
        return DisparityMap(values, width: width, height: height, confidence: confidence)
    }

    /// The ground, rising around every layer, and before it every layer, farthest first; and where layers are.
    private func composed(
        _ people: [PersonList.Person], _ disparities: [Double], in picture: ScenePicture
    ) -> (values: [Float], layers: [Bool]) {
        let (width, height) = (picture.guide.width, picture.guide.height)
        let layers = layers(of: people, disparities, in: picture)
        var values = surroundings(of: layers, relief(in: picture.luma)).enlarged(width: width, height: height).values
        values.withUnsafeMutableBufferPointer { values in
            for y in 0..<height {
                let (row, plane) = (values.baseAddress! + y * width, plane(at: y, of: height))
                for x in 0..<width { row[x] += plane }
            }
        }
        // Masks are enlarged side by side.
        let tasks = layers.sorted(by: { $0.disparity < $1.disparity }).compactMap { layer in
            layer.rows(of: height).map { (layer, $0, Self.alpha(of: layer, in: picture.guide)) }
        }
        defer { tasks.forEach { $0.2.join() } }
        var known = [Bool](repeating: false, count: width * height)
        for (layer, rows, task) in tasks {
            let alpha = task.value()
            let (near, presence) = (Float(layer.disparity), Float(layer.presence))
            values.withUnsafeMutableBufferPointer { values in
                alpha.withUnsafeBufferPointer { alpha in
                    for at in rows.lowerBound * width..<rows.upperBound * width {
                        values[at] += (near - values[at]) * alpha[at] * presence
                        if alpha[at] >= 0.5 { known[at] = true }
                    }
                }
            }
        }
        for layer in layers { layer.markFocus(in: &values, &known, of: picture.guide) }
        return (values, known)
    }

    /// Whatever is there.
    private func layers(of people: [PersonList.Person], _ disparities: [Double], in picture: ScenePicture) -> [Layer] {
        let persons = zip(people, disparities).compactMap { person, disparity -> Layer? in
            guard let mask = person.cutout.mask, let detail = person.cutout.detail else { return nil }
            let silhouette = person.isSeen ? person.silhouette(in: picture.guide) : nil
            return Layer(disparity: disparity, presence: person.presence, mask: mask, detail: detail, silhouette: silhouette)
        }
        let objects = zip(things.things, things.disparities).compactMap { thing, disparity -> Layer? in
            guard let disparity, let mask = thing.cutout.mask, let detail = thing.cutout.detail else { return nil }
            return Layer(disparity: disparity, presence: thing.presence, mask: mask, detail: detail, box: thing.box)
        }
        return (persons + objects).filter { $0.presence > 0 }
    }

    /// Disparity of the ground in a row of a map, 1/m.
    private func plane(at row: Int, of height: Int) -> Float { Float(ground.disparity(at: (Double(row) + 0.5) / Double(height))) }

    /// Height of what stands on the ground above the ground plane in disparity, 1/m: negative where the plane lies before it.
    private func relief(in small: Raster) -> SoftMask {
        var relief = SoftMask(width: small.width, height: small.height)
        guard boundary.certainty > 0 else { return relief }
        let planes = (0..<relief.height).map { plane(at: $0, of: relief.height) }
        let far = ground.disparity(at: 0)
        for (x, row) in boundary.rows.enumerated() {
            let upright = far + Self.standing * (ground.disparity(at: row / Double(relief.height)) - far)
            for y in 0..<min(Int(row.rounded(.up)) + 1, relief.height) {
                let share = min(max((row - Double(y) - 0.5) / Self.foundation + 0.5, 0), 1) * boundary.certainty
                relief.values[y * relief.width + x] = (Float(upright) - planes[y]) * Float(share)
            }
        }
        // Whatever has just been found is measured in the middle of its box, before its layer is there.
        for thing in things.things where thing.presence < 1 {
            guard let box = thing.box, let pixels = PixelBox(box, in: small) else { continue }
            let (place, margin, lack) = (box.innerHalf, min(box.width, box.height) / 4, 1 - pow(thing.presence, 3))
            for y in pixels.y..<pixels.y + pixels.height {
                for x in pixels.x..<pixels.x + pixels.width {
                    let beside = place.distance(to: CGPoint(x: Double(x) + 0.5, y: Double(y) + 0.5)) / margin
                    if beside < 1 { relief.values[y * relief.width + x] *= Float(1 - lack * (1 - beside)) }
                }
            }
        }
        return relief
    }

    /// Height of what is behind the layers, and of its rise around them, above the ground plane in disparity, 1/m.
    private func surroundings(of layers: [Layer], _ relief: SoftMask) -> SoftMask {
        var rise = SoftMask(width: relief.width, height: relief.height)
        let (behind, told) = (background.seen ?? rise, background.told ?? rise)
        for layer in layers {
            let (distance, presence) = (layer.mask.distance(), Float(layer.presence))
            let most = Self.relativeReach * Float(layer.mask.area * Double(rise.values.count)).squareRoot()
            let (reach, known) = (min(Self.reach, most), min(Self.known, most))
            for y in 0..<rise.height {
                let above = Float(layer.disparity) - plane(at: y, of: rise.height)
                for x in 0..<rise.width {
                    let at = y * rise.width + x
                    let reach = reach + (known - reach) * behind.values[at]
                    let share = Self.feather * (1 - distance[at] / reach) * (1 - told.values[at])
                    if share > 0 { rise.values[at] = max(rise.values[at], (above - relief.values[at]) * share * presence) }
                }
            }
        }
        for at in rise.values.indices { rise.values[at] += relief.values[at] }
        return rise
    }

    /// A layer's mask for the map. Its outermost pixels, where several of the map's lie in one, are left to what is behind, which is in half of them. A face
    /// that is seen is there as its box says, to the pixel: what is beside a profile within it, now of the mask and now of what is behind, would flicker.
    private static func alpha(of layer: Layer, in guide: Raster) -> ConcurrentTask<[Float], Never> {
        ConcurrentTask {
            let mask = layer.detail.width < guide.width ? layer.detail.eroded() : layer.detail
            var alpha = mask.enlarged(width: guide.width, height: guide.height).values
            // Doubled contrast leaves nothing of a far side.
            for at in alpha.indices { alpha[at] = min(max(2 * alpha[at] - 0.5, 0), 1) }
            layer.silhouette?.markHead(in: &alpha, of: guide)
            return alpha
        }
    }
}

extension CGRect {
    /// Distance of a point from it; 0 inside.
    fileprivate func distance(to point: CGPoint) -> Double {
        hypot(max(minX - point.x, point.x - maxX, 0), max(minY - point.y, point.y - maxY, 0))
    }
}

extension LayeredScene.Layer {
    /// Share of the middle of a box of which a mask must have less for a spot to be marked there in full, and to be marked at all.
    private static let (lost, seen) = (0.15, 0.3)
    /// Pixels in which a spot falls to nothing.
    private static let rim = 3.0

    /// Marks a spot in the middle of the box of a thing where hardly any mask is, as of a spout or of a stick: focus is measured about there.
    fileprivate func markFocus(in values: inout [Float], _ known: inout [Bool], of guide: Raster) {
        guard let box else { return }
        let (width, scale) = (guide.width, (x: Double(guide.width) / Double(mask.width), y: Double(guide.height) / Double(mask.height)))
        let whole = CGRect(x: box.minX * scale.x, y: box.minY * scale.y, width: box.width * scale.x, height: box.height * scale.y)
        let place = whole.innerHalf
        guard let part = PixelBox(place.insetBy(dx: -Self.rim, dy: -Self.rim), in: guide) else { return }
        let spot = place.innerHalf
        var (there, all) = (0, 0)
        for y in part.y..<part.y + part.height {
            for x in part.x..<part.x + part.width where place.contains(CGPoint(x: Double(x) + 0.5, y: Double(y) + 0.5)) {
                all += 1
                if known[y * width + x] { there += 1 }
            }
        }
        let share = Double(there) / Double(max(all, 1))
        guard share < Self.seen else { return }
        let strength = min((Self.seen - share) / (Self.seen - Self.lost), 1) * presence
        for y in part.y..<part.y + part.height {
            for x in part.x..<part.x + part.width {
                let (at, beside) = (y * width + x, spot.distance(to: CGPoint(x: Double(x) + 0.5, y: Double(y) + 0.5)) / Self.rim)
                guard beside < 1, !known[at] else { continue }
                values[at] += (Float(disparity) - values[at]) * Float(strength * (1 - beside))
                if beside == 0, share < Self.lost { known[at] = true }
            }
        }
    }

    /// Rows of a map that its soft edge may reach; nil where the mask is empty.
    fileprivate func rows(of height: Int) -> Range<Int>? {
        let margin = 5
        let used = (0..<mask.height).filter { row in mask.values[row * mask.width..<(row + 1) * mask.width].contains { $0 > 0.02 } }
        guard let first = used.first, let last = used.last else { return nil }
        return max((first - margin) * height / mask.height, 0)..<min((last + 1 + margin) * height / mask.height + 1, height)
    }
}
