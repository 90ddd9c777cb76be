import Foundation
import Pipeline
import Support

/// Ground truth of some frames of a clip, or of some pictures, annotated by hand or by the stage.
///
/// | file | is |
/// |---|---|
/// | `.txt`, `.csv` | `frame (1-based), id, x, y, w, h, flag, class, visibility` in pixels, a line each |
/// | `.xml` | dlib's: `<image file=…><box top left width height/>`, faces by picture |
/// | `.jsonl` | a file of detections, taken as true |
///
/// A flag of 0, and a visibility below 0.5, mean: may be found, need not be.
public struct TruthFile: Sendable, Equatable {
    /// Annotated object.
    public struct Object: Sendable, Equatable {
        /// Identity of the object.
        public var id: Int
        /// Class of the object.
        public var kind: Detection.Kind
        /// Box in pixels; 0…1 in a truth taken from detections.
        public var box: CGRect
        /// Whether a detector must find it; else it may.
        public var isRequired = true
    }

    /// Frame, by its index, or picture, by its file.
    public enum Place: Hashable, Sendable {
        case frame(Int)
        case picture(String)

        /// Place of a log's line.
        init(_ entry: DetectionLog.Entry) { self = entry.picture.map(Place.picture) ?? .frame(entry.frame) }
    }

    /// Objects of each labelled frame or picture; an empty list is known to be empty.
    public private(set) var objects: [Place: [Object]] = [:]
    /// Whether boxes are fractions of the picture already.
    public private(set) var isNormalized = false

    /// Reads a file by its extension; throws `DetectionLogError` with the line at fault.
    public init(path: String) throws(DetectionLogError) {
        let data: Data
        do throws(InputError) { data = try FileContents.read(path) } catch { throw DetectionLogError(path: path, reason: error.reason) }
        try self.init(data, path: path)
    }

    /// Reads the bytes of a file; `path` says by its extension what they are, and names them in errors.
    init(_ data: Data, path: String) throws(DetectionLogError) {
        if path.lowercased().hasSuffix(".jsonl") {
            isNormalized = true
            for entry in try DetectionLog(data, path: path).entries {
                objects[Place(entry)] = entry.detections.map { Object(id: $0.objectID, kind: $0.kind, box: $0.bounds) }
            }
            return
        }
        guard let text = String(validating: data, as: UTF8.self) else { throw DetectionLogError(path: path, reason: "is no text") }
        if path.lowercased().hasSuffix(".xml") { try readPictures(text, path) } else { try readLines(text, path) }
        guard !objects.isEmpty else { throw DetectionLogError(path: path, reason: "holds no truth") }
    }

    private mutating func readLines(_ text: String, _ path: String) throws(DetectionLogError) {
        for (number, line) in text.split(whereSeparator: \.isNewline).enumerated() where !line.hasPrefix("#") {
            let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            guard fields.count >= 8, let frame = Self.number(fields[0]), let id = Self.number(fields[1]), frame >= 1,
                let box = Self.box(fields[2...5])
            else {
                let reason = "a line is `frame, id, x, y, w, h, flag, class, visibility`, not `\(line)`"
                throw DetectionLogError(path: path, line: number + 1, reason: reason)
            }
            guard let kind = Detection.Kind(rawValue: fields[7]) else {
                let known = Detection.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                throw DetectionLogError(path: path, line: number + 1, reason: "there is no class `\(fields[7])`; known are \(known)")
            }
            let isVisible = fields.count < 9 || Double(fields[8]) ?? 1 >= 0.5
            objects[.frame(frame - 1), default: []].append(
                Object(id: id, kind: kind, box: box, isRequired: isVisible && fields[6] != "0"))
        }
    }

    /// The number of a frame or an object; nil beyond 32 bits.
    private static func number(_ text: String) -> Int? { Int32(text).map(Int.init) }

    /// `x, y, width, height` in pixels; nil where one is no number, or far outside any picture.
    private static func box(_ texts: ArraySlice<String>) -> CGRect? {
        let numbers = texts.compactMap(Double.init).filter { abs($0) <= 1_000_000 }
        guard texts.count == 4, numbers.count == 4, numbers[2] >= 0, numbers[3] >= 0 else { return nil }
        return CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
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
                let sides = ["left", "top", "width", "height"].compactMap(attribute)
                guard let picture, let box = Self.box(sides[...]) else {
                    throw DetectionLogError(path: path, line: number + 1, reason: "a box has top, left, width and height and lies in an image")
                }
                let here = objects[.picture(picture)]?.count ?? 0
                let isRequired = attribute("ignore") != "1"
                objects[.picture(picture), default: []].append(Object(id: here + 1, kind: .face, box: box, isRequired: isRequired))
            }
        }
    }
}
