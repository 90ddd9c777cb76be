import AVFCapture
import CoreMedia
import CoreVideo
import Foundation
import Pipeline

/// Media of an asset writer on their way to the file, used on the writer's queue alone.
///
/// A picture is written when the sound has come up to it, so that both lie side by side in the file, and the last one when it is known how long it is shown;
/// sound and coded samples as soon as the file is open. The file is opened with the first picture, or the first sound where there are no pictures, since
/// only then the rate and the pixel format are known.
final class AssetWriting: @unchecked Sendable {
    /// Properties of the file that are fixed before the first sample.
    struct Plan: Sendable {
        var url: URL
        /// Kinds of media of the inputs, by which samples name the input that they came to.
        var media: [AVMediaType] = []
        var pictures: PictureSettings?
        var sound: MovieDescription.SoundTrack?
        /// Inputs whose samples come coded, by their place, and the track where a hint tells it.
        var coded: [Int: MovieContents.Track?] = [:]
        var rotation = 0
        var isMirrored = false
        var metadata: [String: String] = [:]
        var timescale: CMTimeScale?
        var fragments = MovieDescription.Fragments.none
        var segments: MovieSegments?
        /// Whether pictures come from a camera, so that sound which lags far behind them is not waited for.
        var isRealTime = false
        var open: @Sendable (URL, MovieDescription) throws -> any MovieWriter
    }

    private struct Picture {
        var image: CVPixelBuffer
        var time: CMTime
        var duration: CMTime
    }

    /// Input and how far its samples are.
    private struct Input {
        var mediaType: AVMediaType
        var end = CMTime.negativeInfinity
        var isOver = false
        /// Samples that come coded; nil for those to be encoded.
        var coded: CodedSamples?
    }

    private let plan: Plan
    private var writer: (any MovieWriter)?
    private var inputs: [Input]
    /// Inputs of the coded tracks that the file has, in its order.
    private var codedTracks: [Int] = []
    private var pictures: [Picture] = []
    /// Last picture ahead of the movie, which is shown until the first within it.
    private var lead: Picture?
    private var sounds: [Sound] = []
    private var isFinishing = false
    private let converter = PictureConverter()

    /// Pictures that wait for the sound, at most, while a camera runs.
    static let longestRow = 12

    init(_ plan: Plan) {
        self.plan = plan
        inputs = plan.media.enumerated().map { index, kind in Input(mediaType: kind, coded: plan.coded[index].map { CodedSamples(track: $0) }) }
    }

    /// Pictures that are not written yet.
    var waiting: Int { pictures.count }

    /// Seconds by which an input is ahead of the pictures and the sound of the others.
    func lead(of input: Int) -> Double {
        let others = inputs.indices.filter { $0 != input && !inputs[$0].isOver && inputs[$0].mediaType != .metadata }
        return others.map { (max(inputs[input].end, .zero) - max(inputs[$0].end, .zero)).seconds }.max() ?? 0
    }

    /// Takes a picture at a time of the movie; of those ahead of it the last is shown at its beginning.
    func append(_ image: CVPixelBuffer, at time: CMTime, duration: CMTime, to input: Int) throws {
        guard let settings = plan.pictures else { return }
        let picture = Picture(image: try fitted(image, settings), time: time, duration: duration)
        guard time >= .zero else { return lead = picture }
        begin(at: time)
        pictures.append(picture)
        inputs[input].end = max(inputs[input].end, time)
        try drain()
    }

    /// Moves the picture that was shown ahead of the movie to its beginning, unless another comes then.
    private func begin(at time: CMTime) {
        guard let lead else { return }
        self.lead = nil
        let duration = lead.duration.isNumeric && lead.duration > .zero ? lead.duration : time - lead.time
        if time > .zero { pictures.append(Picture(image: lead.image, time: .zero, duration: duration)) }
    }

    /// Takes sound on the time of the movie.
    func append(_ sound: Sound, to input: Int) throws {
        guard let track = plan.sound else { return }
        inputs[input].end = max(inputs[input].end, sound.presentationTime + sound.duration)
        sounds.append(sound.mixed(to: track.layout))
        try drain()
    }

    /// Takes a coded sample on the time of the movie, in a format; throws for a format that no file keeps, and for one after another.
    func append(_ sample: MovieSample, in format: CMFormatDescription?, to input: Int) throws {
        try inputs[input].coded?.append(sample, in: format)
        inputs[input].end = max(inputs[input].end, sample.end)
        try drain()
    }

    /// Takes note that no more comes from an input.
    func end(_ input: Int) throws {
        inputs[input].isOver = true
        try drain()
    }

    /// Writes what waits and completes the file. With an `end` the movie is that long: the last picture is shown until then, and what is later is not.
    func finish(at end: CMTime?) throws {
        let last = end ?? inputs.map(\.end).max() ?? .zero
        begin(at: last)
        for index in inputs.indices {
            inputs[index].isOver = true
            inputs[index].coded?.finish(at: last)
        }
        if let end { pictures.removeAll { $0.time >= end } }
        guard let writer = try opened() else { throw AVError(.noDataCaptured, reason: "a movie without a single sample is not written") }
        if let end { try writer.end(at: end) }
        isFinishing = true
        try drain()
        try writer.finish()
    }

