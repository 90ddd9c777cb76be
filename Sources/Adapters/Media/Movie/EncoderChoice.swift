import Foundation
import Pipeline

/// Encoder chosen among several: the first that opens, with the reason why each before it did not.
struct EncoderChoice<Encoder> {
    let encoder: Encoder
    /// FFmpeg's name of it.
    let name: String
    /// Name and reason of each that was tried before.
    let refusals: [String]

    /// Opens one encoder after another; throws the last one's error, and at once what is not about an encoder.
    init(among names: [String], open: (String) throws -> Encoder) throws {
        var refusals: [String] = []
        for name in names.dropLast() {
            do {
                (encoder, self.name) = (try open(name), name)
                self.refusals = refusals
                return
            } catch let error as MediaError where error.code == .missingEncoder || error.code == .unsupported {
                refusals.append("\(name) (\(error.underlyingText ?? error.reason))")
            }
        }
        (encoder, name) = (try open(names[names.count - 1]), names[names.count - 1])
        self.refusals = refusals
    }
}

extension DeliveryOptions.Encoder {
    /// FFmpeg's names of the encoders to try, in order: of hardware NVIDIA's, VA-API's and V4L2's.
    func names(for codec: MovieDescription.Codec) -> [String] {
        let software = PictureEncoder.encoderName(codec)
        switch self {
        case .software: return [software]
        case .named(let name): return [name]
        case .hardware: return ["nvenc", "vaapi", "v4l2m2m"].map { "\(codec.rawValue)_\($0)" } + [software]
        }
    }

    /// Remark on the encoder that was opened; nil for the usual one, asked for by nobody.
    func remark(_ name: String, refusals: [String], for codec: MovieDescription.Codec) -> String? {
        switch self {
        case .software: return nil
        case .hardware where name == PictureEncoder.encoderName(codec):
            return "no hardware encoder opened: \(refusals.joined(separator: "; ")); \(name) took its place"
        case .hardware, .named: return "pictures are coded by \(name), whose bits are its own"
        }
    }
}
