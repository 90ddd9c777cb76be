/// `{fault: {dropFrames: 3}}`: something goes wrong.
package struct FaultVerb: PlayedVerb, ReadableVerb {
    package static let name = "fault"
    static let about = "Something goes wrong."
    static let table = FormatTable("fault", kinds.map(\.key))
    static let shape = FormatShape.table(table)

    /// Fault that is played.
    package let fault: Fault
    package let object: String

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) {
        guard reader.isWorld else { throw entry.key.error("`fault` breaks a synthetic world; footage is as it is") }
        let fields = try Fields(entry.value, of: "fault", Self.table)
        guard let key = fields.keys.first, fields.keys.count == 1, let value = fields[key.raw],
            let kind = Self.kinds.first(where: { $0.key.name == key.raw })
        else {
            throw entry.value.error("a fault is one of \(Self.table.names.joined(separator: ", "))")
        }
        let read = try kind.read(value, entry.time, reader)
        fault = read.fault
        object = read.object ?? (value.raw.isEmpty || value.raw == "true" ? key.raw : "\(key.raw) \(value.raw)")
    }

    package var command: AppCommand { .fault(fault) }

    /// Key under `fault`, and the reader of its value.
    private struct Kind: Sendable {
        /// Fault with its words; nil are the key and the value as written.
        typealias Reading = (fault: Fault, object: String?)
        let key: FormatKey
        let read: @Sendable (_ value: Node, _ time: Int64, TimelineReader) throws(ScenarioError) -> Reading

        init(
            _ name: String, _ shape: FormatShape, _ about: String,
            _ read: @escaping @Sendable (Node, Int64, TimelineReader) throws(ScenarioError) -> Reading
        ) {
            key = FormatKey(name, shape, about)
            self.read = read
        }

        /// Fault without a number: `true` or not there.
        static func flag(_ name: String, _ fault: Fault, _ about: String) -> Kind {
            Kind(name, .bool, about) { value, _, _ throws(ScenarioError) in
                guard try value.bool("`\(name)`") else { throw value.error("`\(name)` is true or not there") }
                return (fault, nil)
            }
        }
    }

    static let interrupt = FormatTable(
        "interrupt", [FormatKey("by", .words(Fault.Interruption.self), "Who takes it."), FormatKey("for", .time, "How long.")])
    static let lateMetadata = FormatTable(
        "lateMetadata", [FormatKey("frames", .integer(1...60), "How many frames late."), FormatKey("for", .time, "How long.")])

    private static let kinds: [Kind] = [
        Kind("missDetection", .table(OccludeVerb.table), "A subject is there and is not seen.") { value, time, reader throws(ScenarioError) in
            let fields = try Fields(value, of: "missDetection", OccludeVerb.table)
            let name = try reader.subject(try fields.required("subject"))
            return (.missDetection(name, until: try end(fields, from: time, "how long to miss it", reader)), "missDetection \(name)")
        },
        Kind("swapIds", .list(.subject), "The tracker takes one of two for the other.") { value, _, reader throws(ScenarioError) in
            let names = try value.list(of: "swapIds")
            guard names.count == 2 else { throw value.error("`swapIds` swaps two subjects: [maya, ben]") }
            let (one, other) = (try reader.subject(names[0]), try reader.subject(names[1]))
            guard one != other else { throw value.error("`swapIds` swaps two different subjects") }
            return (.swapIDs(one, other), "swapIds \(one) \(other)")
        },
        Kind("dropFrames", .integer(1...10_000), "So many frames never arrive.") { value, _, _ throws(ScenarioError) in
            (.dropFrames(try value.integer("the number of frames lost", in: 1...10_000)), nil)
        },
        Kind("interrupt", .table(interrupt), "The system takes the camera away.") { value, time, reader throws(ScenarioError) in
            let fields = try Fields(value, of: "interrupt", interrupt)
            let reason = try fields.read("by") { node throws(ScenarioError) in try node.choice("an interruption", Fault.Interruption.self) }
            return (.interrupt(reason ?? .otherApp, until: try end(fields, from: time, "how long it lasts", reader)), "interrupt")
        },
        .flag("runtimeError", .runtimeError, "The media services are reset."),
        .flag("disconnect", .disconnect, "The camera is pulled out, for good."),
        .flag("diskFull", .diskFull, "From here on nothing more can be written."),
        Kind("pressure", .words(Fault.Pressure.self), "How hot the camera is.") { value, _, _ throws(ScenarioError) in
            (.pressure(try value.choice("a pressure", Fault.Pressure.self)), nil)
        },
        Kind("lateMetadata", .table(lateMetadata), "The app hears of objects some frames late.") { value, time, reader throws(ScenarioError) in
            let fields = try Fields(value, of: "lateMetadata", lateMetadata)
            let frames = try fields.required("frames", "how many frames late").integer("the delay in frames", in: 1...60)
            let until = try end(fields, from: time, "how long it lasts", reader)
            return (.lateMetadata(frames: frames, until: until), "lateMetadata \(frames) frames")
        },
        .flag("deny", .deny, "The user takes back the permission: no camera can be opened any more; at 0s none at all."),
    ]

    /// Time at which a fault ends, by its key `for`.
    private static func end(_ fields: Fields, from time: Int64, _ what: String, _ reader: TimelineReader) throws(ScenarioError) -> Int64 {
        let length = try reader.timebase.duration(try fields.required("for", "how long, like 300ms"), what)
        guard length > 0 else { throw fields.node.error("`for` is longer than nothing") }
        return time + length
    }
}
