import CoreMedia
import Pipeline

/// Track of a movie that was copied, and what of it is there.
public struct RecoveredTrack: Sendable, Equatable {
    /// Content of the track.
    public var kind: MovieContents.Track.Kind
    /// Number of samples: pictures, maps, metadata; coded packets of sound.
    public var samples = 0
    /// End of the last sample.
    public var end = CMTime.zero
}
