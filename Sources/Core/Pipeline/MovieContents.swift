import CoreMedia
import CoreVideo
import Foundation

/// Tracks, length and metadata of a movie file, as its index says.
public struct MovieContents: Sendable, Equatable {
    /// Track of a movie.
    public struct Track: Sendable, Equatable {
        /// Content of a track.
        public enum Kind: String, Sendable {
            /// Pictures to look at.
            case picture
            /// Disparity of a cinematic movie.
            case disparity
            /// Sound.
            case sound
            /// Metadata of a cinematic movie of ours, samples as `CinematicSample` reads them.
            case metadata
            /// Timed metadata of another's making.
            case foreignMetadata
            /// Timecode.
            case timecode
            /// Anything else.
            case other
        }

        /// Number of the track in the file, from 1; 0 of one to be written.
        public var number: Int
        /// Content.
        public var kind: Kind
        /// Four-character code of the coding: `avc1`, `hvc1`, `aac `, `lpcm`, `gpmd`.
        public var codec: FourCharCode
        /// Coding as the library that reads it names it: `h264`, `ffv1`, `aac`; `bin_data` of metadata.
        public var coding = ""
        /// Ticks per second of its times.
        public var timescale: CMTimeScale
        /// Time that it covers in the movie.
        public var timeRange: CMTimeRange
        /// Number of samples: pictures, maps, metadata, coded packets of sound; 0 where the index does not say.
        public var sampleCount: Int
        /// Bytes of its samples; 0 where the index does not say.
        public var byteCount: Int64
        /// Language as an ISO 639-2 code; nil for none.
        public var language: String?
        /// Whether it is to be shown or heard unless somebody chooses otherwise, as one of several languages.
        public var isEnabled = true
        /// Width and height in pixels as stored; 0 without pictures.
        public var width = 0
        /// Height in pixels as stored.
        public var height = 0
        /// Exact time of one picture; `.invalid` without pictures, or where they come unevenly.
        public var frameDuration = CMTime.invalid
        /// Timecode of the first picture, as `SourceDescription.timecode`; nil without.
        public var timecode: String?
        /// Clockwise rotation to upright in degrees, 0, 90, 180 or 270.
        public var rotation = 0
        /// Whether the upright picture is shown with left and right exchanged.
        public var isMirrored = false
        /// Colour tags of the pictures.
        public var colors = PictureColors.bt709
        /// Pixel format in which nothing of the pictures is lost: `420v`, `420f` or `x420`.
        public var pixelFormat = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        /// Samples per second and channel of sound; 0 without sound.
        public var sampleRate = 0
        /// Channels of sound.
        public var channels = 0
        /// Whether the channels are those of first-order ambisonics.
        public var isAmbisonic = false
        /// Description of the coding that a decoder needs: the record in `avcC` or `hvcC` (ISO/IEC 14496-15), the configuration of AAC, the table of keys of
        /// QuickTime's metadata (`MetadataKeyTable`); empty where there is none.
        public var configuration = Data()

        /// Creates a track; what is not given is that of a track without pictures or sound.
        public init(
            number: Int, kind: Kind, codec: FourCharCode, timescale: CMTimeScale, timeRange: CMTimeRange, sampleCount: Int = 0, byteCount: Int64 = 0,
            language: String? = nil
        ) {
            (self.number, self.kind, self.codec, self.timescale, self.timeRange) = (number, kind, codec, timescale, timeRange)
            (self.sampleCount, self.byteCount, self.language) = (sampleCount, byteCount, language)
        }
    }

    /// Tracks in the order of the file.
    public var tracks: [Track]
    /// Length of the movie, to the end of its longest track.
    public var duration: CMTime
    /// Metadata of the container, under its own keys.
    public var metadata: [String: String]
    /// Whether there is disparity as a phone's cinematic movie has it, whose decisions are private.
    public var hasPhoneDisparity = false

    /// Creates contents.
    public init(tracks: [Track], duration: CMTime, metadata: [String: String] = [:]) {
        (self.tracks, self.duration, self.metadata) = (tracks, duration, metadata)
    }
}

/// Way to read a track of sound.
public struct SoundReading: Sendable, Equatable {
    /// Samples per second and channel that are wanted, > 0.
    public var sampleRate: Int
    /// Mix of ambisonics; nil reads them as they were recorded.
    public var mix: SpatialMix?

    /// Creates a way; as recorded unless a mix is given.
    public init(sampleRate: Int, mix: SpatialMix? = nil) { (self.sampleRate, self.mix) = (sampleRate, mix) }
}

/// Sample of a movie's track.
public struct MovieSample: Sendable {
    /// Coding in which samples are handed over.
    public enum Coding: Sendable, Equatable {
        /// As they are stored.
        case stored
        /// Pictures of a pixel format: `420v`, `420f`, `x420` or `32BGRA`, as stored and not upright. Disparity as 32-bit or 16-bit floats (`hdis`, `fdis`).
        case pictures(OSType)
        /// Sound as interleaved floats.
        case sound(SoundReading)
        /// Metadata of a cinematic movie, read.
        case cinematic
    }

    /// Content of a sample.
    public enum Content: Sendable {
        case picture(CVPixelBuffer)
        case sound(Sound)
        /// Stored bytes, and whether they can be decoded by themselves.
        case data(Data, isSync: Bool)
        /// Metadata of one frame.
        case cinematic(CinematicSample)
    }

    /// Presentation time in the movie.
    public var time: CMTime
    /// Length; `.invalid` when unknown.
    public var duration: CMTime
    /// Time to decode it; `.invalid` where that is the presentation time.
    public var decodeTime = CMTime.invalid
    /// Picture, sound or bytes.
    public var content: Content

    /// Whether it can be decoded by itself.
    public var isSync: Bool { if case .data(_, let isSync) = content { isSync } else { true } }

    /// Creates a sample.
    public init(time: CMTime, duration: CMTime, content: Content) { (self.time, self.duration, self.content) = (time, duration, content) }
}
