import Foundation
import Media
import Pipeline

/// Options of a delivered movie or picture sequence.
extension Arguments {
    static let encoderOption = Help.Option(
        "--encoder", value: "ENCODER",
        meaning: "of h264 and hevc: software (default, the same bits everywhere), hardware (NVENC, VA-API, V4L2, else software) or FFmpeg's name")

    static let deliveryOptions: [Help.Option] = [
        .init("--codec", value: "CODEC", meaning: "h264, hevc, prores, ffv1, png, tiff or exr; default h264, hevc for footage of more than 8 bits"),
        .init(
            "--quality", value: "Q",
            meaning: "0 to 100: h264 and hevc at CRF 40 - 0.4 Q; ProRes Proxy, LT (20), 422 (40), HQ (65); default 75"),
        .init("--bitrate", value: "RATE", meaning: "in place of --quality, for h264 and hevc: average bits per second, like 8M or 800k"),
        encoderOption,
        .init("--pixel-format", value: "FORMAT", meaning: "like yuv420p10, yuv422p10, rgb48; default: as many bits as the footage has"),
        .init("--sdr", meaning: "bring HLG and PQ to the range of ordinary video, BT.709 with ten bits"),
        .init(
            "--from", value: "TIME",
            meaning: "first frame used: 3.5s, 84f (the first is 0f) or 01:00:03:12 (timecode); a script counts from it"),
        .init("--to", value: "TIME", meaning: "first frame left out again"),
    ]

    /// The options above; throws `UsageError` for one that cannot be read.
    func delivery() throws -> DeliveryOptions {
        var options = DeliveryOptions()
        if let text = value("--codec") {
            guard let codec = DeliveryOptions.Codec(rawValue: text) else {
                throw UsageError("--codec is one of \(Self.list(DeliveryOptions.Codec.allCases)), not \"\(text)\"")
            }
            options.codec = codec
        }
        if let text = value("--pixel-format") {
            let name = text.hasSuffix("le") ? String(text.dropLast(2)) : text
            guard let format = DeliveryOptions.PixelFormat(rawValue: name) else {
                throw UsageError("--pixel-format is one of \(Self.list(DeliveryOptions.PixelFormat.allCases)), not \"\(text)\"")
            }
            options.pixelFormat = format
        }
        options.rate = try rate()
        options.encoder = encoder
        options.isToneMapped = flag("--sdr")
        options.span = FootageSpan(from: try point("--from"), to: try point("--to"))
        return options
    }

    /// Encoder that is asked for.
    var encoder: DeliveryOptions.Encoder { value("--encoder").map(DeliveryOptions.Encoder.init) ?? .software }

    private static func list<Name: RawRepresentable<String>>(_ names: [Name]) -> String { names.map(\.rawValue).joined(separator: ", ") }

    private func rate() throws -> DeliveryOptions.Rate? {
        guard let text = value("--bitrate") else {
            guard let quality = try number("--quality") else { return nil }
            guard (0...100).contains(quality) else { throw UsageError("--quality goes from 0 to 100, not to \(quality)") }
            return .quality(quality)
        }
        guard value("--quality") == nil else { throw UsageError("--quality and --bitrate are one too many: a bit rate decides the quality") }
        let units: [Character: Double] = ["k": 1e3, "M": 1e6]
        let unit = text.last.flatMap { units[$0] } ?? 1
        guard let number = Double(unit == 1 ? text : String(text.dropLast())), (1e3...1e9).contains(number * unit) else {
            throw UsageError("--bitrate is bits per second from 1k to 1000M, like 8M, not \"\(text)\"")
        }
        return .bitrate(Int(number * unit))
    }

    /// Most bytes of disparity to keep; nil where nothing is said.
    func keptBytes() throws -> Int? {
        guard let text = value("--keep") else { return nil }
        if text == "none" { return 0 }
        let units: [Character: Double] = ["k": 1e3, "M": 1e6, "G": 1e9]
        let unit = text.last.flatMap { units[$0] } ?? 1
        guard let number = Double(unit == 1 ? text : String(text.dropLast())), (1...1e15).contains(number * unit) else {
            throw UsageError("--keep is none or a number of bytes, like 500M or 8G, not \"\(text)\"")
        }
        return Int(number * unit)
    }

    /// A point in footage; nil where nothing is said.
    func point(_ name: String) throws -> FootageSpan.Point? {
        guard let text = value(name) else { return nil }
        guard let point = FootageSpan.Point(text) else {
            throw UsageError("\(name) is seconds (3.5s), a frame (84f) or a timecode (01:00:03:12), not \"\(text)\"")
        }
        return point
    }
}
