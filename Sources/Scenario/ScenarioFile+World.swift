import CoreMedia
import Foundation
import Stage

extension ScenarioFile {
    /// The synthetic world with every move of the timeline in it.
    ///
    /// - Throws: when the clip is footage.
    public func world() throws(ScenarioError) -> World {
        guard clip.source.isSynthetic, let size = clip.size, let frameDuration = clip.frameDuration, let frameCount = clip.frameCount else {
            throw ScenarioError(file: path, message: "footage has no synthetic world")
        }
        var builder = WorldBuilder(self)
        for event in timeline {
            if case .world(let verb) = event.action { builder.apply(verb, at: event.time, event.location) }
        }
        builder.world.width = size.width
        builder.world.height = size.height
        builder.world.frameDuration = frameDuration
        builder.world.frameCount = frameCount
        return try builder.finished()
    }
}

/// Turns verbs into motions, in time order.
private struct WorldBuilder {
    /// When a subject comes or goes.
    private struct Passing {
        var time: Int64
        var isEntry: Bool
        var location: FileLocation
    }

    var world = World()
    private let scenario: ScenarioFile
    private var passings: [[Passing]]

    init(_ scenario: ScenarioFile) {
        self.scenario = scenario
        passings = []
        world.seed = scenario.clip.seed
        world.camera.focalLength = scenario.device.focalLength ?? world.camera.focalLength
        world.backdrop = scenario.backdrop
        world.light = Motion(scenario.light)
        for declared in scenario.subjects {
            var subject = Subject(name: declared.name, kind: declared.kind, placement: Motion(declared.placement))
            subject.yaw = Motion(declared.facing)
            subject.texture = declared.texture
            world.subjects.append(subject)
            let times = [(declared.enters, true), (declared.exits, false)]
            passings.append(times.compactMap { time, isEntry in time.map { Passing(time: $0, isEntry: isEntry, location: declared.location) } })
        }
    }

    mutating func apply(_ verb: WorldVerb, at time: Int64, _ location: FileLocation) {
        switch verb {
        case .enter(let name, let side, let passage):
            let index = index(name)
            passings[index].append(Passing(time: time, isEntry: true, location: location))
            guard let side else { return }
            let home = world.subjects[index].placement(at: time)
            world.subjects[index].placement.move(to: Self.outside(home, side), start: time, over: 0)
            world.subjects[index].placement.move(to: home, start: time, over: passage.duration, ease: passage.ease)
        case .exit(let name, let side, let passage):
            let index = index(name)
            passings[index].append(Passing(time: time + passage.duration, isEntry: false, location: location))
            guard let side else { return }
            let away = Self.outside(world.subjects[index].placement(at: time), side)
            world.subjects[index].placement.move(to: away, start: time, over: passage.duration, ease: passage.ease)
        case .move(let name, let target, let depth, let passage):
            let index = index(name)
            let goal = Self.goal(from: world.subjects[index].placement(at: time), target, depth)
            world.subjects[index].placement.move(to: goal, start: time, over: passage.duration, ease: passage.ease)
        case .turn(let name, let yaw, let passage):
            world.subjects[index(name)].yaw.move(to: yaw, start: time, over: passage.duration, ease: passage.ease)
        case .light(let lux, let passage): world.light.move(to: lux, start: time, over: passage.duration, ease: passage.ease)
        case .occlude(let name, let duration): occlude(name, time..<time + duration)
        case .cover(let duration): world.covers.append(time..<time + duration)
        case .camera(let pan, let shake, let passage):
            if let pan { world.camera.pan.move(to: pan, start: time, over: passage.duration, ease: passage.ease) }
            if let shake { world.camera.shake.move(to: shake, start: time, over: passage.duration, ease: passage.ease) }
        }
    }

    /// A board before all that is seen of a subject, at most half a metre nearer.
    private mutating func occlude(_ name: String, _ span: Range<Int64>) {
        let hidden = world.subjects[index(name)]
        let place = hidden.placement(at: span.lowerBound)
        let box = place.box
        let board: CGRect =
            switch hidden.kind {
            case .face, .catHead, .dogHead:
                CGRect(x: box.midX - 1.6 * box.width, y: box.minY - 0.5 * box.height, width: 3.2 * box.width, height: 4 * box.height)
            case .person, .catBody, .dogBody, .prop: box.insetBy(dx: -0.05 * box.width, dy: -0.05 * box.height)
            }
        let depth = max(place.depth - 0.5, place.depth * 0.7)
        var subject = Subject(name: "board before \(name)", kind: .prop, placement: Motion(Placement(box: board, depth: depth)))
        subject.presence = [span]
        world.subjects.append(subject)
    }

    /// The world, once every coming and going makes sense.
    consuming func finished() throws(ScenarioError) -> World {
        for index in passings.indices {
            let ordered = passings[index].enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
            world.subjects[index].presence = try presence(ordered, of: world.subjects[index].name)
        }
        return world
    }

    private func presence(_ passings: [Passing], of name: String) throws(ScenarioError) -> [Range<Int64>] {
        guard let first = passings.first else { return [] }
        var ranges: [Range<Int64>] = []
        var since: Int64? = first.isEntry ? nil : 0
        for passing in passings {
            let isThere = since != nil
            guard passing.isEntry != isThere else {
                let state = isThere ? "is in the scene already" : "is not in the scene"
                throw scenario.error(at: passing.location, "\(name) \(state) at \(TimelineClock.seconds(passing.time))")
            }
            if let start = since { ranges.append(start..<passing.time) }
            since = passing.isEntry ? passing.time : nil
        }
        if let start = since { ranges.append(start..<Int64.max) }
        return ranges
    }

    private func index(_ name: String) -> Int {
        guard let index = world.subjects.firstIndex(where: { $0.name == name }) else {
            preconditionFailure("the reader lets only declared subjects through")
        }
        return index
    }

    /// The same place, just outside the picture.
    private static func outside(_ placement: Placement, _ side: WorldVerb.Side) -> Placement {
        var box = placement.box
        box.origin.x = side == .left ? -box.width - 0.02 : 1.02
        return Placement(box: box, depth: placement.depth)
    }

    /// A box that is not given keeps its middle or moves it, and its size follows the depth.
    private static func goal(from start: Placement, _ target: WorldVerb.Target, _ depth: Double?) -> Placement {
        let depth = depth ?? start.depth
        let scale = start.depth / depth
        let (width, height) = (start.box.width * scale, start.box.height * scale)
        let middle: CGPoint
        switch target {
        case .box(let box): return Placement(box: box, depth: depth)
        case .middle(let point): middle = point
        case .stay: middle = CGPoint(x: start.box.midX, y: start.box.midY)
        }
        return Placement(box: CGRect(x: middle.x - width / 2, y: middle.y - height / 2, width: width, height: height), depth: depth)
    }
}
