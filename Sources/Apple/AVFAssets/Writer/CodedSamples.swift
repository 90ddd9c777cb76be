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
    /// Decisions of a cinematic movie ahead of this one.
    private var earlier = DecisionsInEffect()
    /// Samples of a track of metadata.
    private var metadata = MetadataSamples()

    /// Length of a sample that says none.
    private static let usualDuration = CMTime(value: 1, timescale: 30)

    init(track: MovieContents.Track?) { self.track = track }

    /// Track of samples in a format; nil for one that no file keeps.
    static func track(of format: CMFormatDescription) -> MovieContents.Track? {
        let rate = format.audioStreamBasicDescription.flatMap { CMTimeScale(exactly: $0.mSampleRate) }
        return MovieContents.Track(codedAs: format, timescale: rate ?? MetadataSamples.timescale)
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
        if track?.kind == .foreignMetadata { return metadata.append(sample) }
        var sample = sample
        if !sample.duration.isNumeric { sample.duration = Self.usualDuration }
        guard sample.end > .zero else {
            // Maps and cinematic metadata are read by themselves.
            if track?.kind == .metadata { _ = try earlier.told(sample, ofPartFrom: .zero) }
            if track?.kind == .disparity || track?.kind == .metadata { return }
            if sample.isSync { lead = [] }
            return lead.append(sample)
        }
        // Players go by samples: one that begins ahead of the edit list is passed over, or moves all.
        if track?.kind == .metadata { sample = try earlier.told(sample, ofPartFrom: .zero) }
        if track?.kind != .sound { sample.time = max(sample.time, .zero) }
        waiting += lead + [sample]
        lead = []
    }

    /// Has metadata of a file in fragments written as far as the movie is.
    mutating func hold(until time: CMTime) {
        guard track?.kind == .foreignMetadata else { return }
        metadata.begin()
        metadata.hold(until: time)
    }

    /// Takes note that no more comes before the end of the movie.
    mutating func finish(at end: CMTime) { metadata.finish(at: end) }

    /// Hands over what can be written.
    mutating func take() -> [MovieSample] {
        defer { waiting = [] }
        return waiting + metadata.take()
    }
}
