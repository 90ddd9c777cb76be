import CoreVideo
import Foundation
import Pipeline
import Synchronization

/// Painter of full pictures: backdrop, sprites by depth, then the sensor model.
final class PicturePainter: FramePainter {
    let repeatsItself = false
    let showsGains = true
    private let world: World
    private let geometry: BackdropGeometry
    private let compositor: Compositor
    private let sprites: Mutex<SpriteShop>
    private let toning = Mutex<(exposure: Exposure, lighting: Lighting, tables: Developer.Tables)?>(nil)
    private let images: CVPixelBufferPool
    private let maps: CVPixelBufferPool

    init(world: World) {
        self.world = world
        geometry = BackdropGeometry(world: world)
        compositor = Compositor(
            canvas: Canvas(width: world.width, height: world.height), backdrop: Backcloth(world: world, geometry: geometry), geometry: geometry)
        sprites = Mutex(SpriteShop(world: world))
        images = CVPixelBufferPool(width: world.width, height: world.height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        maps = CVPixelBufferPool(width: world.width, height: world.height, pixelFormat: kCVPixelFormatType_DisparityFloat32)
    }

    func paint(_ moment: Moment, frame: Int, exposure: Exposure, lighting: Lighting) -> Painting {
        let map = DisparityMap(buffer: maps.makeBuffer(), isMetric: true)
        let layers = layers(at: moment)
        compositor.paint(layers, shift: moment.shift) { map.row($0) }
        let image = developed(moment, frame: frame, exposure: exposure, lighting: lighting, map: map, eye: "left")
        guard world.stereoBaseline != nil else { return Painting(image: image, rightImage: nil, disparity: map) }
        let right = DisparityMap(buffer: maps.makeBuffer())
        compositor.paint(layers, shift: moment.shift, parallax: world.parallax) { right.row($0) }
        let rightImage = developed(moment, frame: frame, exposure: exposure, lighting: lighting, map: right, eye: "right")
        return Painting(image: image, rightImage: rightImage, disparity: map)
    }

    /// Picture of the canvas as the sensor sees it; black while the lens is covered.
    private func developed(
        _ moment: Moment, frame: Int, exposure: Exposure, lighting: Lighting, map: DisparityMap, eye: String
    ) -> CVPixelBuffer {
        let image = images.makeBuffer()
        if moment.isCovered {
            for (index, value) in [UInt8(16), 128].enumerated() {
                let plane = image.plane(index)
                for y in 0..<plane.height { plane.row(y, as: UInt8.self).update(repeating: value, count: plane.width * (index + 1)) }
            }
        } else {
            let stream = HashStream(seed: world.seed, "sensor/" + eye).substream(frame)
            let developer = Developer(
                tables: tables(exposure: exposure, lighting: lighting), exposure: exposure, lighting: lighting, stream: stream)
            developer.develop(compositor.canvas, into: image) { map.row($0) }
        }
        return image
    }

    /// Light and exposure seldom change from one frame to the next.
    private func tables(exposure: Exposure, lighting: Lighting) -> Developer.Tables {
        toning.withLock { toning in
            if let toning, toning.exposure == exposure, toning.lighting == lighting { return toning.tables }
            let tables = Developer.Tables(exposure: exposure, lighting: lighting)
            toning = (exposure, lighting, tables)
            return tables
        }
    }

    /// Layers of the moment without the backdrop, farthest first; a subject covers a light and the table's edge at its own depth.
    private func layers(at moment: Moment) -> [Layer] {
        var layers = world.backdrop.lights.map { light in
            Layer(
                content: .light(
                    center: CGPoint(
                        x: (light.position.x + moment.shift.x) * Double(world.width), y: (light.position.y + moment.shift.y) * Double(world.height)),
                    radius: light.diameter / 2 * Double(world.width),
                    color: SIMD3(Float(light.red), Float(light.green), Float(light.blue))), disparity: 1 / light.depth)
        }
        if let table = world.backdrop.table { layers.append(Layer(content: .table, disparity: 1 / table.depth)) }
        sprites.withLock { shop in
            for actor in moment.actors { layers += shop.layers(for: actor, at: moment.time) }
        }
        let order = layers.indices.sorted { (layers[$0].disparity, $0) < (layers[$1].disparity, $1) }
        return order.map { layers[$0] }
    }
}