    /// Removes the file.
    func cancel() {
        writer?.cancel()
        (pictures, lead, sounds) = ([], nil, [])
    }

    private func drain() throws {
        guard let writer = try opened() else { return }
        for sound in sounds { try writer.append(sound) }
        sounds = []
        if plan.fragments != .none {
            let end = inputs.filter { $0.mediaType != .metadata }.map(\.end).max() ?? .zero
            for input in codedTracks { inputs[input].coded?.hold(until: end) }
        }
        for (track, input) in codedTracks.enumerated() {
            for sample in inputs[input].coded?.take() ?? [] { try writer.append(sample, toCodedTrack: track) }
        }
        let soundEnd = inputs.filter { $0.mediaType == .audio && !$0.isOver }.map(\.end).min() ?? .positiveInfinity
        while let first = pictures.first, isFinishing || pictures.count > 1 {
            let isLongRow = plan.isRealTime && pictures.count > Self.longestRow
            guard soundEnd >= first.time || isLongRow else { return }
            try writer.append(first.image, at: first.time)
            pictures.removeFirst()
        }
    }

    /// The writer, opened as soon as its description is known; nil until then.
    private func opened() throws -> (any MovieWriter)? {
        if let writer { return writer }
        guard let movie = description else { return nil }
        let writer = try plan.open(plan.url, movie)
        self.writer = writer
        return writer
    }

    private var description: MovieDescription? {
        guard inputs.allSatisfy({ $0.coded.map { $0.track != nil } ?? true || $0.isOver }) else { return nil }
        codedTracks = inputs.indices.filter { inputs[$0].coded?.track != nil }
        var movie: MovieDescription
        if let settings = plan.pictures {
            guard let first = pictures.first, let duration = frameDuration(settings) else { return nil }
            movie = MovieDescription(
                width: settings.width, height: settings.height, frameDuration: duration, codec: settings.codec, pixelFormat: first.image.format,
                sound: plan.sound, metadata: plan.metadata, fragments: plan.fragments)
            movie.coding = settings.coding
            movie.colors = PictureColors(attachedTo: first.image)
        } else {
            guard plan.sound == nil || !sounds.isEmpty, plan.sound != nil || !codedTracks.isEmpty else { return nil }
            movie = MovieDescription(sound: plan.sound, metadata: plan.metadata, fragments: plan.fragments)
        }
        (movie.rotation, movie.isMirrored) = (plan.rotation, plan.isMirrored)
        movie.codedTracks = codedTracks.compactMap { inputs[$0].coded?.track }
        movie.movieTimescale = plan.timescale
        movie.segments = plan.segments
        if let interval = plan.segments?.interval, interval.isNumeric {
            movie.coding.keyframeInterval = min(movie.coding.keyframeInterval ?? interval.seconds, interval.seconds)
        }
        return movie
    }

    /// Time of a picture: what the first says, the rate expected, or the time to the second; nil where that has not come yet.
    private func frameDuration(_ settings: PictureSettings) -> CMTime? {
        let first = pictures[0]
        var duration = first.duration
        if !duration.isNumeric || duration <= .zero, pictures.count > 1 { duration = pictures[1].time - first.time }
        if !duration.isNumeric || duration <= .zero, let rate = settings.expectedRate {
            duration = CMTime(value: 1000, timescale: CMTimeScale((rate * 1000).rounded()))
        }
        if !duration.isNumeric || duration <= .zero || duration.seconds > 3600 {
            guard inputs.allSatisfy({ $0.mediaType != .video || $0.isOver }) else { return nil }
            duration = CMTime(value: 1, timescale: 30)
        }
        return duration.inLowestTerms
    }

    /// The picture in a pixel format that is written, at the size of the file.
    private func fitted(_ image: CVPixelBuffer, _ settings: PictureSettings) throws -> CVPixelBuffer {
        var image = image
        if let plain = PictureConverter.plainFormats[image.format] {
            let copy = converter.relabel(image, format: plain)
            CVBufferPropagateAttachments(image, copy)
            image = copy
        }
        guard image.size != (settings.width, settings.height) else { return image }
        guard PictureConverter.canResample(image.format) else {
            throw AVError(
                .unsupportedOutputSettings,
                reason: "pictures of \(image.size.width)x\(image.size.height) in \(PixelFormatSetting.name(image.format)) cannot be scaled to the "
                    + "\(settings.width)x\(settings.height) of the output settings")
        }
        var part = CGRect(x: 0, y: 0, width: 1, height: 1)
        if settings.fills {
            let wanted = Double(settings.width) / Double(settings.height)
            let own = Double(image.size.width) / Double(image.size.height)
            let share = (width: min(wanted / own, 1), height: min(own / wanted, 1))
            part = CGRect(x: (1 - share.width) / 2, y: (1 - share.height) / 2, width: share.width, height: share.height)
        }
        let scaled = converter.resample(image, part: part, width: settings.width, height: settings.height)
        CVBufferPropagateAttachments(image, scaled)
        return scaled
    }
}
