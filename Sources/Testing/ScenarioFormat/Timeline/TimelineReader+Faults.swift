import Foundation

extension TimelineReader {
    func fault(_ node: Node, at time: Int64) throws(ScenarioError) -> (Fault, String) {
        let fields = try Fields(node, of: "fault", Format.fault)
        guard let key = fields.keys.first, fields.keys.count == 1, let value = fields[key.raw] else {
            throw node.error("a fault is one of \(Format.fault.names.joined(separator: ", "))")
        }
        let about = value.raw.isEmpty || value.raw == "true" ? key.raw : "\(key.raw) \(value.raw)"
        switch key.raw {
        case "missDetection":
            let miss = try Fields(value, of: "missDetection", Format.occlude)
            let name = try subject(try miss.required("subject"))
            return (.missDetection(name, until: try end(miss, from: time, "how long to miss it")), "missDetection \(name)")
        case "swapIds":
            let names = try value.list(of: "swapIds")
            guard names.count == 2 else { throw value.error("`swapIds` swaps two subjects: [maya, ben]") }
            let (one, other) = (try subject(names[0]), try subject(names[1]))
            guard one != other else { throw value.error("`swapIds` swaps two different subjects") }
            return (.swapIDs(one, other), "swapIds \(one) \(other)")
        case "dropFrames": return (.dropFrames(try value.integer("the number of frames lost", in: 1...10_000)), about)
        case "interrupt":
            let interruption = try Fields(value, of: "interrupt", Format.interrupt)
            let reason = try interruption.read("by") { node throws(ScenarioError) in try node.choice("an interruption", Interruption.self) }
            return (.interrupt(reason ?? .otherApp, until: try end(interruption, from: time, "how long it lasts")), key.raw)
        case "lateMetadata":
            let delay = try Fields(value, of: "lateMetadata", Format.lateMetadata)
            let frames = try delay.required("frames", "how many frames late").integer("the delay in frames", in: 1...60)
            return (.lateMetadata(frames: frames, until: try end(delay, from: time, "how long it lasts")), "lateMetadata \(frames) frames")
        case "pressure": return (.pressure(try value.choice("a pressure", Fault.Pressure.self)), about)
        default:
            let simple: [String: Fault] = ["runtimeError": .runtimeError, "disconnect": .disconnect, "deny": .deny]
            let fault = simple[key.raw] ?? .diskFull
            guard try value.bool("`\(key.raw)`") else { throw value.error("`\(key.raw)` is true or not there") }
            return (fault, about)
        }
    }

    private func end(_ fields: Fields, from time: Int64, _ what: String) throws(ScenarioError) -> Int64 {
        let length = try timebase.duration(try fields.required("for", "how long, like 300ms"), what)
        guard length > 0 else { throw fields.node.error("`for` is longer than nothing") }
        return time + length
    }
}
