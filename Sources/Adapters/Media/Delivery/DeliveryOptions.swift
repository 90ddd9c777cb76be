import CoreVideo
import Foundation
import Pipeline

/// Options of a delivered movie or picture sequence: coding, quality, pixels, and the part of the footage. `render` takes them from its command line.
///
/// The container is that of the output's name: `.mov`, `.mp4`, `.mkv`, or a pattern as `out.%04d.png` for numbered pictures.
public struct DeliveryOptions: Sendable, Equatable {
    /// Coding of the pictures; movies, then sequences.
    public enum Codec: String, Sendable, CaseIterable, Codable { case h264, hevc, prores, ffv1, png, tiff, exr }

    /// Control of size and quality.
    public enum Rate: Sendable, Equatable {
        /// One scale for all codecs that lose, 0…100: x264 and x265 code at the constant rate factor 40 - 0.4 × quality, 0 is the best; ProRes takes
        /// the profile Proxy below 20, LT below 40, 422 below 65, else HQ.
        case quality(Double)
        /// Average bits per second; H.264 and HEVC alone.
        case bitrate(Int)
    }

    /// Pixel format of the coded pictures, in FFmpeg's words; the number is of bits a sample where it is not 8.
    public enum PixelFormat: String, Sendable, CaseIterable, Codable {
        case yuv420p, yuv422p, yuv444p, yuv420p10, yuv422p10, yuv444p10, rgb24, rgb48
        /// Red, green and blue as half-float numbers of linear light.
        case rgbHalf = "rgbf16"

        /// Bits of a sample.
        public var depth: Int {
            switch self {
            case .yuv420p, .yuv422p, .yuv444p, .rgb24: 8
            case .yuv420p10, .yuv422p10, .yuv444p10: 10
            case .rgb48, .rgbHalf: 16
            }
        }
    }

    /// Encoder of H.264 and HEVC.
    public enum Encoder: Sendable, Equatable, CustomStringConvertible {
        /// x264 and x265: the same bits on every machine.
        case software
        /// The first encoder of the machine's hardware that opens, else software.
        case hardware
        /// One of FFmpeg's encoders by its name, or none.
        case named(String)

        /// Reads `software`, `hardware` or a name.
        public init(_ text: String) { self = text == "software" ? .software : text == "hardware" ? .hardware : .named(text) }

        /// As it is written on the command line.
        public var description: String {
            switch self {
            case .software: "software"
            case .hardware: "hardware"
            case .named(let name): name
            }
        }
    }

    /// Coding; nil for H.264, or HEVC where the footage has more than 8 bits a sample, or what a sequence's extension says.
    public var codec: Codec?
    /// Quality or bit rate; nil for a quality of 75.
    public var rate: Rate?
    /// Pixel format; nil for the footage's own depth, with the sampling that the codec has.
    public var pixelFormat: PixelFormat?
    /// Encoder of H.264 and HEVC.
    public var encoder = Encoder.software
    /// Whether coding is quick rather than small.
    public var isDraft = false
    /// Part of the footage.
    public var span = FootageSpan()
    /// Whether HLG and PQ are brought to the range of ordinary video.
    public var isToneMapped = false

    /// Creates options: everything chosen by the footage.
    public init() {}

    /// Quality where none is asked for: above it a grainy picture gains nothing that is seen.
    public static let defaultQuality = 75.0

    /// Quality of a draft where none is asked for: constant rate factor 22.
    public static let draftQuality = 45.0

    /// Constant rate factor of x264 and x265 for a quality.
    public static func rateFactor(ofQuality quality: Double) -> Double { 40 - 0.4 * quality }

    /// Options with nothing left open, for footage of this description.
    public struct Resolved: Sendable, Equatable {
        /// Coding.
        public var codec: Codec
        /// Quality or bit rate; nil where nothing is lost.
        public var rate: Rate?
        /// Pixel format.
        public var pixelFormat: PixelFormat
        /// Encoder of H.264 and HEVC.
        public var encoder = Encoder.software
        /// Whether coding is quick rather than small.
        public var isDraft = false
    }

    /// Resolves what is open; throws `MediaError` for what does not go together.
    ///
    /// - Parameter path: of the output, whose name says the container.
    public func resolved(for source: SourceDescription, path: String) throws(MediaError) -> Resolved {
        let container = MovieContainer(path)
        let isDeep = source.pixelFormat == kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
        let named = try container == nil ? Self.stillCodec(of: path) : nil
        let codec = self.codec ?? named ?? (isDeep ? .hevc : .h264)
        try check(codec, named: named, in: container, colors: source.colors, path: path)
        let format = pixelFormat ?? codec.usualFormat(isDeep: isDeep)
        guard codec.formats.contains(format) else {
            throw Self.refusal(path, "\(codec.rawValue) has no pixel format \(format.rawValue); give one of \(list(codec.formats.map(\.rawValue)))")
        }
        if source.colors.isHDR, format.depth < 10 {
            throw Self.refusal(path, "\(format.rawValue) is too coarse for HLG and PQ; give ten bits, or --sdr", code: .unsupported)
        }
        if encoder != .software {
            guard codec == .h264 || codec == .hevc else {
                throw Self.refusal(path, "\(codec.rawValue) has no encoder but FFmpeg's own; --encoder goes with h264 and hevc")
            }
            guard [.yuv420p, .yuv420p10].contains(format), codec == .hevc || format == .yuv420p else {
                throw Self.refusal(path, "hardware codes yuv420p, and yuv420p10 as hevc, not \(format.rawValue); leave --encoder out")
            }
        }
        let quality = isDraft ? Self.draftQuality : Self.defaultQuality
        return Resolved(
            codec: codec, rate: codec.isLossless ? nil : rate ?? .quality(quality), pixelFormat: format, encoder: encoder, isDraft: isDraft)
    }

