import AVFoundation
import CoreMedia
import Focus
import Foundation
import Pipeline

/// Metadata of a cinematic movie, as recorded: what a script starts from.
struct CinematicRecording: Sendable {
    /// Tracks of the movie.
    let info: CNAssetInfo
    /// Presentation times of the frames, increasing; never empty.
    let times: [CMTime]
    /// Metadata of each frame.
    let samples: [CinematicSample]
    /// Exact time of one picture.
    let frameDuration: CMTime

    /// Reads the metadata of an asset. Throws `CNCinematicError`; `cancelled` as soon as the progress is.
    init(asset: AVAsset, progress: Progress?) throws {
        info = try CNAssetInfo(reading: asset)
        progress?.totalUnitCount = 1
        var (times, samples): ([CMTime], [CinematicSample]) = ([], [])
        let count = min(info.cinematicMetadataTrack.track.sampleCount, 1 << 20)
        times.reserveCapacity(count)
        samples.reserveCapacity(count)
        do {
            let all = CMTimeRange(start: CMTime(value: -10, timescale: 1), end: .positiveInfinity)
            let reader = try info.cinematicMetadataTrack.samples(in: all, as: .cinematic)
            while let next = try reader.next() {
                if progress?.isCancelled == true { throw CNCinematicError(.cancelled, reason: "reading the movie was cancelled") }
                guard case .cinematic(let sample) = next.content else { continue }
                times.append(next.time)
                samples.append(sample)
            }
        } catch let error as CNCinematicError {
            throw error
        } catch {
            let isUnsupported = (error as? any MediaFailure)?.kind == .unsupported
            throw CNCinematicError(isUnsupported ? .unsupported : .malformed, reason: error.localizedDescription, underlying: error)
        }
        guard !samples.isEmpty else {
            throw CNCinematicError(.incomplete, of: asset, reason: "is a cinematic movie without the metadata of a single frame")
        }
        (self.times, self.samples) = (times, samples)
        let duration = info.cinematicVideoTrack.minFrameDuration
        frameDuration = duration.isNumeric ? duration : CMTime(value: 1, timescale: 30)
        progress?.completedUnitCount = 1
    }

    /// Time in which all tracks have samples.
    var timeRange: CMTimeRange { info.timeRange }

    /// SHA-256 of the metadata, by which changes name their movie; also after its container was copied.
    var digest: String {
        var digest = CinematicDigest()
        for (time, sample) in zip(times, samples) { digest.add(sample.data, at: time) }
        return digest.text
    }

    /// Number of the frame nearest to a time, within a tolerance; nil where there is none.
    func frame(at time: CMTime, tolerance: CMTime) -> Int? {
        guard time.isNumeric else { return nil }
        let later = times.firstIndex { $0 >= time } ?? times.count
        let near = [later - 1, later].filter(times.indices.contains).min {
            CMTimeAbsoluteValue(times[$0] - time) < CMTimeAbsoluteValue(times[$1] - time)
        }
        return near.flatMap { CMTimeAbsoluteValue(times[$0] - time) <= CMTimeAbsoluteValue(tolerance) ? $0 : nil }
    }

    /// Script of the recording without edits.
    var script: FocusScript {
        FocusScript(times: times.map(\.nanoseconds), samples: samples, frameDuration: frameDuration, timecode: timecode, end: end.nanoseconds)
    }

    /// Timecode of the first frame; nil without one.
    var timecode: Timecode? { info.cinematicVideoTrack.track.timecode.flatMap(Timecode.init) }

    /// End of the last frame: by its duration or, where the tracks say another, by them, which may be told to the millisecond.
    var end: CMTime {
        let (last, told) = (times[times.count - 1], timeRange.end)
        let usual = last + frameDuration
        return told > last && CMTimeAbsoluteValue(told - usual) > CMTime(value: 1, timescale: 1000) ? told : usual
    }
}
