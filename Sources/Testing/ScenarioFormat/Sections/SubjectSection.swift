import Foundation
import Pipeline
import Stage
import Support

extension SubjectSpec {
    /// Words that mean something else where a subject's name may stand.
    private static let reserved = ["none", "view", "pt", "meta", "px", "on", "camera", "end"]

    /// Subject that stands for one that cannot be read.
    init(unreadable entry: Node.Entry) {
        name = entry.key.raw
        kind = .face
        placement = Placement(box: CGRect(x: 0, y: 0, width: 1, height: 1), depth: 1)
        location = entry.key.location
    }

    /// Throws all faults of the subject.
    init(_ entry: Node.Entry, in scenario: ScenarioFile, _ timebase: Timebase) throws(ScenarioError) {
        self.init(unreadable: entry)
        name = try entry.key.text("a subject's name")
        guard TimelineClock.isName(name), !Self.reserved.contains(name) else {
            throw entry.key.error("`\(name)` is no name for a subject", suggestion: "use letters, digits, - and _, and start with a letter")
        }
        var faults = Faults()
        let fields = try Fields(entry.value, of: "a subject", Format.subject, &faults)
        let kind = faults.value { () throws(ScenarioError) in try fields.required("kind").choice("a kind of subject", Subject.Kind.self) }
        let depth = faults.value { () throws(ScenarioError) in
            try fields.required("depth", "its distance, like 1.4m").metres("the depth")
        }
        // A box that is computed needs both.
        if fields["box"] != nil || (kind != nil && depth != nil) {
            faults.attempt { () throws(ScenarioError) in
                placement.box = try Self.box(fields, kind ?? self.kind, depth ?? placement.depth, in: scenario)
            }
        }
        self.kind = kind ?? self.kind
        placement.depth = depth ?? placement.depth
        faults.attempt { () throws(ScenarioError) in
            facing = try fields.read("facing") { node throws(ScenarioError) in try node.heading("facing") } ?? 0
        }
        faults.attempt { () throws(ScenarioError) in
            enters = try fields.read("enters") { node throws(ScenarioError) in try timebase.duration(node, "enters") }
        }
        faults.attempt { () throws(ScenarioError) in
            exits = try fields.read("exits") { node throws(ScenarioError) in try timebase.duration(node, "exits") }
        }
        faults.attempt { () throws(ScenarioError) in
            texture = try fields.read("texture") { node throws(ScenarioError) in try node.text("texture") }
        }
        faults.attempt { () throws(ScenarioError) in
            voice = try fields.read("sound") { node throws(ScenarioError) in try Voice(node, timebase) }
            recording = try fields["sound"]?.entries(of: "a sound").first { $0.key.raw == "wav" }?.value.existingPath()
        }
        if let error = faults.error { throw error }
    }

    /// The box as written, or of a thing `height` metres tall whose middle is seen at a point.
    private static func box(_ fields: Fields, _ kind: Subject.Kind, _ depth: Double, in scenario: ScenarioFile) throws(ScenarioError) -> CGRect {
        if let box = fields["box"] {
            if let other = fields["at"] ?? fields["height"] { throw other.error("a subject has a box, or `at` and `height`, not both") }
            return try box.box("the box")
        }
        guard let at = fields["at"], let tall = fields["height"] else {
            throw fields.node.error("a subject needs its place: `box: [x, y, width, height]`, or `at: [x, y]` with `height: 0.3m`")
        }
        let (middle, metres) = (try at.point("at"), try tall.metres("the height"))
        let aspect = scenario.clip.dimensions.map { Double($0.width) / Double($0.height) } ?? 16.0 / 9
        let focalLength = scenario.device.focalLength ?? StageCamera().focalLength
        let height = metres / depth * focalLength / 36 * aspect
        let width = height * kind.widthPerHeight / aspect
        guard Limits.box.contains(width), Limits.box.contains(height) else {
            throw tall.error(
                "what is \(tall.raw) high and \(String(plain: depth))m away is more than \(String(plain: Limits.box.upperBound)) pictures high")
        }
        return CGRect(x: middle.x - width / 2, y: middle.y - height / 2, width: width, height: height)
    }
}

extension Subject.Kind {
    /// Width of such a subject's box over its height, both in metres.
    fileprivate var widthPerHeight: Double {
        switch self {
        case .face: 0.75
        case .person: 0.42
        case .catHead, .dogHead: 1
        case .catBody, .dogBody: 1.3
        case .prop: 1
        }
    }
}

extension Node {
    /// Yaw of a head: `camera`, `away` (to the picture's right) or degrees.
    func heading(_ what: String) throws(ScenarioError) -> Double {
        let text = try text(what)
        switch text {
        case "camera": return 0
        case "away": return 90
        default:
            if Quantity(text) == nil {
                throw error(
                    "\(what) is camera, away or an angle like 40deg, not `\(text)`",
                    suggestion: Suggestion.didYouMean(text, among: ["camera", "away"]))
            }
            return try degrees(what)
        }
    }
}
