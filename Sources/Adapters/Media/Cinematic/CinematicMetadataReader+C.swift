internal import CFFmpeg
import CoreMedia
import Foundation
import Pipeline

/// Reader of a cinematic movie's metadata track, one sample a frame, in order of time.
final class CinematicMetadataReader {
    /// Metadata of one frame.
    struct Entry {
        /// Number of the sample, from 0.
        var number: Int
        /// Presentation time; the first picture is at zero.
        var time: CMTime
        var sample: CinematicSample
    }

    private let demuxer: Demuxer
    private let start: CMTime
    private var pending: Entry?
    private var number = 0

    /// - Parameters:
    ///   - start: time of the first picture after the container's zero.
    ///   - opened: the file, opened before and not read from; nil opens it.
    init(path: String, start: CMTime, opened: Input? = nil) throws(MediaError) {
        demuxer = try Demuxer(path: path, .marked(.cinematicMetadata), opened: opened)
        demuxer.passOverOthers()
        self.start = start
    }

    /// The next sample, which stays the next one; nil at the end. Throws `MediaError` for damage, and for a later version.
    func peek() throws(MediaError) -> Entry? {
        if pending == nil { pending = try read() }
        return pending
    }

    /// Reads the next sample; nil at the end. Throws `MediaError` for damage, and for a later version.
    func next() throws(MediaError) -> Entry? {
        defer { pending = nil }
        return try peek()
    }

    /// Makes the sample of a time the next one; `number` is its own.
    func seek(to number: Int, at time: CMTime) {
        guard let ticks = demuxer.timeBase.ticks(time + start), demuxer.seek(to: ticks) else { return }
        (self.number, pending) = (number, nil)
    }

    /// Time of the last sample before a time, which is the next one then; nil where there is none.
    func time(before time: CMTime) throws(MediaError) -> CMTime? {
        guard let ticks = demuxer.timeBase.ticks(time + start), demuxer.seek(to: ticks - 1) else { return nil }
        pending = nil
        return try peek().flatMap { $0.time < time ? $0.time : nil }
    }

    private func read() throws(MediaError) -> Entry? {
        let read: FFmpegPacket?
        do throws(Demuxer.Failure) { read = try demuxer.next() } catch {
            throw MediaError(
                code: .corrupt, path: demuxer.path, reason: "is damaged: its metadata cannot be read on", underlying: error.code,
                underlyingText: error.text)
        }
        guard let packet = read?.pointer.pointee else { return nil }
        guard packet.pts != RF_AV_NOPTS_VALUE, let time = demuxer.timeBase.time(packet.pts), packet.size > 0, let bytes = packet.data else {
            throw MediaError(
                code: .corrupt, path: demuxer.path, reason: "is damaged: the metadata of frame \(number) have no time or no content")
        }
        defer { number += 1 }
        do {
            let sample = try CinematicSample(UnsafeRawBufferPointer(start: bytes, count: Int(packet.size)))
            return Entry(number: number, time: time - start, sample: sample)
        } catch {
            throw MediaError(
                code: error.isOfLaterVersion ? .unsupported : .corrupt, path: demuxer.path,
                reason: error.isOfLaterVersion ? error.reason : "is damaged: the metadata of frame \(number) cannot be read: \(error.reason)")
        }
    }
}

extension Input {
    /// Whether there is disparity or metadata of a cinematic movie.
    var hasCinematicTracks: Bool { streams.contains { $0.mark != nil } }
}
