import AVFCapture
import CoreMedia
import Foundation
import Pipeline
import Synchronization

/// Reading of a mix: the sound of its tracks added up, in parts of 1024 samples.
final class AudioMixReading: Sendable {
    private let format: PCMFormat
    private let start: CMTime
    private let state: Mutex<State>

    private struct State {
        var tracks: [HeardTrack]
        /// Samples that were handed over, and that there are altogether.
        var (position, end): (Int, Int)
    }

    /// Opens the tracks. Throws `AVError` for settings that nothing can be decoded to, and for tracks that are no sound.
    init(of tracks: [AVAssetTrack], _ mix: AVAudioMix?, in range: CMTimeRange, as settings: [String: Any]) throws {
        guard let first = tracks.first, tracks.allSatisfy({ $0.mediaType == .audio }) else {
            throw AVError(.operationNotSupportedForAsset, reason: "a mix of sound needs tracks of sound, and no others")
        }
        let format = try PCMFormat(settings, channels: tracks.map(\.track.channels).max() ?? 2, sampleRate: first.track.sampleRate)
        self.format = format
        let from = range.start.isNumeric ? max(range.start, .zero) : .zero
        start = from
        let last = min(tracks.map(\.timeRange.end).max() ?? .zero, range.end)
        let wanted = CMTimeRange(start: from, end: max(last, from))
        state = Mutex(
            State(
                tracks: try tracks.map { track in
                    let parameters = mix?.inputParameters.last { $0.trackID == track.trackID }?.described
                    let reading = SoundReading(sampleRate: format.sampleRate, mix: parameters?.spatialMix)
                    return HeardTrack(reader: try track.samples(in: wanted, as: .sound(reading)), volumes: parameters?.volumes ?? [])
                }, position: 0, end: Int((wanted.duration.seconds * Double(format.sampleRate)).rounded())))
    }

    /// Mixes the next part; nil at the end.
    func next() throws -> CMSampleBuffer? {
        let sound: Sound? = try state.withLock { state in
            let part = state.position..<min(state.position + 1024, state.end)
            guard !part.isEmpty else { return nil }
            let time = start + Sound.time(of: Int64(part.lowerBound), sampleRate: format.sampleRate)
            let silence = [Float](repeating: 0, count: part.count * format.layout.channelCount)
            var sound = Sound(presentationTime: time, sampleRate: format.sampleRate, layout: format.layout, samples: silence)
            for index in state.tracks.indices { try state.tracks[index].add(part, from: start, to: &sound) }
            state.position = part.upperBound
            return sound
        }
        return try sound.map(format.buffer)
    }
}

/// Track of a mix.
private struct HeardTrack {
    private let reader: any MovieTrackReader
    private let volumes: [Ramp<Float>]
    /// Sound that was read and not added to its end; nil before the first and behind the last.
    private var ready: Sound?
    private var isOver = false

    init(reader: any MovieTrackReader, volumes: [Ramp<Float>]) { (self.reader, self.volumes) = (reader, volumes) }

    /// Adds the track's samples of a part, counted from `start`, at their volume.
    mutating func add(_ part: Range<Int>, from start: CMTime, to mix: inout Sound) throws {
        while let sound = try ready ?? read(mix.layout) {
            ready = sound
            let first = Int(((sound.presentationTime - start).seconds * Double(sound.sampleRate)).rounded())
            let shared = (first..<first + sound.sampleCount).clamped(to: part)
            let channels = mix.layout.channelCount
            for sample in shared {
                let volume = volumes.isEmpty ? 1 : volume(at: start.seconds + Double(sample) / Double(sound.sampleRate))
                let (from, to) = ((sample - first) * channels, (sample - part.lowerBound) * channels)
                for channel in 0..<channels { mix.samples[to + channel] += volume * sound.samples[from + channel] }
            }
            guard first + sound.sampleCount <= part.upperBound else { return }
            ready = nil
        }
    }

    private mutating func read(_ layout: Sound.Layout) throws -> Sound? {
        while !isOver {
            guard let sample = try reader.next() else {
                isOver = true
                return nil
            }
            if case .sound(let sound) = sample.content { return sound.mixed(to: layout) }
        }
        return nil
    }

    private func volume(at seconds: Double) -> Float {
        volumes.value(at: CMTime(seconds: seconds, preferredTimescale: 1_000_000_000), or: 1) { $0 + ($1 - $0) * Float($2) }
    }
}
