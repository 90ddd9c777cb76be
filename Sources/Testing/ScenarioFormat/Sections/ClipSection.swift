import CoreMedia
import Foundation
import Support
import Pipeline

extension ScenarioFile.Clip {
    /// Reads `clip`; `given` is footage the caller brings, then the section and its source may be absent.
    init(_ node: Node?, of file: Node, source given: ClipSource?, format: Dimensions?) throws(ScenarioError) {
        guard let node else {
            guard let given else { throw file.error("a scenario needs `clip`", suggestion: "add `clip: {source: synthetic, length: 10s}`") }
            self.init(source: given, detections: given.isSynthetic ? .truth : .vision)
            return
        }
        let fields = try Fields(node, of: "clip", Format.clip)
        if let given {
            if let own = fields["source"] { throw own.error("the source is given twice: here and by the caller", suggestion: "leave it out here") }
            self.init(source: given, detections: given.isSynthetic ? .truth : .vision)
        } else {
            let own: ClipSource
            if fields["source"] == nil, let sidecar = fields["detections"], try sidecar.isSidecar {
                own = try ClipSource(recordedIn: sidecar)
            } else {
                own = try ClipSource(try fields.required("source", "synthetic, or footage"))
            }
            self.init(source: own, detections: own.isSynthetic ? .truth : .vision)
        }
        if source.isSynthetic { try readWorld(fields, format) } else { try refuseWorld(fields) }
        frameDuration = try fields.read("fps", Self.frameDuration) ?? frameDuration
        length = try fields.read("length") { node throws(ScenarioError) in try Timebase(frameDuration: frameDuration).duration(node, "the length") }
        if let node = fields["length"], length == 0 { throw node.error("a clip has at least one frame") }
        if source.isSynthetic { _ = try fields.required("length", "how long to film, like 12s") }
        guard let found = fields["detections"] else { return }
        detections = try ScenarioFile.Detections(found)
        if !source.isSynthetic, detections == .truth {
            throw found.error("footage has no truth to detect from", suggestion: "did you mean `vision`?")
        }
    }

    /// The bytes of the recorded detections, which are an input like the scenario's own; empty without any.
    func sidecar(named fields: Fields) throws(ScenarioError) -> [UInt8] {
        guard case .recorded(let path) = detections else { return [] }
        guard let data = try? FileContents.read(path) else { throw fields.node.error("the detections in \(path) cannot be read") }
        return Array(data)
    }

    /// World without an end, in place of a missing clip, so that the rest of the file can be read for its faults.
    static let standIn = ScenarioFile.Clip(source: .synthetic, detections: .truth)

    private init(source: ClipSource, detections: ScenarioFile.Detections) {
        self.source = source
        self.detections = detections
    }

    private mutating func readWorld(_ fields: Fields, _ format: Dimensions?) throws(ScenarioError) {
        frameDuration = CMTime(value: 1, timescale: 30)
        let size = try fields.read("size") { node throws(ScenarioError) in
            let size = try node.size("the picture's size", in: 16...8192)
            guard size.width % 2 == 0, size.height % 2 == 0 else { throw node.error("a picture has even sides, unlike \(node.raw)") }
            return size
        }
        let own = size.map { Dimensions(width: $0.width, height: $0.height) }
        if let own, let format, own != format, let node = fields["size"] {
            throw node.error("the camera's format has \(format.width)x\(format.height), not \(node.raw)", suggestion: "leave one of the two out")
        }
        dimensions = own ?? format ?? Dimensions(width: 1920, height: 1080)
        seed = UInt64(try fields.read("seed") { node throws(ScenarioError) in try node.integer("the seed", in: 0...Int.max) } ?? 1)
    }

    private func refuseWorld(_ fields: Fields) throws(ScenarioError) {
        for key in ["size", "seed"] {
            if let node = fields[key] { throw node.error("`\(key)` belongs to a synthetic clip; footage brings its own", suggestion: "leave it out") }
        }
    }

    private static func frameDuration(_ node: Node) throws(ScenarioError) -> CMTime {
        let text = try node.text("fps")
        if let duration = CMTime(frameRate: text) { return duration }
        let near = CMTime.frameRate(meantBy: text)
        throw node.error("fps is a whole number or a ratio, like 30 or 30000/1001, not `\(text)`", suggestion: near.map { "did you mean `\($0)`?" })
    }
}

extension ScenarioFile.Detections {
    /// A word, or the path of a sidecar.
    fileprivate init(_ node: Node) throws(ScenarioError) {
        if try node.isSidecar {
            self = .recorded(try node.existingPath())
        } else {
            self = try node.choice("a way to detect (or a sidecar, which ends in .jsonl)", [("truth", .truth), ("vision", .vision)])
        }
    }
}

extension Node {
    /// Whether this names recorded detections, not a way to detect.
    fileprivate var isSidecar: Bool {
        get throws(ScenarioError) { try text("a way to detect").hasSuffix(".jsonl") }
    }
}

