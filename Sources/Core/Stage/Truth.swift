import Foundation
import Pipeline

/// Ground truth of each frame, with lasting identities. Frames come in order.
struct TruthKeeper {
    private struct Identity {
        var lastSeen: Int64
        /// Object IDs, in the order of `parts`.
        var ids: [Int]
        var group: Int
    }

    private struct Part {
        let kind: Detection.Kind
        let box: CGRect
        let isTurnedAway: Bool
    }

    private static let returnLimit: Int64 = 500_000_000
    private let names: [String]
    private let aspect: Double
    private let geometry: BackdropGeometry
    private var identities: [Identity?]
    /// Subjects visible in the last frame.
    private var shown: [Int] = []
    private var nextID = 1
    private var nextGroup = 1

    init(world: World) {
        names = world.subjects.map(\.name)
        aspect = Double(world.width) / Double(world.height)
        geometry = BackdropGeometry(world: world)
        identities = Array(repeating: nil, count: names.count)
    }

    /// Detections of one moment: faces first, then by object ID.
    mutating func detections(at moment: Moment) -> [Detection] {
        shown = []
        guard !moment.isCovered else { return [] }
        let silhouettes = moment.actors.map { Silhouette(actor: $0, aspect: aspect) }
        var found: [(subject: Int, part: Int, of: Int, detection: Detection)] = []
        for (order, actor) in moment.actors.enumerated() {
            let parts = Self.parts(of: actor, aspect: aspect)
            for (index, part) in parts.enumerated() where !part.isTurnedAway {
                let visible = visibleFraction(of: part.box, depth: actor.depth, nearer: silhouettes[(order + 1)...], shift: moment.shift)
                guard let visible else { continue }
                let detection = Detection(
                    objectID: 0, kind: part.kind, bounds: part.box, yaw: part.kind == .face ? actor.yaw : nil, roll: part.kind == .face ? 0 : nil,
                    confidence: 0.4 + 0.59 * visible,
                    disparity: 1 / actor.depth, label: names[actor.subject])
                found.append((actor.subject, index, parts.count, detection))
            }
        }
        shown = found.map(\.subject)
        found.sort { ($0.subject, $0.part) < ($1.subject, $1.part) }
        let named = found.map { identified($0.detection, subject: $0.subject, part: $0.part, of: $0.of, at: moment.time) }
        return named.sorted { ($0.kind == .face ? 0 : 1, $0.objectID) < ($1.kind == .face ? 0 : 1, $1.objectID) }
    }

    /// Carries the identities of the last frame over to `time`, where the same is visible.
    mutating func repeatLast(at time: Int64) {
        for subject in shown { identities[subject]?.lastSeen = time }
    }

    private mutating func identified(_ detection: Detection, subject: Int, part: Int, of count: Int, at time: Int64) -> Detection {
        if identities[subject] == nil || time - identities[subject]!.lastSeen > Self.returnLimit {
            identities[subject] = Identity(lastSeen: time, ids: Array(nextID..<nextID + count), group: count > 1 ? nextGroup : -1)
            nextID += count
            if count > 1 { nextGroup += 1 }
        }
        identities[subject]!.lastSeen = time
        var result = detection
        result.objectID = identities[subject]!.ids[part]
        result.groupID = identities[subject]!.group
        return result
    }

    private static func parts(of actor: Actor, aspect: Double) -> [Part] {
        let layout = FigureLayout(actor: actor, aspect: aspect)
        let isAway = abs(actor.yaw) > 100
        switch actor.kind {
        case .face, .person:
            return [
                Part(kind: .face, box: layout.face, isTurnedAway: isAway),
                Part(kind: .humanBody, box: actor.kind == .face ? Self.clipped(layout.body) : layout.body, isTurnedAway: false),
            ]
        case .catBody, .dogBody:
            let (body, head): (Detection.Kind, Detection.Kind) = actor.kind == .catBody ? (.catBody, .catHead) : (.dogBody, .dogHead)
            return [Part(kind: body, box: layout.body, isTurnedAway: false), Part(kind: head, box: layout.face, isTurnedAway: isAway)]
        case .catHead: return [Part(kind: .catHead, box: layout.face, isTurnedAway: isAway)]
        case .dogHead: return [Part(kind: .dogHead, box: layout.face, isTurnedAway: isAway)]
        case .prop: return [Part(kind: .salientObject, box: actor.box, isTurnedAway: false)]
        }
    }

    /// Clips an upper body at the picture's lower edge.
    private static func clipped(_ box: CGRect) -> CGRect {
        guard box.minY < 1, box.maxY > 1 else { return box }
        return CGRect(x: box.minX, y: box.minY, width: box.width, height: 1 - box.minY)
    }

    /// Visible fraction of a box, 0…1; nil where less than 0.4 of it is in the picture, or less than 0.4 of that is unoccluded.
    private func visibleFraction(of box: CGRect, depth: Double, nearer: ArraySlice<Silhouette>, shift: CGPoint) -> Double? {
        let inside = box.intersection(CGRect(x: 0, y: 0, width: 1, height: 1))
        guard box.width > 0, box.height > 0, !inside.isNull else { return nil }
        let share = inside.width * inside.height / (box.width * box.height)
        guard share >= 0.4 else { return nil }
        var seen = 0
        let steps = 16
        let mayHide = nearer.contains { $0.shapes.contains { $0.bounds.intersects(inside) } }
        let tableTop = geometry.table.flatMap { depth > $0.depth ? geometry.tableTop! + shift.y : nil } ?? .infinity
        for row in 0..<steps {
            let y = inside.minY + inside.height * (Double(row) + 0.5) / Double(steps)
            guard y < tableTop else { continue }
            seen += steps
            guard mayHide else { continue }
            var hidden: UInt16 = 0
            for silhouette in nearer {
                for shape in silhouette.shapes {
                    let section = shape.section(at: y)
                    if case .nothing = section { continue }
                    for column in 0..<steps where hidden & 1 << UInt16(column) == 0 {
                        let x = inside.minX + inside.width * (Double(column) + 0.5) / Double(steps)
                        if section.contains(x) { hidden |= 1 << UInt16(column) }
                    }
                }
            }
            seen -= hidden.nonzeroBitCount
        }
        let open = Double(seen) / Double(steps * steps)
        return open < 0.4 ? nil : open * share
    }
}
