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
            if let verb = event.verb as? any WorldVerb { builder.apply(verb, at: event.time, event.location) }
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
    /// Arrival or departure of a subject.
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
            subject.voice = declared.voice
            world.subjects.append(subject)
            let times = [(declared.enters, true), (declared.exits, false)]
            passings.append(times.compactMap { time, isEntry in time.map { Passing(time: $0, isEntry: isEntry, location: declared.location) } })
        }
    }

    mutating func apply(_ verb: any WorldVerb, at time: Int64, _ location: FileLocation) {
        if let arrival = verb.arrival {
            passings[world.index(of: arrival.subject)].append(Passing(time: time + arrival.delay, isEntry: arrival.isEntry, location: location))
        }
        verb.apply(to: &world, at: time)
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
}
