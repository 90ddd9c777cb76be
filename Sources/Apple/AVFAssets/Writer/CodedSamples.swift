import AVFCapture
import CoreMedia
import Foundation
import Pipeline

/// Samples of an input whose samples come coded, on the time of the movie, until the file takes them.
struct CodedSamples {
    /// Track that they make; nil until a hint or a sample tells their format.
    private(set) var track: MovieContents.Track?
    /// Format of the last sample that told one.
    private var format: CMFormatDescription?
    private var waiting: [MovieSample] = []
    /// Samples ahead of the movie from the last one that can be decoded by itself: with them a decoder begins.
    private var lead: [MovieSample] = []
    /// Last sample of metadata, which holds until the next where it does not say how long.
    private var last: MovieSample?

    /// Ticks per second of pictures and metadata: those of all usual rates are whole numbers of them.
    private static let timescale: CMTimeScale = 360_000

    /// Length of a last sample that says none.
    private static let usualDuration = CMTime(value: 1, timescale: 30)

    init(track: MovieContents.Track?) { self.track = track }

    /// Track of samples in a format; nil for one that no file keeps.
    static func track(of format: CMFormatDescription) -> MovieContents.Track? {
        let rate = format.audioStreamBasicDescription.flatMap { CMTimeScale(exactly: $0.mSampleRate) }
        return MovieContents.Track(codedAs: format, timescale: rate ?? timescale)
    }

    /// Takes a sample; throws for a format that no file keeps, and for one after another.
    mutating func append(_ sample: MovieSample, in format: CMFormatDescription?) throws {
        if let format, format !== self.format {
            guard let own = Self.track(of: format) else {
                throw AVError(.unsupportedOutputSettings, reason: "samples in this format are not passed through; give output settings")
            }
            if track == nil { track = own }
            guard track?.configuration == own.configuration, track?.codec == own.codec else {
                throw AVError(.unsupportedOutputSettings, reason: "the format of coded samples changes, and a track has one")
            }
            self.format = format
        }
        if track?.kind == .foreignMetadata { return hold(sample) }
        var sample = sample
        if !sample.duration.isNumeric { sample.duration = Self.usualDuration }
        guard sample.end > .zero else {
            if sample.isSync { lead = [] }
            return lead.append(sample)
        }
        waiting += lead + [sample]
        lead = []
    }

    /// Metadata hold until the next; where they say that they hold for less, and ahead of the first, there is a sample without any.
    private mutating func hold(_ sample: MovieSample) {
        var sample = sample
        if sample.time < .zero {
            guard !sample.duration.isNumeric || sample.end > .zero else { return }
            if sample.duration.isNumeric { sample.duration = sample.end }
            sample.time = .zero
        }
        if var last {
            let isShort = last.duration.isNumeric && last.end < sample.time
            if !isShort { last.duration = sample.time - last.time }
            if last.duration > .zero { waiting.append(last) }
            if isShort { waiting.append(Self.nothing(from: last.end, to: sample.time)) }
        } else if sample.time > .zero {
            waiting.append(Self.nothing(from: .zero, to: sample.time))
        }
        last = sample
    }

    private static func nothing(from start: CMTime, to end: CMTime) -> MovieSample {
        MovieSample(time: start, duration: end - start, content: .data(MetadataKeyTable.sample(of: []), isSync: true))
    }

    /// Takes note that no more comes before the end of the movie.
    mutating func finish(at end: CMTime) {
        guard var last else { return }
        if !last.duration.isNumeric { last.duration = max(end - last.time, Self.usualDuration) }
        waiting.append(last)
        self.last = nil
    }

    /// Hands over what can be written.
    mutating func take() -> [MovieSample] {
        defer { waiting = [] }
        return waiting
    }
}

extension MovieSample {
    /// Time at which it ends; that at which it begins where its length is unknown.
    var end: CMTime { duration.isNumeric ? time + duration : time }
    /// Whether it can be decoded by itself.
    fileprivate var isSync: Bool { if case .data(_, let isSync) = content { isSync } else { true } }
}
