import Foundation
import Support

/// Intrinsics and relative pose of two cameras, as measured from pictures of a chessboard; kept in a JSON file that can be read and edited.
public struct StereoCalibration: Codable, Sendable, Equatable {
    /// One camera: pixels of pictures of `width` x `height`.
    public struct Lens: Codable, Sendable, Equatable {
        /// Across and down, in pixels.
        public var focalLength: [Double]
        /// (0, 0) is the middle of the first pixel.
        public var principalPoint: [Double]
        /// k1, k2, p1, p2, k3 of Brown's model, without unit.
        public var distortion: [Double]
    }

    /// Width in pixels of the pictures that were measured.
    public var width: Int
    /// Height in pixels of the pictures that were measured.
    public var height: Int
    /// Intrinsics of the left camera.
    public var left: Lens
    /// Intrinsics of the right camera.
    public var right: Lens
    /// A point X seen by the left camera is `rotation` · X + `translation` for the right one. Nine values without unit, row by row.
    public var rotation: [Double]
    /// Metres.
    public var translation: [Double]
    /// Root mean square of what the corners miss their places by, pixels; under half a pixel is good.
    public var reprojectionError: Double
    /// Number of pairs of pictures that showed the board.
    public var views: Int
    /// Identifiers of the cameras, as `rackfocus record --list` has them; nil where the file names none.
    public var leftCamera: String?
    /// Of the right camera.
    public var rightCamera: String?

    /// Metres between the cameras.
    public var baseline: Double { translation.map { $0 * $0 }.reduce(0, +).squareRoot() }

    /// Reads a file that `rackfocus calibrate` wrote; throws `VisionError`.
    public init(contentsOf path: String) throws(VisionError) {
        let data: Data
        do throws(InputError) { data = try FileContents.read(path) } catch { throw Self.failure(path, error.reason) }
        try self.init(data, path: path)
    }

    /// Reads the bytes of a file, which `path` names in errors.
    init(_ data: Data, path: String) throws(VisionError) {
        do { self = try JSONDecoder().decode(Self.self, from: data) } catch {
            throw Self.failure(path, "it is not what `rackfocus calibrate` writes (\(Self.explain(error)))")
        }
        if let problem = self.problem { throw Self.failure(path, problem) }
    }

    private static func failure(_ path: String, _ reason: String) -> VisionError {
        VisionError(code: .file, operation: "reading the calibration \(path)", underlying: reason)
    }

    init(
        width: Int, height: Int, left: Lens, right: Lens, rotation: [Double], translation: [Double], reprojectionError: Double, views: Int
    ) {
        self.width = width
        self.height = height
        self.left = left
        self.right = right
        self.rotation = rotation
        self.translation = translation
        self.reprojectionError = reprojectionError
        self.views = views
    }

    /// The file's text: keys in order, one value a line.
    public func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return try encoder.encode(self) + Data("\n".utf8)
    }

    /// Reason why this is no pair of cameras side by side; nil when it is one.
    var problem: String? {
        let numbers = left.values + right.values + rotation + translation
        guard [left, right].allSatisfy({ $0.focalLength.count == 2 && $0.principalPoint.count == 2 && $0.distortion.count == 5 }),
            rotation.count == 9, translation.count == 3
        else { return "a focal length and a principal point have 2 values, a distortion 5, a rotation 9, a translation 3" }
        guard (1...65_536).contains(width), (1...65_536).contains(height), (left.focalLength + right.focalLength).allSatisfy({ $0 >= 1 }) else {
            return "sides are 1 to 65536 pixels, and focal lengths at least 1"
        }
        // A NaN is in no range.
        guard (numbers + [reprojectionError]).allSatisfy({ abs($0) <= 1_000_000 }), rotation.allSatisfy({ abs($0) <= 1.001 }) else {
            return "numbers are finite and at most a million, those of a rotation at most 1"
        }
        guard baseline > 0.0001 else { return "both cameras stand in one place; are their pictures the same?" }
        guard abs(translation[0]) > 2 * abs(translation[1]) else { return "the cameras stand above each other; disparity wants them side by side" }
        guard translation[0] < 0 else { return "the right camera stands on the left: --left and --right are swapped" }
        return nil
    }

    private static func explain(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, _): "`\(key.stringValue)` is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            "`\(context.codingPath.map(\.stringValue).joined(separator: "."))` is of another kind"
        default: "it is not JSON"
        }
    }
}

extension StereoCalibration.Lens {
    fileprivate var values: [Double] { focalLength + principalPoint + distortion }
}
