import CoreVideo
import Foundation
import Pipeline

/// Grey pictures and small, rough disparity maps: all that logic needs.
final class PlainPainter: FramePainter {
    private let world: World
    private let geometry: BackdropGeometry
    private let grey: CVPixelBuffer
    private let black: CVPixelBuffer
    private let pool: CVPixelBufferPool

    init(world: World) {
        self.world = world
        geometry = BackdropGeometry(world: world)
        grey = Self.plain(width: world.width, height: world.height, luma: 110)
        black = Self.plain(width: world.width, height: world.height, luma: 16)
        let width = min(world.width, 160)
        pool = CVPixelBufferPool(
            width: width, height: max(width * world.height / world.width, 1), pixelFormat: kCVPixelFormatType_DisparityFloat32)
    }

    func paint(_ moment: Moment, frame: Int, exposure: Exposure) -> Painting {
        let map = DisparityMap(buffer: pool.makeBuffer(), isMetric: true)
        let silhouettes = moment.actors.map { Silhouette(actor: $0, aspect: Double(world.width) / Double(world.height)) }
        let edge = geometry.table.map { 1 / $0.depth } ?? .infinity
        let tableTop = geometry.tableTop ?? .infinity
        for row in 0..<map.height {
            let y = (Double(row) + 0.5) / Double(map.height)
            let line = map.row(row)
            line.update(repeating: Float(geometry.disparity(at: y - moment.shift.y)), count: map.width)
            for silhouette in silhouettes where silhouette.disparity < edge { fill(silhouette, line, y: y, width: map.width) }
            if y - moment.shift.y >= tableTop {
                line.update(repeating: Float(geometry.tableDisparity(at: y - moment.shift.y)), count: map.width)
            }
            for silhouette in silhouettes where silhouette.disparity >= edge { fill(silhouette, line, y: y, width: map.width) }
        }
        let image = moment.isCovered ? black : grey
        return Painting(image: image, rightImage: world.stereoBaseline == nil ? nil : image, disparity: map)
    }

    private func fill(_ silhouette: Silhouette, _ line: UnsafeMutablePointer<Float>, y: Double, width: Int) {
        for x in 0..<width where silhouette.contains((Double(x) + 0.5) / Double(width), y) { line[x] = Float(silhouette.disparity) }
    }

    static func plain(width: Int, height: Int, luma: UInt8) -> CVPixelBuffer {
        let image = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        for (index, value) in [luma, 128].enumerated() {
            let plane = image.plane(index)
            for y in 0..<plane.height { plane.row(y, as: UInt8.self).update(repeating: value, count: plane.bytesPerRow) }
        }
        return image
    }
}
