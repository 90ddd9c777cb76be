import Foundation
import Support

/// The schema of a phone's JSON file: its cameras and microphones. A new phone is a new file and no code.
///
/// Files in `CameraProfiles/Shipped` are compiled into the module (plugin `PhoneProfiles`), so that an installed program needs no folder beside it;
/// any other file is read with `CameraProfile.Phone(contentsOf:)`.
struct PhoneProfile: Decodable {
    let model: String
    let hasCameraControl: Bool?
    /// Whether several of its cameras can run at once.
    let hasMultiCam: Bool?
    let cameras: [Camera]
    let microphones: [Microphone]?

    struct Camera: Decodable {
        let uniqueID: String
        let name: String
        /// The Swift name, for example `builtInDualWideCamera`.
        let type: String
        let position: Position
        let focalLength: Double
        /// F-number of the physical lens.
        let lensAperture: Double?
        let isVirtual: Bool?
        let constituents: [String]?
        let switchOverZoomFactors: [Double]?
        let isFixedFocus: Bool?
        let hasTorch: Bool?
        let formats: [Formats]
    }

    enum Position: String, Decodable {
        case unspecified, back, front

        var rawPosition: Int {
            switch self {
            case .unspecified: 0
            case .back: 1
            case .front: 2
            }
        }
    }

    /// Every size in every pixel format.
    struct Formats: Decodable {
        /// `width`x`height`.
        let sizes: [Size]
        let pixelFormats: [String]
        let frameRates: Span
        let fieldOfView: Double
        let maxZoom: Double
        let depthWidths: [Int]?
        let cinematic: Cinematic?
    }

    struct Cinematic: Decodable {
        let aperture: Span
        let defaultAperture: Double
        let zoom: Span
        let frameRates: Span
    }

    struct Microphone: Decodable {
        let uniqueID: String
        let name: String
        let channels: [Channels]
    }

    enum Channels: String, Decodable {
        case stereo, firstOrderAmbisonics
        var rawMode: Int { self == .stereo ? 1 : 2 }
    }

    /// `[low, high]`.
    struct Span: Decodable {
        let range: ClosedRange<Double>

        init(from decoder: any Decoder) throws {
            let ends = try [Double](from: decoder)
            guard ends.count == 2, ends[0] <= ends[1], ends.allSatisfy((0.001...1_000_000).contains) else {
                let reason = "a span is [low, high], both above 0 and at most a million"
                throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: reason))
            }
            range = ends[0]...ends[1]
        }
    }

    struct Size: Decodable {
        let width: Int
        let height: Int

        init(from decoder: any Decoder) throws {
            let text = try String(from: decoder)
            let sides = text.split(separator: "x").compactMap { Int($0) }
            guard sides.count == 2, sides.allSatisfy({ (2...65_536).contains($0) && $0 % 2 == 0 }) else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "\(text) is not a size: write even sides as 1920x1080"))
            }
            (width, height) = (sides[0], sides[1])
        }
    }

    init(_ data: Data) throws {
        // Foundation's reader of JSON5 traps on bytes that are not UTF-8.
        guard String(validating: data, as: UTF8.self) != nil else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "it is no text in UTF-8"))
        }
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        self = try decoder.decode(Self.self, from: data)
    }
}

extension PhoneProfile.Camera {
    /// Key of the first number that makes no sense; nil when all do. A NaN, which JSON5 can write, is in no range.
    var problem: String? {
        guard (1...10_000).contains(focalLength) else { return "a focal length is 1 to 10,000 mm, not \(focalLength)" }
        if let lensAperture, !(0.5...64).contains(lensAperture) { return "a lens aperture is 0.5 to 64, not \(lensAperture)" }
        if let factor = switchOverZoomFactors?.first(where: { !(1...1000).contains($0) }) { return "zoom goes from 1 to 1000, not to \(factor)" }
        for format in formats {
            guard (0.1...360).contains(format.fieldOfView) else { return "a field of view is 0.1 to 360 degrees, not \(format.fieldOfView)" }
            guard (1...1000).contains(format.maxZoom) else { return "zoom goes from 1 to 1000, not to \(format.maxZoom)" }
            if let width = format.depthWidths?.first(where: { !(1...65_536).contains($0) }) { return "depth is 1 to 65536 pixels wide, not \(width)" }
            if let cinematic = format.cinematic, !cinematic.aperture.range.contains(cinematic.defaultAperture) {
                return "the default aperture \(cinematic.defaultAperture) is not among its apertures"
            }
        }
        return nil
    }
}

/// Error of a device file that cannot be used.
public struct CameraProfileError: Error, CustomStringConvertible {
    /// Path of the file, or the name that was asked for.
    public let file: String
    /// Place in the file and fault, for people.
    public let reason: String
    /// Error of the decoder; nil where the file is missing or its content contradicts itself.
    public let underlying: (any Error)?
    /// File and fault as one line.
    public var description: String { "\(file): \(reason)" }

    init(file: String, _ error: any Error) {
        self.file = file
        underlying = error
        let reason =
            switch error as? DecodingError {
            case .keyNotFound(let key, let context): "\(context.place)\"\(key.stringValue)\" is missing"
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                context.place + context.debugDescription
            case nil: error.localizedDescription
            @unknown default: String(describing: error)
            }
        self.reason = reason.excerpt()
    }

    init(file: String, reason: String) {
        self.file = file
        self.reason = reason.excerpt()
        underlying = nil
    }
}

extension DecodingError.Context {
    fileprivate var place: String {
        codingPath.isEmpty ? "" : codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined().trimmingPrefix(".") + ": "
    }
}
