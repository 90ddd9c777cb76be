import Foundation
import Pipeline

/// One thing that happens in the model's world.
enum Event: String, CaseIterable, Sendable {
    case anaLooksAway, anaLooksBack, anaLosesFace, anaShowsFace, anaHides, anaReappears
    case benEnters, benLeaves, benVanishes, benComesNear, benGoesFar, benLooksAway, benLooksBack
    case tapAna, tapAnaStrong, tapBen, tapBenStrong, tapBenBody, tapThing, tapThingStrong, tapNobody
    case pressStrong, pressWeak, tapPlane, wait

    /// Twelve that between them touch every rule.
    static let core: [Event] = [
        .benEnters, .benLeaves, .benLooksAway, .benLooksBack, .benComesNear, .anaLosesFace, .anaHides, .tapBen, .tapAnaStrong, .pressStrong,
        .tapNobody, .tapThing,
    ]
}

/// The model's world: Ana (1) with face and body, in the middle; Ben (2), who comes and goes, each time under new IDs; a thing.
struct Population: Sendable {
    /// Kinds of events that may happen in it.
    let kinds: [Event]
    /// Ana's distance, and Ben's near and far, 1/m.
    var ana = 0.62
    var benNear = 1.2
    var benFar = 0.36

    init(kinds: [Event] = Event.allCases) { self.kinds = kinds }

    private(set) var anaIsAway = false
    private(set) var anaHasFace = true
    private(set) var anaIsHidden = false
    private(set) var benIsThere = false
    private(set) var benIsNear = false
    private(set) var benIsAway = false
    /// Ben's way out takes one frame at the edge.
    private var benIsLeaving = false
    private(set) var visits = 0
    private(set) var planes = 0

    static let (anaFace, anaBody, thing) = (11, 12, 31)
    var benFace: Int { 100 + 10 * visits }
    var benBody: Int { benFace + 1 }
    private var plane: Int { 10_000 + planes }

    /// Events that may happen now; one that would change nothing may not.
    var possible: [Event] {
        kinds.filter { event in
            switch event {
            case .anaLooksAway: !anaIsAway
            case .anaLooksBack: anaIsAway
            case .anaLosesFace: anaHasFace
            case .anaShowsFace: !anaHasFace
            case .anaHides: !anaIsHidden
            case .anaReappears: anaIsHidden
            case .benEnters: !benIsThere
            case .benLeaves, .benVanishes: benIsThere
            case .benComesNear: benIsThere && !benIsNear
            case .benGoesFar: benIsThere && benIsNear
            case .benLooksAway: benIsThere && !benIsAway
            case .benLooksBack: benIsThere && benIsAway
            case .tapPlane: planes > 0
            case .tapBen, .tapBenStrong, .tapBenBody: visits > 0
            default: true
            }
        }
    }

    /// Lets it happen; returns what the user asks by it.
    mutating func apply(_ event: Event) -> FocusRequest? {
        switch event {
        case .anaLooksAway: anaIsAway = true
        case .anaLooksBack: anaIsAway = false
        case .anaLosesFace: anaHasFace = false
        case .anaShowsFace: anaHasFace = true
        case .anaHides: anaIsHidden = true
        case .anaReappears: anaIsHidden = false
        case .benEnters: (benIsThere, benIsNear, benIsAway, visits) = (true, false, false, visits + 1)
        case .benLeaves: (benIsThere, benIsLeaving) = (false, true)
        case .benVanishes: benIsThere = false
        case .benComesNear: benIsNear = true
        case .benGoesFar: benIsNear = false
        case .benLooksAway: benIsAway = true
        case .benLooksBack: benIsAway = false
        case .tapAna: return .track(objectID: Self.anaFace, mode: .weak)
        case .tapAnaStrong: return .track(objectID: Self.anaFace, mode: .strong)
        case .tapBen: return .track(objectID: benFace, mode: .none)
        case .tapBenStrong: return .track(objectID: benFace, mode: .strong)
        case .tapBenBody: return .track(objectID: benBody, mode: .weak)
        case .tapThing: return .track(objectID: Self.thing, mode: .weak)
        case .tapThingStrong: return .track(objectID: Self.thing, mode: .strong)
        case .tapNobody: return .track(objectID: 9_999, mode: .strong)
        case .tapPlane: return .track(objectID: plane, mode: .strong)
        case .pressStrong, .pressWeak:
            planes += 1
            return .fix(point: CGPoint(x: 0.5, y: 0.5), disparity: 0.3, objectID: plane, mode: event == .pressStrong ? .strong : .weak)
        case .wait: break
        }
        return nil
    }

    /// Detections of the next frame.
    mutating func detections() -> [Detection] {
        var seen: [Detection] = []
        func person(_ face: Int?, _ body: Int, _ group: Int, _ x: Double, _ disparity: Double, isAway: Bool) {
            let side = 0.28 * disparity
            if let face {
                let box = CGRect(x: x - side * 0.4, y: 0.4 - side * 0.6, width: side * 0.8, height: side * 1.2)
                seen.append(Detection(objectID: face, groupID: group, kind: .face, bounds: box, yaw: isAway ? 120 : 5, disparity: disparity))
            }
            let box = CGRect(x: x - side, y: 0.4, width: side * 2, height: side * 3)
            seen.append(Detection(objectID: body, groupID: group, kind: .humanBody, bounds: box, disparity: disparity))
        }
        if !anaIsHidden { person(anaHasFace ? Self.anaFace : nil, Self.anaBody, 1, 0.42, ana, isAway: anaIsAway) }
        if benIsThere || benIsLeaving {
            person(benFace, benBody, 10 + visits, benIsLeaving ? 0.97 : 0.7, benIsNear ? benNear : benFar, isAway: benIsAway)
        }
        benIsLeaving = false
        let box = CGRect(x: 0.18, y: 0.70, width: 0.06, height: 0.10)
        return seen + [Detection(objectID: Self.thing, kind: .salientObject, bounds: box, disparity: 0.8)]
    }
}
