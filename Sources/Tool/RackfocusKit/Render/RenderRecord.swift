import Bokeh
import CoreMedia
import Foundation
import Media
import Pipeline
import RunReport
import ScenarioFormat
import Support

/// Record of a movie: the command, and every choice that was made for it.
///
/// Of a render it lies as `render.json` in the run directory, of an export as `MOVIE.export.json` beside the movie, of stems as `export.json` in their folder.
struct RenderRecord: Encodable {
    /// Version of this format.
    var format = 1
    /// Words of the command behind the program's name, with which it is done again; nil where the render was not a command.
    var arguments: [String]?
    /// Bytes of each file that was read.
    var inputs: [String: Int]
    var source: Source
    var output: Output
    /// Nil for stems, which no lens has drawn.
    var lens: Lens?
    /// Nil for an export, whose focus was decided before.
    var focus: Focus?
    /// Path of the edits that an export applied; nil for none.
    var edits: String?
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
        /// Nil for stems, as are all below.
        var codec: DeliveryOptions.Codec?
        var pixelFormat: DeliveryOptions.PixelFormat?
        var quality: Double?
        /// Bits per second.
        var bitrate: Int?
        /// Encoder asked for: software, hardware or its name.
        var encoder: String?
        var overlay: Bool?
        var draft: Bool?
    }

    struct Lens: Encodable {
        /// Simulated f-number of a render's first frame; of an export that asked for, nil for the recorded ones.
        @OrNull var aperture: Double?
        var highlights: Double
        var blades: Int
        var catsEye: Double
        @OrNull var vignetting: Double?
        /// Size of the layers of blur.
        var quality: String
        var grain: String
        @OrNull var breathing: Double?
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
        @OrNull var rack: Double?
        /// Curve of automatic racks.
        var rackEase: String
        /// Version of the focus engine.
        var engine = TraceWriter.engineVersion
    }

    /// Value that is written as `null` where there is none, so that what is off is told, too.
    @propertyWrapper struct OrNull<Value: Encodable>: Encodable {
        var wrappedValue: Value?

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(wrappedValue)
        }
    }

    /// Bytes of each file, by its path; without those that are not there.
    static func sizes(of paths: [String]) -> [String: Int] {
        var sizes: [String: Int] = [:]
        for path in paths {
            var status = stat()
            if stat(path, &status) == 0 { sizes[path] = Int(status.st_size) }
        }
        return sizes
    }

    /// JSON with sorted keys and a newline at its end.
    var json: Data {
        get throws {
            try JSONEncoder.readable.encode(self) + Data("\n".utf8)
        }
    }
}

extension RenderRecord.Source {
    init(_ source: SourceDescription, _ span: FootageSpan, isToneMapped: Bool, constantRate: CMTime? = nil) {
        func fraction(_ time: CMTime) -> String { "\(time.value)/\(time.timescale)" }
        self.init(
            width: source.width, height: source.height, frameDuration: fraction(source.frameDuration),
            pixelFormat: String(fourCharacterCode: source.pixelFormat), colors: source.colors, pixelAspect: source.pixelAspect,
            timecode: source.timecode, start: source.footageStart.seconds, from: span.from?.description, to: span.to?.description,
            toneMapped: isToneMapped, constantRate: constantRate.map(fraction))
    }
}

extension RenderRecord.Lens {
    init(_ lens: BokehOptions, aperture: Double?, device: String) {
        self.init(
            aperture: .init(wrappedValue: aperture), highlights: lens.highlights, blades: lens.blades, catsEye: lens.catsEye,
            vignetting: .init(wrappedValue: lens.vignetting),
            quality: lens.quality.rawValue, grain: lens.grain.rawValue, breathing: .init(wrappedValue: lens.breathing), axialColor: lens.axialColor,
            onionRings: lens.onionRings, shader: lens.shader?.path, device: device)
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
