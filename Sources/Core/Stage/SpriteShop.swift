import Foundation

/// Factory of sprites: each actor's are rendered when first needed and kept while there is room.
struct SpriteShop {
    let world: World
    let aspect: Double
    private var models: [ModelKey: Mesh] = [:]
    private var people: [Int: Person] = [:]
    var pets: [Int: Pet] = [:]
    var props: [Int: (prop: Prop, bounds: CGRect)] = [:]
    let shadow = SpriteShop.softShadow()
    private var cache = SpriteCache(limit: 160 << 20)

    private struct ModelKey: Hashable {
        let subject: Int
        let part: Int
        let grain: Int
    }

    init(world: World) {
        self.world = world
        aspect = Double(world.width) / Double(world.height)
    }

    mutating func layers(for actor: Actor, at time: Int64) -> [Layer] {
        switch actor.kind {
        case .face, .person: person(actor, at: time)
        case .catHead, .catBody, .dogHead, .dogBody: pet(actor)
        case .prop: prop(actor)
        }
    }

    private mutating func person(_ actor: Actor, at time: Int64) -> [Layer] {
        let subject = world.subjects[actor.subject]
        let person = people[actor.subject] ?? Person(name: subject.name, seed: world.seed, texture: subject.texture)
        people[actor.subject] = person
        let layout = FigureLayout(actor: actor, aspect: aspect)
        let (w, h) = (layout.face.width * Double(world.width), layout.face.height * Double(world.height))
        let units = Double((2 * Person.face.halfWidth) * (Person.face.top - Person.face.bottom)).squareRoot()
        let scale = (w * h).squareRoot() / units
        let middle = Double(Person.face.top + Person.face.bottom) / 2
        let origin = CGPoint(x: layout.face.midX * Double(world.width), y: layout.face.midY * Double(world.height) + middle * scale)
        let reach = Float(min((Double(world.height) - origin.y) / scale, 18))
        let bottom = min(-3, -(reach / 2).rounded(.up) * 2 - 1)
        let (bodyYaw, headYaw) = (Self.bodyYaw(actor.yaw), Self.headYaw(actor.yaw))
        // The head turns about a point between neck and face.
        let life = Liveliness(seed: world.seed, name: subject.name, time: time)
        let head = CGPoint(
            x: origin.x + (life.sway.x - 0.2 * sine(degrees: actor.yaw)) * scale, y: origin.y + life.sway.y * scale)
        let face: Part = life.isBlinking && abs(actor.yaw) < 60 ? .blink : .head
        let parts = abs(actor.yaw) < 100 ? [Part.mane, .body, face] : [.body, face, .mane]
        var look = person.look
        look.areEyesOpen = face == .head
        return parts.compactMap { part in
            let build: (Float) -> Mesh? = { cell in
                switch part {
                case .body: person.body(cell: cell * 2)
                case .head: person.head(cell: cell)
                case .blink: person.head(cell: cell, areEyesOpen: false)
                case .mane: person.back(cell: cell)
                }
            }
            let isBody = part == .body
            let coarse = isBody ? (bodyYaw != 0 ? 2.5 : 1) : min(max(actor.yawRate / 4, 1), 2)
            let placed = sprite(
                subject: actor.subject, part: part, yaw: isBody ? bodyYaw : headYaw + life.yaw, step: isBody ? 10 : actor.yawRate > 0.5 ? 2 : 1,
                scale: scale / coarse,
                bottom: isBody ? bottom : -20, look: look, build: build)
            guard let placed else { return nil }
            return Layer(
                content: .sprite(placed.canvas, frame: placed.frame(origin: isBody ? origin : head, scale: scale)), disparity: 1 / actor.depth)
        }
    }

    /// Part of a figure that is one sprite.
    enum Part: Int {
        case body, head, blink, mane
    }

    /// Yaw at which a head is rendered, degrees: past a third of the way to the side it looks turned further from close by.
    private static func headYaw(_ yaw: Double) -> Double {
        let t = abs(yaw)
        let more = 17 * Double(smooth(29, 45, Float(t))) * Double(smooth(120, 50, Float(t)))
        return yaw < 0 ? yaw - more : yaw + more
    }

    /// Yaw of the body, degrees: it follows the head only beyond 40°.
    static func bodyYaw(_ yaw: Double) -> Double {
        let far = max(abs(yaw) - 40, 0) * (180.0 / 140)
        return yaw < 0 ? -far : far
    }

    mutating func sprite(
        subject: Int, part: Part, yaw: Double, step: Double, scale: Double, bottom: Float, look: some Look, build: (Float) -> Mesh?
    ) -> Sprite? {
        let steppedYaw = Int((yaw / step).rounded() * step)
        let size = Self.bucket(scale)
        let key = SpriteCache.Key(subject: subject, part: part.rawValue, yaw: steppedYaw, size: size, bottom: Int(bottom))
        if let found = cache[key] { return found }
        let pixels = Self.scale(ofBucket: size)
        // Portraits get a fine mesh, small figures a coarse and quick one.
        let grain = pixels > 70 ? 32 : pixels > 25 ? 55 : 120
        let modelKey = ModelKey(subject: subject, part: part.rawValue, grain: grain)
        guard let mesh = models[modelKey] ?? build(Float(grain) / 1000) else { return nil }
        models[modelKey] = mesh
        let sprite = Sprite(mesh: mesh, yaw: Double(steppedYaw), scale: Float(pixels), bottom: bottom, look: look)
        cache[key] = sprite
        return sprite
    }

    private static func bucket(_ scale: Double) -> Int {
        var (size, value) = (0, 4.0)
        while value < scale, size < 60 { (size, value) = (size + 1, value * 1.125) }
        return size
    }

    private static func scale(ofBucket size: Int) -> Double { (0..<size).reduce(4.0) { value, _ in value * 1.125 } }
}
