import Foundation
import Support

extension DetectionLog {
    /// Reads a file of JSON Lines; throws `DetectionLogError` with the line at fault.
    public init(path: String) throws(DetectionLogError) {
        let data: Data
        do throws(InputError) { data = try FileContents.read(path) } catch { throw DetectionLogError(path: path, reason: error.reason) }
        try self.init(data, path: path)
    }

    /// Reads JSON Lines whose times increase; `path` names them in errors.
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
        if let problem = header.problem { throw DetectionLogError(path: path, line: 1, reason: problem) }
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

    /// Ranges of the numbers in a file, checked once as they are read: fractions of the picture, numbers of objects,
    /// sides in pixels, nanoseconds (36 years), 1/m.
    fileprivate enum Limits {
        static let fraction = -1000.0...1000
        static let number = 1...Int(Int32.max)
        static let side = 1...65_536
        static let time: ClosedRange<Int64> = 0...(1 << 60)
        static let disparity = 0.0...1_000_000
        static let degrees = -360.0...360
        static let confidence = 0.0...1.000_001
        static let cue = 0.0...1
    }

    /// Contents of the file: the header's line, then one line a frame.
    public var text: String { header.line + entries.map(\.line).joined() }
}

extension DetectionLog.Header {
    /// First line of the file, with its line feed.
    public var line: String { json(self) }

    /// Reason why this is no header of a file that can be read; nil when it is one.
    fileprivate var problem: String? {
        typealias Limits = DetectionLog.Limits
        if format != 1 { return "this is format \(format) of detections, but only format 1 is known" }
        if !Limits.side.contains(width) || !Limits.side.contains(height) {
            return "a frame is 1 to \(Limits.side.upperBound) pixels wide and high, not \(width)x\(height)"
        }
        if frameDuration.count != 2 || !frameDuration.allSatisfy({ (1...Int(Int32.max)).contains($0) }) {
            return "the frame duration is [numerator, denominator] of seconds, both more than 0, not \(frameDuration)"
        }
        return nil
    }
}

extension DetectionLog.Capture {
    /// Reason why no capture can have had these inputs; nil when one can.
    fileprivate var problem: String? {
        typealias Limits = DetectionLog.Limits
        let places = (points ?? []).map(\.at) + (calls ?? []).compactMap(\.point)
        if let odd = places.first(where: { !Limits.fraction.contains($0.x) || !Limits.fraction.contains($0.y) }) { return "a point is no \(odd)" }
        let disparities = (points ?? []).map(\.disparity) + [ambient].compactMap { $0 }
        if let odd = disparities.first(where: { !Limits.disparity.contains($0) }) { return "a disparity is no \(odd)" }
        if let light, light < 0 { return "light is 0 lux or more, not \(light)" }
        let times = (calls ?? []).compactMap(\.course).flatMap { [$0.begin, $0.over, $0.landing].compactMap { $0 } }
        if let odd = times.first(where: { !Limits.time.contains($0) }) { return "a time is 0 to \(Limits.time.upperBound) ns, not \(odd)" }
        return nil
    }
}

extension FocusCall {
    fileprivate var point: CGPoint? { if case .trackAt(let point, _) = self { point } else { measuredPoint } }
    fileprivate var course: RackCourse? { if case .order(let order) = self { order.course } else { nil } }
}