    /// Throws for a coding that the output has no place for; `named` is the one that a sequence's extension says.
    private func check(_ codec: Codec, named: Codec?, in container: MovieContainer?, colors: PictureColors, path: String) throws(MediaError) {
        guard codec.isSequence == (container == nil) else {
            throw Self.refusal(
                path,
                codec.isSequence
                    ? "\(codec.rawValue) is a coding of single pictures; name a sequence, like out.%04d.\(codec.rawValue)"
                    : "is the name of a picture sequence, which \(codec.rawValue) is not; name a movie: .mp4, .mov or .mkv")
        }
        if let named, named != codec {
            throw Self.refusal(path, "is named as \(named.rawValue), but --codec says \(codec.rawValue)")
        }
        if let container, !container.holds(codec) {
            throw Self.refusal(
                path, "\(container.rawValue.uppercased()) has no place for \(codec.rawValue); give an output that ends in .mov or .mkv")
        }
        if codec.isLossless, rate != nil {
            throw Self.refusal(path, "\(codec.rawValue) loses nothing, so --quality and --bitrate mean nothing to it")
        }
        if case .bitrate = rate, codec == .prores { throw Self.refusal(path, "ProRes has a profile in place of a bit rate; give --quality") }
        if codec == .tiff, colors.isHDR {
            throw Self.refusal(path, "TIFF cannot say that its picture is PQ or HLG; name it .png or .exr, or give --sdr", code: .unsupported)
        }
        if codec == .tiff, colors.hasOtherPrimaries {
            throw Self.refusal(
                path, "TIFF cannot say that its picture has the primaries \(colors.primariesName), not BT.709's; name it .png or .exr",
                code: .unsupported)
        }
        if colors.isHDR, codec == .h264 {
            throw Self.refusal(path, "HLG and PQ are not written as h264; give --codec hevc, prores, ffv1 or exr, or --sdr", code: .unsupported)
        }
    }

    /// Coding that a sequence's extension says.
    private static func stillCodec(of path: String) throws(MediaError) -> Codec {
        switch (path as NSString).pathExtension.lowercased() {
        case "png": return .png
        case "tif", "tiff": return .tiff
        case "exr": return .exr
        default:
            throw refusal(path, "is neither a movie (.mp4, .mov, .mkv) nor a sequence of pictures (out.%04d.png, .tiff or .exr)")
        }
    }

    private func list(_ names: [String]) -> String { names.joined(separator: ", ") }

    private static func refusal(_ path: String, _ reason: String, code: MediaError.Code = .wrongOptions) -> MediaError {
        MediaError(code: code, path: path, reason: reason)
    }
}

extension PictureColors {
    /// Whether primaries are known, and neither BT.709's nor those of BT.601, which are nearly the same.
    var hasOtherPrimaries: Bool { ![1, 2, 5, 6].contains(primaries) }

    /// Name of the primaries, or their code point in H.273.
    fileprivate var primariesName: String { [9: "BT.2020", 11: "DCI-P3", 12: "Display P3"][primaries] ?? "\(primaries) of H.273" }
}

extension DeliveryOptions.Codec {
    /// Whether it codes single pictures.
    public var isSequence: Bool { [.png, .tiff, .exr].contains(self) }
    /// Whether it gives back every pixel as it was; EXR rounds to 11 bits.
    public var isLossless: Bool { isSequence || self == .ffv1 }

    /// Codec of a movie; nil for a sequence.
    public var movie: MovieDescription.Codec? { MovieDescription.Codec(rawValue: rawValue) }

    /// Pixel formats that it has, the usual one for 8 bits first.
    var formats: [DeliveryOptions.PixelFormat] {
        switch self {
        case .h264, .hevc, .ffv1: [.yuv420p, .yuv422p, .yuv444p, .yuv420p10, .yuv422p10, .yuv444p10]
        case .prores: [.yuv422p10, .yuv444p10]
        case .png, .tiff: [.rgb24, .rgb48]
        case .exr: [.rgbHalf]
        }
    }

    fileprivate func usualFormat(isDeep: Bool) -> DeliveryOptions.PixelFormat {
        switch self {
        case .h264, .hevc, .ffv1: isDeep ? .yuv420p10 : .yuv420p
        case .png, .tiff: isDeep ? .rgb48 : .rgb24
        case .prores, .exr: formats[0]
        }
    }
}
