import AVFCapture
import CoreMedia
import Foundation
import Pipeline
import Synchronization

/// Movie of a composition: its tracks are read part by part from the files that they are of, with the times moved and, at another speed, stretched.
///
/// A sample that is cut by the bounds of a part is shown for as long as it is in it. Metadata of cinematic movies are told anew: their times are those of the
/// composition, subjects of another file have other numbers, a part is a shot of its own, and where it begins in mid-take its first frame has the decisions
/// that were in effect: one of the user's, and the automatic one below it.
final class CompositionFile: MovieFile {
    let contents: MovieContents
    private let tracks: [CompositionSource.Track]
    /// Files in the order in which they are met first.
    private let files: [URL]

    init(_ tracks: [CompositionSource.Track]) {
        self.tracks = tracks
        files = tracks.flatMap { $0.timeline.parts.compactMap { $0.media?.file.url } }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        contents = MovieContents(tracks: tracks.map(\.described), duration: tracks.map(\.timeline.end).max() ?? .zero)
    }

    func reader(of track: Int, in range: CMTimeRange, as coding: MovieSample.Coding) throws -> any MovieTrackReader {
        guard let track = tracks.first(where: { $0.number == track }) else {
            throw AVError(.operationNotSupportedForAsset, reason: "the composition has no track \(track)")
        }
        return CompositionReader(track.timeline, in: range, as: coding, files: files)
    }

    func cinematicFrames(_ reading: FootageReading, edited: [CinematicSample]?) throws -> any CinematicFrameSource {
        throw AVError(.operationNotSupportedForAsset, reason: "frames of a composition are read from its tracks, by an AVAssetReader")
    }
}

/// Reader of a composition's track, one part after the other.
private final class CompositionReader: MovieTrackReader {
    private let state: Mutex<State>
    private let range: CMTimeRange
    private let coding: MovieSample.Coding
    /// Files of the composition, by whose order subjects are numbered.
    private let files: [URL]
    private let isWhole: Bool

    private struct State {
        /// Parts to come.
        var parts: ArraySlice<(number: Int, start: CMTime, part: CompositionTimeline.Part)>
        var reading: PartReader?
        /// Track of the first part that was read.
        var first: MovieContents.Track?
    }

    init(_ timeline: CompositionTimeline, in range: CMTimeRange, as coding: MovieSample.Coding, files: [URL]) {
        (self.range, self.coding, self.files) = (range, coding, files)
        let placed = timeline.placed.filter { $0.part.media != nil }
        isWhole = placed.count == 1
        let parts = placed.enumerated().map { (number: $0, start: $1.start, part: $1.part) }
        state = Mutex(State(parts: parts.filter { $0.start < range.end && $0.start + $0.part.duration > range.start }[...]))
    }

    func next() throws -> MovieSample? {
        try state.withLock { state in
            while true {
                if let sample = try state.reading?.next() { return sample }
                guard let (number, start, part) = state.parts.popFirst(), let media = part.media else { return nil }
                try check(media.track, after: &state.first)
                let retelling = Retelling(
                    shift: (start - part.source.start).nanoseconds, firstID: (files.firstIndex(of: media.file.url) ?? 0) << 20,
                    shot: isWhole ? nil : number << 16)
                state.reading = try PartReader(part, media, at: start, in: range, as: coding, retelling)
            }
        }
    }

    /// Throws `AVError` for a part that cannot be read in one go with the first.
    private func check(_ track: MovieContents.Track, after first: inout MovieContents.Track?) throws(AVError) {
        guard let before = first else {
            first = track
            return
        }
        if coding == .stored, track.codec != before.codec || track.configuration != before.configuration {
            throw AVError(
                .operationNotSupportedForAsset, reason: "parts of the composition are coded differently: read it decoded, with output settings")
        }
    }
}

/// Reader of one part of a file's track.
private struct PartReader {
    private let reader: any MovieTrackReader
    private let media: CompositionTimeline.Media
    private let coding: MovieSample.Coding
    /// Bounds of the part, and what of them is asked for, both in the file's times.
    private let (whole, wanted): (CMTimeRange, CMTimeRange)
    /// Bounds of the part in the composition.
    private let target: CMTimeRange
    /// Samples per second of the sound that is asked for, where the reader gives others because of the speed.
    private let sampleRate: Int?
    /// End of the sound so far, in the composition.
    private var heard: CMTime?
    private let retelling: Retelling
    private var hasBegun = false
    /// Those in effect ahead of the part.
    private var earlier = DecisionsInEffect()

    init(
        _ part: CompositionTimeline.Part, _ media: CompositionTimeline.Media, at start: CMTime, in range: CMTimeRange, as coding: MovieSample.Coding,
        _ retelling: Retelling
    ) throws {
        (self.media, self.coding, self.retelling) = (media, coding, retelling)
        target = CMTimeRange(start: start, duration: part.duration)
        whole = part.source
        wanted = CMTimeRange(
            start: max(range.start, target.start).mapped(from: target, to: whole), end: min(range.end, target.end).mapped(from: target, to: whole))
        var coding = coding
        if part.isScaled, media.track.kind == .metadata || media.track.kind == .sound && coding == .stored {
            throw AVError(
                .operationNotSupportedForAsset,
                reason: media.track.kind == .sound
                    ? "sound of the composition has another speed than its file: read it decoded, with output settings"
                    : "a part of a cinematic movie has another speed than its file: its decisions cannot be read")
        }
        if part.isScaled, case .sound(var reading) = coding {
            sampleRate = reading.sampleRate
            reading.sampleRate = max(1, Int((Double(reading.sampleRate) * part.duration.seconds / whole.duration.seconds).rounded()))
            coding = .sound(reading)
        } else {
            sampleRate = nil
        }
        // Decisions before the part hold on into it.
        let from = media.track.kind == .metadata ? min(media.track.timeRange.start, wanted.start) : wanted.start
        do {
            reader = try media.file.opened().reader(of: media.track.number, in: CMTimeRange(start: from, end: wanted.end), as: coding)
        } catch { throw media.file.told(error) }
    }

