import Foundation
import Stage

extension World {
    /// Sets in motion what a verb moves, from where it is at `time` (ns); who is in the world at all stays as it is.
    package mutating func apply(_ verb: WorldVerb, at time: Int64) {
        switch verb {
        case .enter(let name, let side, let passage):
            guard let side else { return }
            let index = index(of: name)
            let home = subjects[index].placement(at: time)
            subjects[index].placement.move(to: Self.outside(home, side), start: time, over: 0)
            subjects[index].placement.move(to: home, start: time, over: passage.duration, ease: passage.ease)
        case .exit(let name, let side, let passage):
            guard let side else { return }
            let index = index(of: name)
            let away = Self.outside(subjects[index].placement(at: time), side)
            subjects[index].placement.move(to: away, start: time, over: passage.duration, ease: passage.ease)
        case .move(let name, let target, let depth, let passage):
            let index = index(of: name)
            let goal = Self.goal(from: subjects[index].placement(at: time), target, depth)
            subjects[index].placement.move(to: goal, start: time, over: passage.duration, ease: passage.ease)
        case .turn(let name, let yaw, let passage):
            subjects[index(of: name)].yaw.move(to: yaw, start: time, over: passage.duration, ease: passage.ease)
        case .light(let lux, let passage): light.move(to: lux, start: time, over: passage.duration, ease: passage.ease)
        case .occlude(let name, let duration): occlude(name, time..<time + duration)
        case .cover(let duration): covers.append(time..<time + duration)
        case .camera(let pan, let shake, let passage):
            if let pan { camera.pan.move(to: pan, start: time, over: passage.duration, ease: passage.ease) }
            if let shake { camera.shake.move(to: shake, start: time, over: passage.duration, ease: passage.ease) }
        }
    }

    /// A board before all that is seen of a subject, at most half a metre nearer.
    private mutating func occlude(_ name: String, _ span: Range<Int64>) {
        let hidden = subjects[index(of: name)]
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
        subject.texture = "board"
        subject.presence = [span]
        subjects.append(subject)
    }

    /// Of a subject that was declared.
    package func index(of name: String) -> Int {
        guard let index = subjects.firstIndex(where: { $0.name == name }) else { preconditionFailure("only declared subjects have verbs") }
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

extension WorldVerb.Passage {
    package init(over duration: Int64) { self.init(duration: duration, ease: .inOut) }
}
