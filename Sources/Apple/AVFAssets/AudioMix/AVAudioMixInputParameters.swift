import AVFCapture
import CoreMedia
import Foundation
import Pipeline
import Synchronization

/// Loudness of one track in a mix, over time: as recorded until it is set, then from set value to set value, and at the last one to the end.
open class AVAudioMixInputParameters: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    struct Values: Sendable {
        var trackID = kCMPersistentTrackID_Invalid
        var volumes: [Ramp<Float>] = []
        var spatialMix: SpatialMix?
    }

    fileprivate let values: Mutex<Values>

    init(_ values: Values) {
        self.values = Mutex(values)
        super.init()
    }

    /// Parameters of a track of ambisonics that is mixed by direction.
    package convenience init(trackID: CMPersistentTrackID, _ mix: SpatialMix?) { self.init(Values(trackID: trackID, spatialMix: mix)) }

    var described: Values { values.withLock { $0 } }
    var snapshot: AVAudioMixInputParameters { AVAudioMixInputParameters(described) }

    /// Number of the track.
    open var trackID: CMPersistentTrackID { described.trackID }

    /// Tells how loud the track is around a time: from which volume to which, and in which range, the last of which has no end. False where no volume was
    /// set, and for a time without a number.
    open func getVolumeRamp(
        for time: CMTime, startVolume: UnsafeMutablePointer<Float>?, endVolume: UnsafeMutablePointer<Float>?,
        timeRange: UnsafeMutablePointer<CMTimeRange>?
    ) -> Bool {
        let volumes = described.volumes
        guard time.isNumeric, !volumes.isEmpty else { return false }
        let next = volumes.first { $0.range.start > time }?.range.start ?? .positiveInfinity
        let begun = volumes.last { $0.range.start <= time }
        let isWithin = begun.map { $0.range.duration > .zero && time < $0.range.end } ?? false
        let (from, to) = isWithin ? (begun?.from ?? 1, begun?.to ?? 1) : (begun?.to ?? 1, begun?.to ?? 1)
        let start = isWithin ? begun?.range.start ?? .zero : begun?.range.end ?? min(.zero, time)
        startVolume?.pointee = from
        endVolume?.pointee = to
        timeRange?.pointee = CMTimeRange(start: start, end: isWithin ? min(begun?.range.end ?? next, next) : next)
        return true
    }

    /// Returns the same parameters.
    open func copy(with zone: NSZone? = nil) -> Any { snapshot }

    /// Returns `AVMutableAudioMixInputParameters` of the same values.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { AVMutableAudioMixInputParameters(described) }
}

/// Loudness of one track in a mix that can be changed.
open class AVMutableAudioMixInputParameters: AVAudioMixInputParameters, @unchecked Sendable {
    fileprivate override init(_ values: Values) { super.init(values) }

    /// Makes parameters of no track.
    public init() { super.init(Values()) }

    /// Makes parameters of a track; nil for none.
    public convenience init(track: AVAssetTrack?) {
        self.init()
        trackID = track?.trackID ?? kCMPersistentTrackID_Invalid
    }

    /// Number of the track.
    open override var trackID: CMPersistentTrackID {
        get { super.trackID }
        set { values.withLock { $0.trackID = newValue } }
    }

    /// Sets the volume from a time on; 1 is as recorded.
    open func setVolume(_ volume: Float, at time: CMTime) {
        setVolumeRamp(fromStartVolume: volume, toEndVolume: volume, timeRange: CMTimeRange(start: time, duration: .zero))
    }

    /// Fades evenly from one volume to another; the last one stays.
    open func setVolumeRamp(fromStartVolume startVolume: Float, toEndVolume endVolume: Float, timeRange: CMTimeRange) {
        values.withLock { $0.volumes.set(Ramp(from: startVolume, to: endVolume, range: timeRange)) }
    }
}
