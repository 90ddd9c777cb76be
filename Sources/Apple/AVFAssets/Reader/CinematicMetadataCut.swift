import AVFCapture
import CoreMedia
import Foundation
import Pipeline
import Synchronization

/// Reader of a cinematic movie's metadata, as stored, from a time on: the first frame has the decisions that are in effect there.
final class CinematicMetadataCut: MovieTrackReader {
    private let reader: any MovieTrackReader
    private let start: CMTime
    private let earlier = Mutex(DecisionsInEffect())

    init(of track: AVAssetTrack, in range: CMTimeRange) throws {
        reader = try track.samples(in: CMTimeRange(start: track.timeRange.start, end: range.end), as: .stored)
        start = range.start
    }

    func next() throws -> MovieSample? {
        while let sample = try reader.next() {
            let told = try earlier.withLock { try $0.told(sample, ofPartFrom: start) }
            if !sample.duration.isNumeric || sample.end > start { return told }
        }
        return nil
    }
}
