import CoreMedia
import Foundation
import Media
import Pipeline
import RunReport
import ScenarioFormat
import Support

/// Record of a render, kept as `render.json` in its run directory: the command, and every choice that was made for it.
struct RenderRecord: Encodable {
    /// Version of this format.
    var format = 1
    /// Words of the command behind the program's name, with which it is done again; nil where the render was not a command.
    var arguments: [String]?
    /// Bytes of each file that was read.
    var inputs: [String: Int]
    var source: Source
    var output: Output
    var lens: Lens
    var focus: Focus
    var frames: Int
    /// Lines on standard error about footage and movie.
    var remarks: [String]

    struct Source: Encodable {
        var width: Int
        var height: Int
        /// Seconds as a fraction, `1001/24000`.
        var frameDuration: String
        var pixelFormat: String
        var colors: PictureColors
        var pixelAspect: PixelAspect
        var timecode: String?
        /// Seconds of the footage before the first frame used.
        var start: Double
        var from: String?
        var to: String?
        var toneMapped: Bool
        /// Frame duration to which the footage was brought, as a fraction.
        var constantRate: String?
    }

    struct Output: Encodable {
        var path: String
        var codec: DeliveryOptions.Codec
        var pixelFormat: DeliveryOptions.PixelFormat
        var quality: Double?
        /// Bits per second.
        var bitrate: Int?
        /// Encoder asked for: software, hardware or its name.
        var encoder: String
        var overlay: Bool
        var draft: Bool
    }

    struct Lens: Encodable {
        /// Simulated f-number asked for; nil for the scenario's or the camera's.
        var aperture: Double?
        var highlights: Double
        var blades: Int
        var catsEye: Double
        var vignetting: Double?
        /// Size of the layers of blur.
        var quality: String
        var grain: String
        var breathing: Double?
        var axialColor: Double
        var onionRings: Double
        var shader: String?
        var device: String
    }

    struct Focus: Encodable {
        var scenario: String?
        var mode: String
        var detections: String
        /// Name of the phone that films; nil for the scenario's.
        var phone: String?
        /// Orders of the command line.
        var orders: [String]
        /// Seconds of every automatic rack; nil is by distance.
        var rack: Double?
        /// Curve of automatic racks.
        var rackEase: String
        /// Version of the focus engine.
        var engine = TraceWriter.engineVersion
    }

    /// JSON with sorted keys and a newline at its end.
    var json: Data {
        get throws {
            try JSONEncoder.readable.encode(self) + Data("\n".utf8)
        }
    }
}

extension RenderRecord.Source {
    init(_ source: SourceDescription, _ clip: ScenarioFile.Clip) {
        func fraction(_ time: CMTime) -> String { "\(time.value)/\(time.timescale)" }
        self.init(
            width: source.width, height: source.height, frameDuration: fraction(source.frameDuration),
            pixelFormat: String(fourCharacterCode: source.pixelFormat), colors: source.colors, pixelAspect: source.pixelAspect,
            timecode: source.timecode, start: source.footageStart.seconds, from: clip.span.from?.description, to: clip.span.to?.description,
            toneMapped: clip.isToneMapped, constantRate: clip.constantRate.map(fraction))
    }
}

extension RenderRecord.Output {
    init(_ path: String, _ delivery: DeliveryOptions.Resolved, overlay: Bool, isDraft: Bool) {
        self.init(
            path: path, codec: delivery.codec, pixelFormat: delivery.pixelFormat, encoder: delivery.encoder.description, overlay: overlay,
            draft: isDraft)
        switch delivery.rate {
        case .quality(let quality): self.quality = quality
        case .bitrate(let bits): bitrate = bits
        case nil: break
        }
    }
}
