import AVFoundation
import CoreMedia
import Focus
import Foundation
import Pipeline

/// Metadata of a cinematic movie, as recorded: what a script starts from.
struct CinematicRecording: Sendable {
    /// Presentation times of the frames, increasing; never empty.
    let times: [CMTime]
    /// Metadata of each frame.
    let samples: [CinematicSample]
    /// Exact time of one picture.
    let frameDuration: CMTime
    /// Time in which all tracks have samples.
    let timeRange: CMTimeRange
    /// SHA-256 of the metadata, by which changes name their movie.
    let digest: String

    /// Reads the metadata of an asset. Throws `CNCinematicError`; `cancelled` as soon as the progress is.
    init(asset: AVAsset, progress: Progress?) async throws {
        let info = try await CNAssetInfo(asset: asset)
        let output = AVAssetReaderTrackOutput(track: info.cinematicMetadataTrack, outputSettings: nil)
        let reader: AVAssetReader
        do { reader = try AVAssetReader(asset: asset) } catch {
            throw CNCinematicError(.unreadable, reason: error.localizedDescription, underlying: error)
        }
        reader.add(output)
        reader.startReading()
        progress?.totalUnitCount = 1
        var (times, samples): ([CMTime], [CinematicSample]) = ([], [])
        var digest = CinematicDigest()
        while let buffer = output.copyNextSampleBuffer() {
            if progress?.isCancelled == true {
                reader.cancelReading()
                throw CNCinematicError(.cancelled, reason: "reading the movie was cancelled")
            }
            let sample = try Self.sample(of: buffer, number: samples.count)
            times.append(buffer.presentationTimeStamp)
            samples.append(sample)
            digest.add(sample.data, at: buffer.presentationTimeStamp)
        }
        if let error = reader.error { throw CNCinematicError(.malformed, reason: error.localizedDescription, underlying: error) }
        guard !samples.isEmpty else { throw CNCinematicError(.incomplete, reason: "the movie has no metadata of a single frame") }
        (self.times, self.samples, timeRange) = (times, samples, info.timeRange)
        let duration = info.cinematicVideoTrack.minFrameDuration
        frameDuration = duration.isNumeric ? duration : CMTime(value: 1, timescale: 30)
        self.digest = digest.text
        progress?.completedUnitCount = 1
    }

    private static func sample(of buffer: CMSampleBuffer, number: Int) throws -> CinematicSample {
        let data = try buffer.dataBuffer?.dataBytes() ?? Data()
        do { return try CinematicSample(data) } catch {
            throw CNCinematicError(
                error.isOfLaterVersion ? .unsupported : .malformed, reason: "the metadata of frame \(number) cannot be read: \(error.reason)",
                underlying: error)
        }
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
    var script: FocusScript { FocusScript(times: times.map(\.nanoseconds), samples: samples, frameDuration: frameDuration) }
}
