import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Synchronization

/// Writes `420v` pictures as H.264 in MP4, tagged BT.709 video range, the index first; the same pictures give the same file.
///
///     let writer = try H264MovieWriter(path: "out.mp4", width: 1920, height: 1080, frameDuration: CMTime(value: 1, timescale: 30))
///     try writer.append(image, at: time)
///     try writer.finish()                        // only now is there an out.mp4
///
/// `append` returns when x264, on the caller's thread, has taken the picture; pictures are not copied and must not be changed afterwards.
/// After an error nothing is left of the file, and every further call throws that error again.
public final class H264MovieWriter: MovieWriter {
    /// How much work x264 puts into compression.
    public enum Preset: String, Sendable, CaseIterable { case ultrafast, superfast, veryfast, faster, fast, medium, slow }

    public struct Settings: Sendable {
        public var preset: Preset
        /// x264's constant rate factor, 0…51; lower is better, 18 is visually lossless for most material.
        public var quality: Int
        /// FFmpeg's name of the encoder.
        var encoder = "libx264"

        public init(preset: Preset = .veryfast, quality: Int = 18) {
            self.preset = preset
            self.quality = quality
        }
    }

    public let path: String
    private let width: Int
    private let height: Int
    /// Ticks per second: the usual frame rates, 1001/30000 among them, are whole numbers of them.
    private let timescale: Int32
    private let state: Mutex<State>

    /// writing ──finish──► finished;  writing ──cancel──► cancelled;  writing ──error──► failed
    private enum State {
        case writing(H264Encoder, OutputFile, last: Int64?)
        case finished
        case cancelled
        case failed(any Error)
    }

    /// Refuses an existing file, a missing directory and an unusable size at once; throws `OutputError` or `MediaError`.
    public init(
        path: String, width: Int, height: Int, frameDuration: CMTime, replacingExisting: Bool = false, settings: Settings = Settings()
    ) throws {
        guard width > 0, height > 0, width % 2 == 0, height % 2 == 0 else {
            throw MediaError(code: .unsupported, path: path, reason: "a movie of \(width)x\(height) cannot be written; both sides must be even")
        }
        guard frameDuration.isNumeric, frameDuration.value > 0 else {
            throw MediaError(code: .unsupported, path: path, reason: "a movie needs a frame duration above zero")
        }
        (self.path, self.width, self.height) = (path, width, height)
        timescale = Self.timescale(for: frameDuration)
        let file = try OutputFile(path: path, replacingExisting: replacingExisting)
        let encoder = try H264Encoder(
            path: path, temporaryPath: file.temporaryPath, width: width, height: height, frameDuration: frameDuration, timescale: timescale,
            settings: settings)
        state = Mutex(.writing(encoder, file, last: nil))
    }

    deinit { cancel() }

    public func append(_ image: CVPixelBuffer, at presentationTime: CMTime) throws {
        try step { encoder, file, last in
            guard image.format == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, image.size == (width, height) else {
                throw MediaError(
                    code: .mismatch, path: path,
                    reason: "a picture of \(image.size.width)x\(image.size.height) does not fit a \(width)x\(height) 420v movie")
            }
            guard presentationTime.isNumeric, presentationTime.value >= 0 else {
                throw MediaError(code: .unsupported, path: path, reason: "a picture without a time, or before zero, cannot be written")
            }
            let ticks = ticks(presentationTime)
            if let last, ticks <= last {
                throw MediaError(
                    code: .unsupported, path: path, reason: "a picture at \(presentationTime.seconds) s is not later than the one before")
            }
            try encoder.encode(image, at: ticks)
            return .writing(encoder, file, last: ticks)
        }
    }

    public var byteCount: Int64 {
        state.withLock { state in
            if case .writing(let encoder, _, _) = state { encoder.byteCount } else { 0 }
        }
    }

    public func finish() throws {
        try step { encoder, file, last in
            guard last != nil else { throw MediaError(code: .encodingFailed, path: path, reason: "a movie without a single frame is not written") }
            try encoder.finish()
            try file.commit()
            return .finished
        }
    }

    public func cancel() {
        state.withLock { state in
            guard case .writing(_, let file, _) = state else { return }
            state = .cancelled
            file.discard()
        }
    }

    private func step(_ body: (H264Encoder, OutputFile, Int64?) throws -> State) throws {
        try state.withLock { state in
            switch state {
            case .writing(let encoder, let file, let last):
                do {
                    state = try body(encoder, file, last)
                } catch {
                    state = .failed(error)
                    file.discard()
                    throw error
                }
            case .failed(let error): throw error
            case .finished: throw MediaError(code: .encodingFailed, path: path, reason: "the movie is finished already")
            case .cancelled: throw MediaError(code: .encodingFailed, path: path, reason: "writing the movie was cancelled")
            }
        }
    }

    /// Nearest tick; exact for every multiple of the frame duration.
    private func ticks(_ time: CMTime) -> Int64 {
        let (whole, rest) = time.value.quotientAndRemainder(dividingBy: Int64(time.timescale))
        let scale = Int64(time.timescale)
        return whole * Int64(timescale) + (2 * rest * Int64(timescale) + scale) / (2 * scale)
    }

    /// The least common multiple of the frame duration's timescale and 120000, or just the former where that is too large.
    static func timescale(for frameDuration: CMTime) -> Int32 {
        let own = Int64(frameDuration.timescale)
        var (a, b) = (own, Int64(120_000))
        while b != 0 { (a, b) = (b, a % b) }
        let common = own / a * 120_000
        return common <= 12_000_000 ? Int32(common) : frameDuration.timescale
    }
}
