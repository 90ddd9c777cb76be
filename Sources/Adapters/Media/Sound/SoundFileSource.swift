import CoreMedia
import Foundation
import Pipeline
import Synchronization

/// Sound of footage, in step with its pictures, the first of which is at time zero; silence before and after.
///
/// It is decoded on demand and not kept; a range before the last one is decoded again from the file's beginning.
public final class SoundFileSource: SoundSource {
    /// Path of the file.
    public let path: String
    /// Samples per second and channel, as in the file.
    public let sampleRate: Int
    /// Samples per channel until the sound ends; nil when the container does not say.
    public let sampleCount: Int64?
    private let layout: Sound.Layout
    private let state: Mutex<State>

    fileprivate struct State: ~Copyable {
        var reader: SoundReader
        /// Decoded samples that are still kept, interleaved.
        var decoded: [Float] = []
        /// Number of the first of them; nil before anything was decoded.
        var first: Int64?
        var isOver = false
    }

    /// Opens the sound of a file; nil for one without sound and for an image sequence. Throws `MediaError`.
    public static func open(_ path: String) throws(MediaError) -> SoundFileSource? {
        SoundReader.hasSound(path) ? try SoundFileSource(path: path) : nil
    }

    private init(path: String) throws(MediaError) {
        let reader = try SoundReader(path: path)
        (self.path, sampleRate, layout) = (path, reader.sampleRate, reader.layout)
        sampleCount = reader.end.map { [start = reader.pictureStart, rate = reader.sampleRate] in
            max(0, Sound.sample(at: $0 - start, sampleRate: rate))
        }
        state = Mutex(State(reader: reader))
    }

    /// Decodes a range of samples; zeros where the file has none. Throws `MediaError`.
    public func sound(of samples: Range<Int64>) throws -> Sound {
        try state.withLock { state in
            if let first = state.first, samples.lowerBound < first { state = State(reader: try SoundReader(path: path)) }
            try state.decode(to: samples.upperBound, channels: layout.channelCount, forgetting: samples.lowerBound)
            var sound = Sound.silence(samples, sampleRate: sampleRate, layout: layout)
            let first = state.first ?? 0
            let last = first + Int64(state.decoded.count / layout.channelCount)
            let (from, to) = (max(first, samples.lowerBound), min(last, samples.upperBound))
            guard from < to else { return sound }
            let channels = layout.channelCount
            let place = Int(from - samples.lowerBound) * channels
            let part = state.decoded[Int(from - first) * channels..<Int(to - first) * channels]
            sound.samples.replaceSubrange(place..<place + part.count, with: part)
            return sound
        }
    }
}

extension SoundFileSource.State {
    /// Decodes until sample `end` is there or the file ends; samples before `start` are dropped.
    fileprivate mutating func decode(to end: Int64, channels: Int, forgetting start: Int64) throws {
        while !isOver, (first ?? .min) + Int64(decoded.count / channels) < end {
            guard let frame = try reader.next() else {
                isOver = true
                return
            }
            if first == nil {
                let time = (reader.time(of: frame) ?? .zero) - reader.pictureStart
                first = Sound.sample(at: time, sampleRate: reader.sampleRate)
            }
            SoundReader.append(frame, to: &decoded)
            forget(before: start, channels)
        }
        forget(before: start, channels)
    }

    private mutating func forget(before start: Int64, _ channels: Int) {
        guard let first, first < start else { return }
        let count = min(Int(start - first), decoded.count / channels)
        decoded.removeFirst(count * channels)
        self.first = first + Int64(count)
    }
}
