import Foundation

/// Silhouette of an actor in the picture, from simple shapes: it occludes, and a plain disparity map shows it.
struct Silhouette: Sendable {
    enum Shape: Sendable {
        case ellipse(CGRect)
        case rectangle(CGRect)

        var bounds: CGRect {
            switch self {
            case .ellipse(let box), .rectangle(let box): box
            }
        }

        /// Section of the shape at height `y`, 0…1 from the top.
        func section(at y: Double) -> Section {
            switch self {
            case .rectangle(let r): return y >= r.minY && y < r.maxY ? .between(r.minX, r.maxX) : .nothing
            case .ellipse(let r):
                let v = (y - r.midY) / r.height
                return v * v <= 0.25 ? .chord(middle: r.midX, width: r.width, height: v * v) : .nothing
            }
        }
    }

    /// Extent of a shape at one height.
    enum Section: Sendable {
        case nothing
        /// Half-open interval: from the first on, before the second.
        case between(Double, Double)
        /// Chord of an ellipse: its middle and width, and the squared distance from its middle in its heights.
        case chord(middle: Double, width: Double, height: Double)

        func contains(_ x: Double) -> Bool {
            switch self {
            case .nothing: return false
            case .between(let first, let end): return x >= first && x < end
            case .chord(let middle, let width, let height):
                let u = (x - middle) / width
                return u * u + height <= 0.25
            }
        }
    }

    let shapes: [Shape]
    /// Disparity, 1/m.
    let disparity: Double

    init(actor: Actor, aspect: Double) {
        disparity = 1 / actor.depth
        let layout = FigureLayout(actor: actor, aspect: aspect)
        switch actor.kind {
        case .face, .person:
            let torso = layout.body.divided(atDistance: layout.chin - layout.body.minY, from: .minYEdge).remainder
            shapes = [.ellipse(layout.head), .rectangle(torso.insetBy(dx: torso.width * 0.12, dy: 0))]
        case .catHead, .catBody, .dogHead, .dogBody:
            shapes = [.ellipse(layout.head), .ellipse(layout.body)]
        case .prop:
            shapes = [.rectangle(actor.box)]
        }
    }
}

/// Layout of an actor's parts in the picture, from its one box.
struct FigureLayout: Sendable {
    /// Face, or the animal's head, as a detector frames it.
    let face: CGRect
    /// Head with its hair or ears.
    let head: CGRect
    /// Whole figure; for a head alone its upper body.
    let body: CGRect
    /// Lower end of the head, 0…1 from the top.
    var chin: Double { face.maxY }

    init(actor: Actor, aspect: Double) {
        let box = actor.box
        switch actor.kind {
        case .face:
            face = box
            head = Self.head(around: box)
            body = CGRect(
                x: box.midX - 1.5 * box.width, y: head.minY, width: 3 * box.width, height: box.maxY + 2.2 * box.height - head.minY)
        case .person:
            let height = box.height * Figure.faceHeight
            let width = height * Figure.faceAspect / aspect
            face = CGRect(x: box.midX - width / 2, y: box.minY + box.height * Figure.faceTop, width: width, height: height)
            head = Self.head(around: face)
            body = box
        case .catHead, .dogHead:
            face = box
            head = box
            body = CGRect(x: box.midX - 0.75 * box.width, y: box.minY, width: 1.5 * box.width, height: 2.4 * box.height)
        case .catBody, .dogBody:
            face = Figure.animalHead(in: box, aspect: aspect)
            head = face
            body = box
        case .prop:
            face = box
            head = box
            body = box
        }
    }

    private static func head(around face: CGRect) -> CGRect {
        CGRect(x: face.midX - 0.6 * face.width, y: face.minY - 0.3 * face.height, width: 1.2 * face.width, height: 1.32 * face.height)
    }
}

/// Proportions that the painted figures and the truth share.
enum Figure {
    /// Height of the face over that of a standing person's box.
    static let faceHeight = 0.1066
    /// Upper edge of the face below that of the box, over the box's height.
    static let faceTop = 0.0311
    /// Width of a face over its height.
    static let faceAspect = 0.84

    /// Pose, origin and unit of an animal within its whole box, in picture heights; in a wide box it stands sideways.
    static func animal(in box: CGRect, aspect: Double) -> (isSitting: Bool, unit: Double, x: Double, y: Double) {
        let isSitting = box.width * aspect < box.height
        let pose = isSitting ? Pet.sitting : Pet.standing
        let tall = Double(Pet.head.top - pose.floor)
        let unit = min(box.height / tall, box.width * aspect / Double(2 * pose.halfWidth) * (isSitting ? 1.3 : 1))
        return (isSitting, unit, box.midX * aspect, box.maxY + Double(pose.floor) * unit)
    }

    /// Head box within an animal's whole box.
    static func animalHead(in box: CGRect, aspect: Double) -> CGRect {
        let place = animal(in: box, aspect: aspect)
        let neck = (place.isSitting ? Pet.sitting : Pet.standing).neck
        let half = Double(Pet.head.halfWidth) * place.unit
        return CGRect(
            x: (place.x + Double(neck.x) * place.unit - half) / aspect, y: place.y - Double(Pet.head.top) * place.unit, width: 2 * half / aspect,
            height: Double(Pet.head.top - Pet.head.bottom) * place.unit)
    }
}
