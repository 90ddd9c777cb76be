import CoreMedia
import CoreVideo

/// What a movie file is to hold, settled before its first picture or, in one of sound alone, its first sound.
public struct MovieDescription: Sendable, Equatable {
    /// How the pictures are compressed.
    public enum Codec: String, Sendable, CaseIterable { case h264, hevc }

    /// What the one sound track is.
    public struct SoundTrack: Sendable, Equatable {
        public var layout: Sound.Layout
        /// Samples per second and channel.
        public var sampleRate: Int

        public init(layout: Sound.Layout, sampleRate: Int) {
            self.layout = layout
            self.sampleRate = sampleRate
        }
    }

    /// Pixels of the pictures as they are handed over, both even; 0 in a movie of sound alone.
    public var width: Int
    public var height: Int
    /// Exact time of one frame, for example 1/30 or 1001/30000.
    public var frameDuration: CMTime
    public var codec: Codec
    /// Of the pictures: `420v`, `420f` or, in HEVC alone, `x420`.
    public var pixelFormat: OSType
    /// Degrees clockwise that bring a picture upright: 0, 90, 180 or 270. The file says so, its pictures stay as they are.
    public var rotation: Int
    /// Whether the upright picture is to be shown with left and right exchanged.
    public var isMirrored: Bool
    /// Nil for a silent movie without a track of sound.
    public var sound: SoundTrack?
    /// QuickTime metadata keys (`com.apple.quicktime.title`) and their texts.
    public var metadata: [String: String]
    /// How much of a recording is lost at most when the process is killed; `.invalid`: all of it.
    public var fragmentInterval: CMTime

    public init(
        width: Int, height: Int, frameDuration: CMTime, codec: Codec = .h264,
        pixelFormat: OSType = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, rotation: Int = 0, isMirrored: Bool = false,
        sound: SoundTrack? = nil, metadata: [String: String] = [:], fragmentInterval: CMTime = .invalid
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
        self.fragmentInterval = fragmentInterval
    }

    /// A movie of sound alone.
    public init(sound: SoundTrack, metadata: [String: String] = [:], fragmentInterval: CMTime = .invalid) {
        self.init(
            width: 0, height: 0, frameDuration: CMTime(value: 1, timescale: 30), sound: sound, metadata: metadata,
            fragmentInterval: fragmentInterval)
    }

    public var hasPictures: Bool { width != 0 || height != 0 }
}
