import CoreVideo
import Foundation
import Pipeline
import Synchronization

/// Painter without pixels: grey pictures and small, rough disparity maps, all that focus logic needs.
final class PlainPainter: FramePainter {
    let repeatsItself = true
    let showsGains = false
    private let world: World
    private let geometry: BackdropGeometry
    private let grey: CVPixelBuffer
    private let black: CVPixelBuffer
    private let pool: CVPixelBufferPool

    init(world: World) {
        self.world = world
        geometry = BackdropGeometry(world: world)
        grey = PlainPictures.picture(width: world.width, height: world.height, luma: 110)
        black = PlainPictures.picture(width: world.width, height: world.height, luma: 16)
        let width = min(world.width, 160)
        pool = CVPixelBufferPool(
            width: width, height: max(width * world.height / world.width, 1), pixelFormat: kCVPixelFormatType_DisparityFloat32)
    }

    func paint(_ moment: Moment, frame: Int, exposure: Exposure, lighting: Lighting) -> Painting {
        let map = DisparityMap(buffer: pool.makeBuffer(), isMetric: true)
        let silhouettes = moment.actors.map { Silhouette(actor: $0, aspect: Double(world.width) / Double(world.height)) }
        let edge = geometry.table.map { 1 / $0.depth } ?? .infinity
        let tableTop = geometry.tableTop ?? .infinity
        for row in 0..<map.height {
            let y = (Double(row) + 0.5) / Double(map.height) - moment.shift.y
            map.row(row).update(repeating: Float(geometry.disparity(at: y)), count: map.width)
        }
        for silhouette in silhouettes where silhouette.disparity < edge { fill(silhouette, map) }
        if tableTop < .infinity {
            for row in 0..<map.height {
                let y = (Double(row) + 0.5) / Double(map.height) - moment.shift.y
                if y >= tableTop { map.row(row).update(repeating: Float(geometry.tableDisparity(at: y)), count: map.width) }
            }
        }
        for silhouette in silhouettes where silhouette.disparity >= edge { fill(silhouette, map) }
        let image = moment.isCovered ? black : grey
        return Painting(image: image, rightImage: world.stereoBaseline == nil ? nil : image, disparity: map)
    }

    private func fill(_ silhouette: Silhouette, _ map: DisparityMap) {
        let value = Float(silhouette.disparity)
        let (width, height) = (map.width, map.height)
        for shape in silhouette.shapes {
            let box = shape.bounds
            guard box.width > 0, box.height > 0, box.maxX > 0, box.minX < 1, box.maxY > 0, box.minY < 1 else { continue }
            // One row more at either end; the exact test is in `columns`.
            let first = max(Int(max(box.minY, 0) * Double(height)) - 1, 0)
            let last = min(Int(min(box.maxY, 1) * Double(height)) + 1, height - 1)
            var straight: Range<Int>?
            for row in stride(from: first, through: last, by: 1) {
                let section = shape.section(at: (Double(row) + 0.5) / Double(height))
                if case .nothing = section { continue }
                guard let columns = straight ?? section.columns(of: width) else { continue }
                if case .between = section { straight = columns }
                (map.row(row) + columns.lowerBound).update(repeating: value, count: columns.count)
            }
        }
    }
}

extension Silhouette.Section {
    /// Pixels of a row, `width` in all, whose middles lie in the section.
    fileprivate func columns(of width: Int) -> Range<Int>? {
        let (left, right): (Double, Double)
        switch self {
        case .nothing: return nil
        case .between(let first, let end): (left, right) = (first, end)
        case .chord(let middle, let breadth, let height):
            let half = breadth * max(0.25 - height, 0).squareRoot()
            (left, right) = (middle - half, middle + half)
        }
        func holds(_ x: Int) -> Bool { contains((Double(x) + 0.5) / Double(width)) }
        // Rounding may be one off at either end; the exact test decides.
        var first = max(Int((max(left, 0) * Double(width)).rounded(.down)) - 1, 0)
        var last = min(Int(min(right, 1) * Double(width)) + 1, width - 1)
        while first <= last, !holds(first) { first += 1 }
        while last >= first, !holds(last) { last -= 1 }
        return first <= last ? first..<last + 1 : nil
    }
}

/// Uniform pictures; nothing writes into them, so all stages of a process share the latest few.
private enum PlainPictures {
    private static let made = Mutex<[(luma: UInt8, picture: CVPixelBuffer)]>([])

    static func picture(width: Int, height: Int, luma: UInt8) -> CVPixelBuffer {
        made.withLock { made in
            if let known = made.first(where: { $0.luma == luma && $0.picture.size == (width, height) }) { return known.picture }
            let picture = paint(width: width, height: height, luma: luma)
            made = made.suffix(7) + [(luma, picture)]
            return picture
        }
    }

    private static func paint(width: Int, height: Int, luma: UInt8) -> CVPixelBuffer {
        let image = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        for (index, value) in [luma, 128].enumerated() {
            let plane = image.plane(index)
            for y in 0..<plane.height { plane.row(y, as: UInt8.self).update(repeating: value, count: plane.bytesPerRow) }
        }
        return image
    }
}
