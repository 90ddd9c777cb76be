import AVFCapture
import Foundation
import Pipeline

/// Decisions of a run, as `decisions.json`: presence of objects, the focus puller's own choices and the user's, and the racks between them. Times are
/// nanoseconds; disparities are in 1/65536 of 1/m, as in the trace.
///
///     {"format":1,
///     "detections":[
///     {"id":1,"label":"maya","kind":"face","group":1,"from":0,"to":5966666667}
///     ],
///     "base":[
///     {"t":0,"why":"entered","subject":1,"label":"maya","mode":"weak","user":false,"fixed":false,"disparity":32768}
///     ],
///     "user":[],
///     "transitions":[
///     {"start":3100000000,"duration":400000000,"from":32768,"to":50412}
///     ]}
package struct DecisionFile: Sendable {
    /// One stay of an object: the times of the first and, once it is over, of the last frame in a row that report it.
    private struct Stay: Sendable {
        let detection: Detection
        let label: String?
        let from: Int64
        var to: Int64 = 0

        func ended(at time: Int64) -> Stay {
            var stay = self
            stay.to = time
            return stay
        }
    }

    private var over: [Stay] = []
    private var present: [Stay] = []
    /// Objects present, in the order of the last frame, and its time.
    private var ids: [Int] = []
    private var last: Int64 = 0
    private var base: [JSONLine] = []
    private var user: [JSONLine] = []
    private var transitions: [Rack] = []

    /// Creates an empty file.
    package init() {}

    /// Adds the decisions of a frame, and notes arrivals and departures.
    package mutating func append(_ record: FrameRecord, labels: [String?], known: SubjectLabels) {
        if record.detections.count != ids.count || ids.indices.contains(where: { record.detections[$0].objectID != ids[$0] }) {
            meet(record, labels)
        }
        last = record.time
        for decision in record.decisions {
            var line = JSONLine()
            TraceWriter.write(decision, known, to: &line)
            if decision.isUserDecision { user.append(line) } else { base.append(line) }
        }
        if let rack = record.state.rack, rack.start != transitions.last?.start || rack.to != transitions.last?.to { transitions.append(rack) }
    }

    /// Records an arrival or a departure.
    private mutating func meet(_ record: FrameRecord, _ labels: [String?]) {
        ids = record.detections.map(\.objectID)
        for index in present.indices.reversed() where !ids.contains(present[index].detection.objectID) {
            over.append(present.remove(at: index).ended(at: last))
        }
        for (index, detection) in record.detections.enumerated()
        where !present.contains(where: { $0.detection.objectID == detection.objectID }) {
            present.append(Stay(detection: detection, label: labels[index], from: record.time))
        }
    }

    /// Contents of the file.
    package var data: Data {
        let stays = (over + present.map { $0.ended(at: last) }).sorted { ($0.from, $0.detection.objectID) < ($1.from, $1.detection.objectID) }
        let lists: [(name: String, lines: [JSONLine])] = [
            ("detections", stays.map(Self.line)), ("base", base), ("user", user), ("transitions", transitions.map(Self.line)),
        ]
        let texts = lists.map { list in
            list.lines.isEmpty ? "\"\(list.name)\":[]" : "\"\(list.name)\":[\n\(list.lines.map(\.text).joined(separator: ",\n"))\n]"
        }
        return Data(("{\"format\":1,\n" + texts.joined(separator: ",\n") + "}\n").utf8)
    }

    private static func line(_ stay: Stay) -> JSONLine {
        var line = JSONLine()
        line.add("id", stay.detection.objectID)
        line.add("label", stay.label)
        line.add("kind", plain: stay.detection.kind.rawValue)
        line.add("group", stay.detection.groupID)
        line.add("from", Int(stay.from))
        line.add("to", Int(stay.to))
        return line
    }

    private static func line(_ rack: Rack) -> JSONLine {
        var line = JSONLine()
        line.add("start", Int(rack.start))
        line.add("duration", Int(rack.duration))
        line.add("from", rack.from as Double?)
        line.add("to", rack.to as Double?)
        return line
    }
}
