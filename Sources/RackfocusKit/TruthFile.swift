import Foundation
import Pipeline

/// What is really there in some frames of a clip, or in some pictures, as others or the stage wrote it down.
///
/// | file | is |
/// |---|---|
/// | `.txt`, `.csv` | `frame (1-based), id, x, y, w, h, flag, class, visibility` in pixels, a line each |
/// | `.xml` | dlib's: `<image file=…><box top left width height/>`, faces by picture |
/// | `.jsonl` | a file of detections, taken as true |
///
/// A flag of 0, and a visibility below 0.5, mean: may be found, need not be.
public struct TruthFile: Sendable, Equatable {
    public struct Object: Sendable, Equatable {
        public var id: Int
        public var kind: Detection.Kind
        /// Pixels; 0…1 in a truth taken from detections.
        public var box: CGRect
        public var isRequired = true
    }

    public enum Place: Hashable, Sendable {
        case frame(Int)
        case picture(String)
    }

    /// Of each labelled frame or picture, what is there; an empty list is known to be empty.
    public private(set) var objects: [Place: [Object]] = [:]
    /// Whether boxes are fractions of the picture already.
    public private(set) var isNormalized = false

    public init(path: String) throws(DetectionLogError) {
        if path.lowercased().hasSuffix(".jsonl") {
            isNormalized = true
            for entry in try DetectionLog(path: path).entries {
                let place = entry.picture.map(Place.picture) ?? .frame(entry.frame)
                objects[place] = entry.detections.map { Object(id: $0.objectID, kind: $0.kind, box: $0.bounds) }
            }
            return
        }
        let text: String
        do { text = try String(contentsOfFile: path, encoding: .utf8) } catch {
            let reason = FileManager.default.fileExists(atPath: path) ? "is no text" : "there is no such file"
            throw DetectionLogError(path: path, reason: reason)
        }
        if path.lowercased().hasSuffix(".xml") { try readPictures(text, path) } else { try readLines(text, path) }
        guard !objects.isEmpty else { throw DetectionLogError(path: path, reason: "holds no truth") }
    }

    private mutating func readLines(_ text: String, _ path: String) throws(DetectionLogError) {
        for (number, line) in text.split(whereSeparator: \.isNewline).enumerated() where !line.hasPrefix("#") {
            let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            let numbers = fields.prefix(6).compactMap(Double.init)
            guard fields.count >= 8, numbers.count == 6, let frame = Int(fields[0]), let id = Int(fields[1]), frame >= 1 else {
                let reason = "a line is `frame, id, x, y, w, h, flag, class, visibility`, not `\(line)`"
                throw DetectionLogError(path: path, line: number + 1, reason: reason)
            }
            guard let kind = Detection.Kind(rawValue: fields[7]) else {
                let known = Detection.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                throw DetectionLogError(path: path, line: number + 1, reason: "there is no class `\(fields[7])`; known are \(known)")
            }
            let isVisible = fields.count < 9 || Double(fields[8]) ?? 1 >= 0.5
            let box = CGRect(x: numbers[2], y: numbers[3], width: numbers[4], height: numbers[5])
            objects[.frame(frame - 1), default: []].append(
                Object(id: id, kind: kind, box: box, isRequired: isVisible && fields[6] != "0"))
        }
    }

    private mutating func readPictures(_ text: String, _ path: String) throws(DetectionLogError) {
        var picture: String?
        for (number, line) in text.split(whereSeparator: \.isNewline).enumerated() {
            func attribute(_ name: String) -> String? {
                guard let start = line.range(of: " \(name)='") ?? line.range(of: " \(name)=\"") else { return nil }
                return line[start.upperBound...].split(whereSeparator: { "'\"".contains($0) }).first.map(String.init)
            }
            if line.contains("<image ") {
                picture = attribute("file")
                if let picture { objects[.picture(picture), default: []] = [] }
            } else if line.contains("<box ") {
                let sides = ["left", "top", "width", "height"].compactMap { attribute($0).flatMap(Double.init) }
                guard let picture, sides.count == 4 else {
                    throw DetectionLogError(path: path, line: number + 1, reason: "a box has top, left, width and height and lies in an image")
                }
                let here = objects[.picture(picture)]?.count ?? 0
                let box = CGRect(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
                let isRequired = attribute("ignore") != "1"
                objects[.picture(picture), default: []].append(Object(id: here + 1, kind: .face, box: box, isRequired: isRequired))
            }
        }
    }
}
