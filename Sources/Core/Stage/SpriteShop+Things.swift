import Foundation

extension SpriteShop {
    mutating func pet(_ actor: Actor) -> [Layer] {
        let subject = world.subjects[actor.subject]
        let isDog = actor.kind == .dogHead || actor.kind == .dogBody
        let pet = pets[actor.subject] ?? Pet(name: subject.name, seed: world.seed, texture: subject.texture, isDog: isDog)
        pets[actor.subject] = pet
        let height = Double(world.height)
        var place = Figure.animal(in: actor.box, aspect: aspect)
        let isWhole = actor.kind == .catBody || actor.kind == .dogBody
        if !isWhole {
            let (w, h) = (actor.box.width * aspect, actor.box.height)
            place.isSitting = true
            place.unit = (w * h / Double(2 * Pet.head.halfWidth * (Pet.head.top - Pet.head.bottom))).squareRoot()
            place.x = actor.box.midX * aspect
            place.y = actor.box.midY + Double(Pet.head.top + Pet.head.bottom) / 2 * place.unit
        }
        let (isSitting, scale) = (place.isSitting, place.unit * height)
        let origin = CGPoint(x: place.x * height, y: place.y * height)
        let neck = (isSitting ? Pet.sitting : Pet.standing).neck
        let head = CGPoint(x: origin.x + Double(neck.x) * scale, y: origin.y)
        var layers: [Layer] = []
        if isWhole {
            let half = scale * (isSitting ? 1.7 : 2.9)
            layers.append(shadowLayer(x: origin.x, y: actor.box.maxY * height, halfWidth: half, depth: actor.depth))
        }
        let body = sprite(
            subject: actor.subject, part: isSitting ? .body : .mane, yaw: isSitting ? Self.bodyYaw(actor.yaw) : 0, step: 10, scale: scale,
            bottom: -20,
            look: pet.look
        ) { pet.body(cell: $0, isSitting: isSitting) }
        if let body {
            layers.append(Layer(content: .sprite(body.canvas, frame: body.frame(origin: origin, scale: scale)), disparity: 1 / actor.depth))
        }
        let face = sprite(subject: actor.subject, part: .head, yaw: actor.yaw, step: 2, scale: scale, bottom: -20, look: pet.look) {
            pet.head(cell: $0)
        }
        if let face { layers.append(Layer(content: .sprite(face.canvas, frame: face.frame(origin: head, scale: scale)), disparity: 1 / actor.depth)) }
        return layers
    }

    mutating func prop(_ actor: Actor) -> [Layer] {
        let subject = world.subjects[actor.subject]
        let entry = props[actor.subject] ?? Self.measured(Prop(name: subject.name, seed: world.seed, texture: subject.texture))
        props[actor.subject] = entry
        let (width, height) = (Double(world.width), Double(world.height))
        let scale = min(actor.box.width * width / entry.bounds.width, actor.box.height * height / entry.bounds.height)
        let origin = CGPoint(x: actor.box.midX * width - entry.bounds.midX * scale, y: actor.box.maxY * height + entry.bounds.minY * scale)
        var layers = [
            shadowLayer(x: actor.box.midX * width, y: actor.box.maxY * height, halfWidth: entry.bounds.width * scale * 0.62, depth: actor.depth)
        ]
        let placed = sprite(subject: actor.subject, part: .body, yaw: actor.yaw, step: 3, scale: scale, bottom: -20, look: entry.prop.look) {
            entry.prop.mesh(cell: $0)
        }
        if let placed {
            layers.append(Layer(content: .sprite(placed.canvas, frame: placed.frame(origin: origin, scale: scale)), disparity: 1 / actor.depth))
        }
        return layers
    }

    /// Prop and its extent in units, y up.
    private static func measured(_ prop: Prop) -> (prop: Prop, bounds: CGRect) {
        var (low, high) = (SIMD2<Float>(1e3, 1e3), SIMD2<Float>(-1e3, -1e3))
        for vertex in prop.mesh(cell: 0.12).vertices {
            let p = SIMD2(vertex.position.x, vertex.position.y) * (SpriteRenderer.distance / (SpriteRenderer.distance - vertex.position.z))
            low = pointwiseMin(low, p)
            high = pointwiseMax(high, p)
        }
        return (prop, CGRect(x: Double(low.x), y: Double(low.y), width: Double(high.x - low.x), height: Double(high.y - low.y)))
    }

    /// Contact shadow below a standing thing; too thin to count as a surface in the disparity map.
    private func shadowLayer(x: Double, y: Double, halfWidth: Double, depth: Double) -> Layer {
        let halfHeight = halfWidth * 0.22
        let frame = CGRect(x: x - halfWidth, y: y - halfHeight * 1.25, width: 2 * halfWidth, height: 2 * halfHeight)
        return Layer(content: .sprite(shadow, frame: frame), disparity: 1 / depth)
    }

    static func softShadow() -> Canvas {
        let canvas = Canvas(width: 64, height: 64)
        for index in 0..<64 * 64 {
            let (u, v) = ((Float(index % 64) - 31.5) / 32, (Float(index / 64) - 31.5) / 32)
            let t = max(1 - u * u - v * v, 0)
            canvas.pixels[index] = Packed.color(.zero, fourth: 0.49 * t * t * (3 - 2 * t))
        }
        return canvas
    }
}
