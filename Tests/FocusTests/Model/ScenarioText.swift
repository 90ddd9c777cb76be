import Foundation

extension [Duel.Beat] {
    /// The sequence as a scenario file, to be looked into with the tools for scenarios.
    func scenario(_ fault: String, frameTime: Int64) -> String {
        var (time, lines) = (Int64(0), [String]())
        for beat in self {
            if let verb = beat.happening.verb { lines.append("  - \(time / 1_000_000)ms: {\(verb)}") }
            time += Int64(beat.frames) * frameTime
        }
        return """
            scenario: Engine and model disagree
            about: \(fault)
            format: 1
            clip: {source: synthetic, size: 320x180, fps: \((1_000_000_000 + frameTime / 2) / frameTime), length: \(time / 1_000_000)ms, detections: truth}
            subjects:
              ana:   {kind: person, box: [0.35, 0.30, 0.14, 0.60], depth: 1.61m}
              ben:   {kind: person, box: [0.66, 0.30, 0.08, 0.40], depth: 2.78m, enters: 1h}
              thing: {kind: prop, box: [0.18, 0.70, 0.06, 0.10], depth: 1.25m}
            timeline:
            \(lines.joined(separator: "\n"))
            """
    }
}

extension Happening {
    fileprivate var verb: String? {
        switch self {
        case .anaLooksAway: "turn: {subject: ana, to: away, over: 0s}"
        case .anaLooksBack: "turn: {subject: ana, to: camera, over: 0s}"
        case .anaLosesFace: "fault: {missDetection: {subject: ana, kind: face}}"
        case .anaShowsFace: "fault: {missDetection: none}"
        case .anaHides: "occlude: {subject: ana}"
        case .anaReappears: "occlude: {subject: ana, until: 0s}"
        case .benEnters: "enter: {subject: ben, over: 0s}"
        case .benLeaves, .benVanishes: "exit: {subject: ben, over: 0s}"
        case .benComesNear: "move: {subject: ben, depth: 0.83m, over: 0s}"
        case .benGoesFar: "move: {subject: ben, depth: 2.78m, over: 0s}"
        case .benLooksAway: "turn: {subject: ben, to: away, over: 0s}"
        case .benLooksBack: "turn: {subject: ben, to: camera, over: 0s}"
        case .tapAna: "api: {trackingFocus: ana, mode: weak}"
        case .tapAnaStrong: "api: {trackingFocus: ana, mode: strong}"
        case .tapBen, .tapBenBody: "api: {trackingFocus: ben, mode: weak}"
        case .tapBenStrong: "api: {trackingFocus: ben, mode: strong}"
        case .tapThing: "api: {trackingFocus: thing, mode: weak}"
        case .tapThingStrong: "api: {trackingFocus: thing, mode: strong}"
        case .tapNobody: "api: {trackingFocus: 9999, mode: strong}"
        case .pressStrong: "api: {fixedFocusAt: {meta: [0.5, 0.5]}, mode: strong}"
        case .pressWeak: "api: {fixedFocusAt: {meta: [0.5, 0.5]}, mode: weak}"
        case .tapPlane: "api: {trackingFocusAt: {meta: [0.5, 0.5]}, mode: strong}"
        case .wait: nil
        }
    }
}
