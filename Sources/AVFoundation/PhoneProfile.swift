import Foundation

/// A phone as a readable JSON file: its cameras and microphones. A new phone is a new file and no code.
///
/// Files in `Sources/AVFoundation/Cameras` are compiled into the module, so that an installed program needs no folder beside it;
/// any other file is read with `CameraProfile.cameras(at:)`.
struct PhoneProfile: Decodable {
    let model: String
    let hasCameraControl: Bool?
    let cameras: [Camera]
    let microphones: [Microphone]?

    struct Camera: Decodable {
        let uniqueID: String
        let name: String
        /// The Swift name, for example `builtInDualWideCamera`.
        let type: String
        let position: Position
        let focalLength: Double
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
            guard ends.count == 2, ends[0] <= ends[1], ends[0] > 0 else {
                throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "a span is [low, high], both above 0"))
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
            guard sides.count == 2, sides.allSatisfy({ $0 > 0 && $0 % 2 == 0 }) else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "\(text) is not a size: write even sides as 1920x1080"))
            }
            (width, height) = (sides[0], sides[1])
        }
    }

    init(_ data: Data) throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        self = try decoder.decode(Self.self, from: data)
    }
}

/// A device file that cannot be used.
public struct CameraProfileError: Error, CustomStringConvertible {
    public let file: String
    /// Where in the file and what is wrong.
    public let reason: String
    public let underlying: (any Error)?
    public var description: String { "\(file): \(reason)" }

    init(file: String, _ error: any Error) {
        self.file = file
        underlying = error
        switch error as? DecodingError {
        case .keyNotFound(let key, let context): reason = "\(context.place)\"\(key.stringValue)\" is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            reason = context.place + context.debugDescription
        case nil: reason = error.localizedDescription
        @unknown default: reason = String(describing: error)
        }
    }

    init(file: String, reason: String) {
        self.file = file
        self.reason = reason
        underlying = nil
    }
}

extension DecodingError.Context {
    fileprivate var place: String {
        codingPath.isEmpty ? "" : codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined().trimmingPrefix(".") + ": "
    }
}
