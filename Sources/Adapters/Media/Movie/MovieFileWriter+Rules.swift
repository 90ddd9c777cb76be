import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Support

extension MovieFileWriter {
    /// Codecs of recordings that this FFmpeg can write, the default first.
    public static var codecs: [MovieDescription.Codec] { [.h264, .hevc].filter(PictureEncoder.isAvailable) }

    /// Reason why a movie cannot be written, in words; nil when it can.
    static func refusal(of movie: MovieDescription, path: String) -> String? {
        if !movie.hasPictures, movie.sound == nil, movie.codedTracks.isEmpty { return "a movie of neither pictures nor sound cannot be written" }
        if movie.fragments != .none || movie.segments != nil, MovieContainer(path) == .mkv {
            return "a Matroska file has no fragments; name the movie .mov or .mp4"
        }
        return (movie.hasPictures ? pictureRefusal(of: movie) : nil) ?? movie.sound.flatMap { soundRefusal(of: $0, path: path) }
            ?? cinematicRefusal(of: movie, path: path) ?? movie.codedTracks.lazy.compactMap { CodedTracks.refusal(of: $0, path: path) }.first
    }

    private static func cinematicRefusal(of movie: MovieDescription, path: String) -> String? {
        guard let tracks = movie.cinematic else { return nil }
        guard MovieContainer(path) == .mov else { return "a cinematic movie has a place for its disparity in MOV alone; name it .mov" }
        guard movie.hasPictures else { return "a cinematic movie has pictures" }
        guard tracks.width > 0, tracks.height > 0 else { return "disparity maps of \(tracks.width)x\(tracks.height) cannot be written" }
        return nil
    }

    private static func pictureRefusal(of movie: MovieDescription) -> String? {
        guard movie.width > 0, movie.height > 0, movie.width % 2 == 0, movie.height % 2 == 0 else {
            return "a movie of \(movie.width)x\(movie.height) cannot be written; both sides must be even"
        }
        guard movie.frameDuration.isNumeric, movie.frameDuration.value > 0 else { return "a movie needs a frame duration above zero" }
        guard [0, 90, 180, 270].contains(movie.rotation) else {
            return "a movie cannot be turned by \(movie.rotation) degrees; give 0, 90, 180 or 270"
        }
        let isTenBit = movie.pixelFormat == kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
        let isEightBit = [
            kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_32BGRA,
        ].contains(movie.pixelFormat)
        guard isEightBit || isTenBit else {
            return "pictures in \(String(fourCharacterCode: movie.pixelFormat)) cannot be written; give 420v, 420f, x420 or BGRA"
        }
        return nil
    }

    private static func soundRefusal(of sound: MovieDescription.SoundTrack, path: String) -> String? {
        guard sound.sampleRate > 0 else { return "sound of \(sound.sampleRate) samples per second cannot be written" }
        guard sound.layout != .firstOrderAmbisonics || MovieContainer(path) == .mov else {
            return "ambisonic sound has no place in \((MovieContainer(path) ?? .mp4).rawValue.uppercased()); name the movie .mov"
        }
        switch sound.coding {
        case .automatic: return nil
        case .aac(let rate):
            guard sound.layout != .firstOrderAmbisonics else { return "AAC cannot name ambisonics; ask for PCM" }
            return rate.map { $0 > 0 } ?? true ? nil : "AAC of \(rate ?? 0) bits per second cannot be written"
        case .pcm(let bits):
            guard MovieContainer(path) == .mov else { return "PCM has a place in MOV alone; name the movie .mov, or ask for AAC" }
            return [16, 24].contains(bits) ? nil : "PCM of \(bits) bits cannot be written; ask for 16 or 24"
        }
    }

    /// Rounds a time to units of 1 / `perSecond` seconds, to the nearest; throws for more than 68 years.
    func count(_ time: CMTime, perSecond: Int64) throws -> Int64 {
        guard abs(time.seconds) < 0x1p31 else {
            throw MediaError(code: .unsupported, path: path, reason: "\(time.seconds) s lie outside of any movie")
        }
        let scale = Int64(time.timescale)
        var (whole, rest) = time.value.quotientAndRemainder(dividingBy: scale)
        if rest < 0 { (whole, rest) = (whole - 1, rest + scale) }
        return whole * perSecond + (2 * rest * perSecond + scale) / (2 * scale)
    }

    /// Timescale of the movie: the least common multiple of the frame duration's and 120000, or the largest multiple of the former where that is
    /// too large. Times of a variable rate are rounded to it, by 4.2 µs at most.
    static func timescale(for frameDuration: CMTime) -> Int32 {
        let (own, largest): (Int64, Int64) = (Int64(frameDuration.timescale), 12_000_000)
        var (a, b) = (own, Int64(120_000))
        while b != 0 { (a, b) = (b, a % b) }
        let common = own / a * 120_000
        return Int32(common <= largest ? common : max(largest / own, 1) * own)
    }
}