extension DetectionLog.Entry {
    /// One line of the file, with its line feed.
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
        var sharpness: Double?
        var brightness: Double?
        var salience: Double?
        var extrapolated: Bool?
        var label: String?
    }

    struct Tap: Codable {
        var at: [Double]
        var found: Object?
    }

    var frame: Int
    var time: Int64
    var detections: [Object]
    var shot: Int?
    var disparity: DisparityStatistics?
    var taps: [Tap]?
    var picture: String?
    var size: [Int]?
    var capture: DetectionLog.Capture?

    init(_ entry: DetectionLog.Entry) {
        (frame, time, shot, disparity) = (entry.frame, entry.time, entry.shot, entry.disparity)
        (picture, size, capture) = (entry.picture, entry.size, entry.capture)
        detections = entry.detections.map(Object.init)
        taps = entry.taps.isEmpty ? nil : entry.taps.map { Tap(at: [$0.point.x, $0.point.y], found: $0.found.map(Object.init)) }
    }

    var entry: DetectionLog.Entry {
        get throws {
            typealias Limits = DetectionLog.Limits
            guard (0...Int(Int32.max)).contains(frame) else { throw Line.corrupt("a frame has a number from 0, not \(frame)") }
            guard shot.map({ (0...Int(Int32.max)).contains($0) }) ?? true else { throw Line.corrupt("a shot has a number from 0, not \(shot ?? 0)") }
            guard Limits.time.contains(time) else { throw Line.corrupt("a time is 0 to \(Limits.time.upperBound) ns, not \(time)") }
            let statistics = [disparity?.far, disparity?.median, disparity?.near].compactMap { $0 }
            if let odd = statistics.first(where: { !Limits.disparity.contains($0) }) { throw Line.corrupt("a disparity is no \(odd)") }
            var entry = DetectionLog.Entry(
                frame: frame, time: time, detections: try detections.map { try $0.detection }, disparity: disparity, shot: shot)
            entry.picture = picture
            entry.size = size
            if let size, size.count != 2 || !size.allSatisfy(Limits.side.contains) { throw Line.corrupt("size is [width, height], not \(size)") }
            if let reason = capture?.problem { throw Line.corrupt(reason) }
            entry.capture = capture
            entry.taps = try (taps ?? []).map { tap in
                guard tap.at.count == 2, tap.at.allSatisfy(Limits.fraction.contains) else { throw Line.corrupt("a tap is at [x, y], not \(tap.at)") }
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
            disparity: detection.disparity, sharpness: detection.sharpness, brightness: detection.brightness, salience: detection.salience,
            extrapolated: detection.isExtrapolated ? true : nil, label: detection.label)
    }

    var detection: Detection {
        get throws {
            guard let kind = Detection.Kind(rawValue: kind) else {
                throw Line.corrupt("there is no kind `\(kind)`; known are \(Detection.Kind.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            typealias Limits = DetectionLog.Limits
            guard box.count == 4, box[2] >= 0, box[3] >= 0, box.allSatisfy(Limits.fraction.contains) else {
                throw Line.corrupt("a box is [x, y, width, height] in widths and heights of the picture, not \(box)")
            }
            for number in [id, group ?? 1] where !Limits.number.contains(number) {
                throw Line.corrupt("an id is 1 or more, as is a group, and neither above \(Limits.number.upperBound), not \(number)")
            }
            for angle in [yaw, roll].compactMap({ $0 }) where !Limits.degrees.contains(angle) {
                throw Line.corrupt("yaw and roll are at most one turn, not \(angle) degrees")
            }
            guard Limits.confidence.contains(confidence) else { throw Line.corrupt("confidence is 0 to 1, not \(confidence)") }
            if let disparity, !Limits.disparity.contains(disparity) { throw Line.corrupt("a disparity is 0 or more, not \(disparity)") }
            for (name, cue) in [("sharpness", sharpness), ("brightness", brightness), ("salience", salience)] {
                if let cue, !Limits.cue.contains(cue) { throw Line.corrupt("\(name) is 0 to 1, not \(cue)") }
            }
            return Detection(
                objectID: id, groupID: group ?? -1, kind: kind, bounds: CGRect(x: box[0], y: box[1], width: box[2], height: box[3]), yaw: yaw,
                roll: roll, confidence: confidence, disparity: disparity, sharpness: sharpness, brightness: brightness, salience: salience,
                isExtrapolated: extrapolated ?? false, label: label)
        }
    }
}
