import CoreMedia
import CoreVideo

/// Contents of a movie file, fixed before its first picture or, in one of sound alone, its first sound.
public struct MovieDescription: Sendable, Equatable {
    /// Video codec: H.264 (AVC), H.265 (HEVC), Apple ProRes 422 or 4444, or lossless FFV1.
    public enum Codec: String, Sendable, CaseIterable { case h264, hevc, prores, ffv1 }

    /// Sound track of the movie: channel layout and sample rate.
    public struct SoundTrack: Sendable, Equatable {
        /// Channels of the track; ambisonics need a MOV file.
        public var layout: Sound.Layout
        /// Samples per second and channel.
        public var sampleRate: Int
        /// Coding of the samples.
        public var coding = Coding.automatic

        /// Coding of sound.
        public enum Coding: Sendable, Equatable {
            /// AAC of one or two channels, PCM of more.
            case automatic
            /// AAC of so many bits per second; nil is 96,000 a channel.
            case aac(bitRate: Int?)
            /// Linear PCM of 16 or 24 bits, in MOV alone.
            case pcm(bits: Int)
        }

        /// Creates a track; `sampleRate` is samples per second and channel, > 0.
        public init(layout: Sound.Layout, sampleRate: Int) {
            self.layout = layout
            self.sampleRate = sampleRate
        }
    }

    /// Tracks that make a movie cinematic: disparity, lossless, and timed metadata, both with a sample for each picture.
    public struct CinematicTracks: Sendable, Equatable {
        /// Width of the disparity maps, pixels.
        public var width: Int
        /// Height of the disparity maps, pixels.
        public var height: Int

        /// Creates tracks for maps of a size, both sides > 0.
        public init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    /// Width in pixels as pictures are handed over, even; 0 in a movie of sound alone.
    public var width: Int
    /// Height in pixels as pictures are handed over, even; 0 in a movie of sound alone.
    public var height: Int
    /// Exact time of one frame, for example 1/30 or 1001/30000.
    public var frameDuration: CMTime
    /// Time until which the last picture is shown; nil for a frame's duration.
    public var end: CMTime?
    /// Codec of the pictures; without effect in a movie of sound alone.
    public var codec: Codec
    /// Quality and key frames of the pictures.
    public var coding = Coding()
    /// Pixel format of the pictures as they are handed over: `420v`, `420f`, `32BGRA` or `x420`, of which H.264 keeps eight bits unless more are
    /// asked for.
    public var pixelFormat: OSType
    /// Colour tags of the pictures.
    public var colors = PictureColors.bt709
    /// Shape of a pixel.
    public var pixelAspect = PixelAspect.square
    /// Clockwise rotation to upright in degrees: 0, 90, 180 or 270, kept as the track's display matrix; pictures stay as they are.
    public var rotation: Int
    /// Whether the upright picture is to be shown with left and right exchanged.
    public var isMirrored: Bool
    /// Sound track; nil for a movie without one.
    public var sound: SoundTrack?
    /// Disparity and timed metadata, which want a MOV file; nil for a plain movie.
    public var cinematic: CinematicTracks?
    /// Tracks whose samples come coded and are written as they are, after those that are encoded: pictures, sound and QuickTime's metadata.
    public var codedTracks: [MovieContents.Track] = []
    /// Ticks per second of the tracks' lengths in the index; nil for the writer's own choice.
    public var movieTimescale: CMTimeScale?
    /// QuickTime metadata keys (`com.apple.quicktime.title`) and their texts.
    public var metadata: [String: String]
    /// Fragments that survive a kill while the file is being written.
    public var fragments: Fragments
    /// Receiver of the movie in segments, in place of a file; nil for a file. Of movies without `fragments`.
    public var segments: MovieSegments?

    /// Quality and key frames of pictures; nil is the writer's own choice.
    public struct Coding: Sendable, Equatable {
        /// Average bits per second, which goes before the quality; H.264 and HEVC alone.
        public var bitRate: Int?
        /// Quality, 0…1; for ProRes it chooses the profile.
        public var quality: Double?
        /// Seconds from one key frame to the next, at most.
        public var keyframeInterval: Double?

        /// Creates a coding of the writer's own choice.
        public init() {}
    }

    /// Parts of the file that are there while it is being written. With fragments it lies under its name, and 0.3 s of each track are lost at most
    /// when the process is killed.
    public enum Fragments: Sendable, Equatable {
        /// The file takes its name when it is complete: for what can be made again.
        case none
        /// As `all`, in a file of its own, `take.part.mov` beside `take.mov`, which goes when that is complete: for what can be made again in a long time. It
        /// lacks what the footage brings, and the pictures that the encoder still holds back.
        case beside
        /// A player sees all that is safe.
        case all
        /// A player sees the whole multiples of an interval; `.invalid`: nothing before the end. The rest is for the recovery of movies alone.
        case every(CMTime)

        /// Whether the file takes its name when it is complete, and not from the start.
        public var areNamedAtEnd: Bool { self == .none || self == .beside }
    }

    /// Creates a movie with pictures, and with sound where `sound` is given.
    public init(
        width: Int, height: Int, frameDuration: CMTime, codec: Codec = .h264,
        pixelFormat: OSType = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, rotation: Int = 0, isMirrored: Bool = false,
        sound: SoundTrack? = nil, metadata: [String: String] = [:], fragments: Fragments = .none
    ) {
        self.width = width
        self.height = height
        self.frameDuration = frameDuration
        self.codec = codec
        self.pixelFormat = pixelFormat
        self.rotation = rotation
        self.isMirrored = isMirrored
        self.sound = sound
        self.metadata = metadata
        self.fragments = fragments
    }

    /// A movie of sound alone, or of coded tracks alone where `sound` is nil.
    public init(sound: SoundTrack?, metadata: [String: String] = [:], fragments: Fragments = .none) {
        self.init(
            width: 0, height: 0, frameDuration: CMTime(value: 1, timescale: 30), sound: sound, metadata: metadata,
            fragments: fragments)
    }

    /// End of the last picture, which begins at a time.
    public func end(after last: CMTime) -> CMTime { end.flatMap { $0 > last ? $0 : nil } ?? last + frameDuration }

    /// Whether pictures are encoded: either side is above 0.
    public var hasPictures: Bool { width != 0 || height != 0 }
}