    /// Reads the next sample, at its time in the composition; nil at the end of the part.
    mutating func next() throws -> MovieSample? {
        while true {
            let read: MovieSample?
            do { read = try reader.next() } catch { throw media.file.told(error) }
            guard let read else { return nil }
            if let sample = try placed(read) { return sample }
        }
    }

    /// The sample at its time in the composition; nil for one that is passed over.
    private mutating func placed(_ read: MovieSample) throws -> MovieSample? {
        var sample = read
        if case .sound(var sound) = sample.content {
            sound.presentationTime = sound.presentationTime.mapped(from: whole, to: target)
            if let sampleRate {
                sound.sampleRate = sampleRate
                // Of a rate in whole numbers the mapped times would be a sample off now and then.
                if let heard, abs((heard - sound.presentationTime).seconds) < 0.01 { sound.presentationTime = heard }
                sound = sound.cut(from: target.start, to: target.end)
                heard = sound.presentationTime + sound.duration
                sample.duration = sound.duration
            }
            return MovieSample(time: sound.presentationTime, duration: sample.duration, content: .sound(sound))
        }
        let end = sample.duration.isNumeric ? sample.time + sample.duration : .positiveInfinity
        if media.track.kind == .metadata { sample.content = try retold(sample, end: end) }
        // Coded sound cannot be cut: a packet belongs to where it begins.
        guard end > wanted.start, coding != .stored || media.track.kind != .sound || sample.time >= whole.start else { return nil }
        if case .data(_, let isSync) = sample.content, !isSync, !hasBegun {
            throw AVError(
                .operationNotSupportedForAsset,
                reason: "a part of the composition begins with a picture that needs those before it: read it decoded, with output settings")
        }
        guard sample.time < whole.end else {
            throw AVError(
                .operationNotSupportedForAsset,
                reason: "a part of the composition ends with pictures that need one behind it: read it decoded, with output settings")
        }
        hasBegun = true
        let start = max(sample.time, whole.start)
        sample.time = start.mapped(from: whole, to: target)
        if sample.duration.isNumeric { sample.duration = min(end, whole.end).mapped(from: whole, to: target) - sample.time }
        if sample.decodeTime.isNumeric { sample.decodeTime = sample.decodeTime.mapped(from: whole, to: target) }
        return sample
    }

    /// Metadata of a cinematic movie as the composition has them: the first frame of a part has the decisions that are in effect there.
    private mutating func retold(_ sample: MovieSample, end: CMTime) throws -> MovieSample.Content {
        var (told, isStored): (CinematicSample, Bool)
        switch sample.content {
        case .cinematic(let read): (told, isStored) = (read, false)
        case .data(let data, _): (told, isStored) = (try CinematicSample(data), true)
        case .picture, .sound: return sample.content
        }
        earlier.tell(&told, shownFrom: sample.time, to: end, ofPartFrom: whole.start)
        told = retelling.retold(told)
        return isStored ? .data(told.data, isSync: true) : .cinematic(told)
    }
}

extension DecisionsInEffect {
    /// Takes note of the decisions of a frame ahead of a part, and adds those in effect to the frame by which it begins.
    mutating func tell(_ sample: inout CinematicSample, shownFrom time: CMTime, to end: CMTime, ofPartFrom start: CMTime) {
        guard time <= start else { return }
        if end > start { sample.decisions = decisions(with: sample.decisions, since: DecisionsInEffect()) }
        take(sample.decisions)
    }

    /// Does so with the bytes of a sample, of which those behind the beginning of the part stay as they are.
    mutating func told(_ sample: MovieSample, ofPartFrom start: CMTime) throws -> MovieSample {
        guard sample.time <= start, case .data(let data, let isSync) = sample.content else { return sample }
        var (told, result) = (try CinematicSample(data), sample)
        let before = told
        tell(&told, shownFrom: sample.time, to: sample.duration.isNumeric ? sample.end : .positiveInfinity, ofPartFrom: start)
        if told != before { result.content = .data(told.data, isSync: isSync) }
        return result
    }
}

/// Change of a cinematic movie's metadata that puts them into a composition.
private struct Retelling: Sendable {
    /// Nanoseconds from the time in the file to that in the composition.
    let shift: Int64
    /// Number that is added to those of subjects and groups, which a sample keeps in 31 bits.
    let firstID: Int
    /// Number that is added to those of shots; nil leaves them as they are.
    let shot: Int?

    func retold(_ sample: CinematicSample) -> CinematicSample {
        var sample = sample.moved(by: shift)
        if let shot { sample.shot = (sample.shot ?? 0) + shot }
        func number(_ id: Int) -> Int { id > 0 ? id + firstID : id }
        sample.focus.subject = sample.focus.subject.map(number)
        for index in sample.detections.indices {
            sample.detections[index].objectID = number(sample.detections[index].objectID)
            sample.detections[index].groupID = number(sample.detections[index].groupID)
        }
        for index in sample.decisions.indices { sample.decisions[index].subject = sample.decisions[index].subject.map(number) }
        return sample
    }
}
