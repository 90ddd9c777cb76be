import CoreMedia

/// Track of a movie, in figures.
public struct MovieTrackSummary: Sendable, Equatable {
    /// Content of a track.
    public enum Kind: String, Sendable {
        case picture, disparity, metadata, sound, other
    }

    /// Content.
    public var kind: Kind
    /// Coding as FFmpeg names it: `h264`, `ffv1`, `aac`; `bin_data` of metadata.
    public var coding: String
    /// Name that the file gives the track; nil for none.
    public var name: String?
    /// Width and height in pixels; nil of sound and metadata.
    public var size: [Int]?
    /// Samples per second of sound; nil of other tracks.
    public var sampleRate: Int?
    /// Channels of sound; nil of other tracks.
    public var channels: Int?
    /// Number of samples: pictures, maps, metadata; coded packets of sound.
    public var samples = 0
    /// End of the last sample.
    public var end = CMTime.zero
}