extension ClipSource {
    /// The video that lies beside the detections recorded from it.
    fileprivate init(recordedIn sidecar: Node) throws(ScenarioError) {
        let path = try sidecar.existingPath()
        let log: DetectionLog
        do { log = try DetectionLog(path: path) } catch { throw sidecar.error(error.description) }
        func refused(_ reason: String) -> ScenarioError {
            sidecar.error(
                "the pictures of these detections are not known: \(reason)", suggestion: "add `source: {video: …}`, or what they were made from")
        }
        if log.entries.contains(where: { $0.picture != nil }) { throw refused("they are of still pictures") }
        if log.entries.contains(where: { $0.disparity != nil }) { throw refused("they were made with a disparity that a video alone does not have") }
        let video = ((path as NSString).deletingLastPathComponent as NSString).appendingPathComponent(log.header.source)
        guard FileManager.default.fileExists(atPath: video) else { throw refused("there is no \(log.header.source) beside \(path)") }
        self = .plain(video)
    }

    init(_ node: Node) throws(ScenarioError) {
        guard node.isMapping else {
            self = try node.choice(
                "a source; footage is {left, right}, {sideBySide}, {topBottom}, {video, disparity}, {video, depth} or {video}",
                [("synthetic", ClipSource.synthetic)])
            return
        }
        let fields = try Fields(node, of: "source", Format.source)
        func path(_ key: String) throws(ScenarioError) -> String { try fields.required(key).existingPath() }
        if fields["sideBySide"] != nil || fields["topBottom"] != nil {
            let isTop = fields["topBottom"] != nil
            let key = isTop ? "topBottom" : "sideBySide"
            try fields.refuse(all: [key], with: "`\(key)`, which holds both eyes")
            self = .packed(try path(key), isTop ? .topHalf : .leftHalf)
        } else if fields["left"] != nil || fields["right"] != nil {
            self = try Self.pair(node, fields, left: path("left"), right: path("right"))
        } else if fields["depth"] != nil {
            try fields.refuse(all: ["video", "depth"], with: "video and depth")
            self = .depth(try path("video"), depth: try path("depth"))
        } else if fields["disparity"] == nil, fields["video"] != nil {
            try fields.refuse(all: ["video"], with: "a video alone")
            self = .plain(try path("video"))
        } else {
            try fields.refuse(all: ["video", "disparity", "range"], with: "video and disparity")
            let range = try fields.read("range") { node throws(ScenarioError) in
                let ends = try node.numbers("the range", "disparity at 0, disparity at full scale")
                guard ends[0] >= 0, ends[0] < ends[1] else {
                    throw node.error("the range goes from a smaller disparity (1/m, far) to a larger one (near)")
                }
                return ends[0]...ends[1]
            }
            self = .video(try path("video"), disparity: try path("disparity"), range: range)
        }
    }

    private static func pair(_ node: Node, _ fields: Fields, left: String, right: String) throws(ScenarioError) -> ClipSource {
        if let file = fields["calibration"] {
            try fields.refuse(all: ["left", "right", "calibration"], with: "a calibration, which knows it")
            return .calibrated(left: left, right: right, calibration: try file.existingPath())
        }
        try fields.refuse(all: ["left", "right", "baseline", "focalLength"], with: "left and right")
        let baseline = try fields.read("baseline") { node throws(ScenarioError) in try node.metres("the baseline") }
        let focal = try fields.read("focalLength") { node throws(ScenarioError) in
            try node.positive("the focal length of footage", units: [("px", 1)], in: Limits.pixels, example: "1420px")
        }
        if (baseline == nil) != (focal == nil) {
            throw node.error("`baseline` and `focalLength` go together: disparity is metric with both, relative with none")
        }
        return .stereo(left: left, right: right, baseline: baseline, focalLength: focal)
    }
}

extension Fields {
    /// Refuses every key of a source but these.
    fileprivate func refuse(all known: [String], with what: String) throws(ScenarioError) {
        for key in Format.source.names where !known.contains(key) {
            if let node = self[key] { throw node.error("`\(key)` does not go with \(what)") }
        }
    }
}

extension Node {
    /// A path in the scenario's scope, relative ones from its folder; patterns (`frame%04d.png`) are taken as they are.
    func existingPath() throws(ScenarioError) -> String {
        let written = try text("a path")
        let folder = source.file.lastIndex(of: "/").map { source.file[...$0] } ?? ""
        let path = written.hasPrefix("/") ? written : folder + written
        guard written.contains("%") || written.contains("*") || FileManager.default.fileExists(atPath: path) else {
            throw error("there is no file \(path)", suggestion: "paths start at the scenario's own folder")
        }
        if let reason = source.scope.refusal(of: path) { throw error(reason) }
        return path
    }
}
