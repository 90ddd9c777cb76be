import Foundation

extension DetectionLog {
    /// Reads a file of JSON Lines.
    public init(path: String) throws(DetectionLogError) {
        let data: Data
        do { data = try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
            let reason = FileManager.default.fileExists(atPath: path) ? "cannot be read" : "there is no such file"
            throw DetectionLogError(path: path, reason: reason)
        }
        try self.init(data, path: path)
    }

    /// Reads JSON Lines; `path` names them in errors.
    public init(_ data: Data, path: String) throws(DetectionLogError) {
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let decoder = JSONDecoder()
        func decode<Value: Decodable>(_ type: Value.Type, _ line: Int, _ what: String) throws(DetectionLogError) -> Value {
            do { return try decoder.decode(type, from: lines[line]) } catch {
                throw DetectionLogError(path: path, line: line + 1, reason: "this is not \(what): \(Self.reason(error))")
            }
        }
        header = try decode(Header.self, 0, "the header of a file of detections, as `rackfocus detect` writes it")
        entries = []
        guard header.format == 1, header.width > 0, header.height > 0 else {
            throw DetectionLogError(path: path, line: 1, reason: "this is format \(header.format) of detections, but only format 1 is known")
        }
        for index in lines.indices.dropFirst() where !lines[index].isEmpty {
            let entry = try decode(Checked.self, index, "a frame of detections").entry
            if let last = entries.last, entry.time <= last.time {
                throw DetectionLogError(path: path, line: index + 1, reason: "the frame at \(entry.time) ns comes after the one at \(last.time) ns")
            }
            entries.append(entry)
        }
    }

    private static func reason(_ error: any Error) -> String {
        switch error as? DecodingError {
        case .keyNotFound(let key, _): "`\(key.stringValue)` is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            ([context.codingPath.map(\.stringValue).joined(separator: ".")].filter { !$0.isEmpty } + [context.debugDescription]).joined(
                separator: ": ")
        default: "\(error)"
        }
    }

    /// The whole file.
    public var text: String { header.line + entries.map(\.line).joined() }
}

extension DetectionLog.Header {
    /// As the first line of a file.
    public var line: String { json(self) }
}

extension DetectionLog.Entry {
    /// As a line of a file.
    public var line: String { json(Line(self)) }
}

private func json(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Only a number that is none can fail here, and boxes and disparities are numbers.
    guard let data = try? encoder.encode(value) else { preconditionFailure("a detection holds a number that is none") }
    return String(decoding: data, as: UTF8.self) + "\n"
}

/// A line whose values make sense.
private struct Checked: Decodable {
    var entry: DetectionLog.Entry

    init(from decoder: any Decoder) throws { entry = try Line(from: decoder).entry }
}

/// An entry as it is written; absent keys are the usual case.
private struct Line: Codable {
    struct Object: Codable {
        var id: Int
        var group: Int?
        var kind: String
        var box: [Double]
        var yaw: Double?
        var roll: Double?
        var confidence: Double
        var disparity: Double?
        var label: String?
    }

    struct Tap: Codable {
        var at: [Double]
        var found: Object?
    }

    var frame: Int
    var time: Int64
    var detections: [Object]
    var disparity: DisparityStatistics?
    var taps: [Tap]?
    var picture: String?
    var size: [Int]?

    init(_ entry: DetectionLog.Entry) {
        (frame, time, disparity, picture, size) = (entry.frame, entry.time, entry.disparity, entry.picture, entry.size)
        detections = entry.detections.map(Object.init)
        taps = entry.taps.isEmpty ? nil : entry.taps.map { Tap(at: [$0.point.x, $0.point.y], found: $0.found.map(Object.init)) }
    }

    var entry: DetectionLog.Entry {
        get throws {
            var entry = DetectionLog.Entry(frame: frame, time: time, detections: try detections.map { try $0.detection }, disparity: disparity)
            (entry.picture, entry.size) = (picture, size)
            if let size, size.count != 2 || size.contains(where: { $0 <= 0 }) { throw Line.corrupt("size is [width, height], not \(size)") }
            entry.taps = try (taps ?? []).map { tap in
                guard tap.at.count == 2 else { throw Line.corrupt("a tap is at [x, y], not \(tap.at)") }
                return DetectionLog.Tap(point: CGPoint(x: tap.at[0], y: tap.at[1]), found: try tap.found?.detection)
            }
            return entry
        }
    }

    static func corrupt(_ reason: String) -> DecodingError { .dataCorrupted(.init(codingPath: [], debugDescription: reason)) }
}

extension Line.Object {
    init(_ detection: Detection) {
        let bounds = detection.bounds
        self.init(
            id: detection.objectID, group: detection.groupID >= 1 ? detection.groupID : nil, kind: detection.kind.rawValue,
            box: [bounds.minX, bounds.minY, bounds.width, bounds.height], yaw: detection.yaw, roll: detection.roll, confidence: detection.confidence,
            disparity: detection.disparity, label: detection.label)
    }

    var detection: Detection {
        get throws {
            guard let kind = Detection.Kind(rawValue: kind) else {
                throw Line.corrupt("there is no kind `\(kind)`; known are \(Detection.Kind.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            guard box.count == 4, box[2] >= 0, box[3] >= 0 else { throw Line.corrupt("a box is [x, y, width, height], not \(box)") }
            guard id >= 1 else { throw Line.corrupt("an id is 1 or more, not \(id)") }
            return Detection(
                objectID: id, groupID: group ?? -1, kind: kind, bounds: CGRect(x: box[0], y: box[1], width: box[2], height: box[3]), yaw: yaw,
                roll: roll, confidence: confidence, disparity: disparity, label: label)
        }
    }
}
