import AVFCapture
import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Synchronization

/// Reading of a video composition: the samples of its tracks, gone through by time, and the compositor that makes pictures of them.
final class VideoCompositionReading: Sendable {
    let compositor: any AVVideoCompositing
    private let composition: AVVideoComposition.Configuration
    private let context: AVVideoCompositionRenderContext
    /// Format of the pictures handed over; nil is as they are made.
    private let format: OSType?
    private let end: CMTime
    private let converter = PictureConverter()
    private let state: Mutex<State>

    private struct State {
        var tracks: [CMPersistentTrackID: ShownTrack]
        /// Time of the next picture.
        var time: CMTime
    }

    /// Opens the tracks and makes the compositor. Throws `AVError.invalidVideoComposition` for one that cannot be drawn, and says why.
    init(
        _ described: AVVideoComposition, of videoTracks: [AVAssetTrack], _ asset: AVAsset, in range: CMTimeRange, settings: [String: Any]?
    ) throws {
        composition = described.configuration
        try composition.check()
        if let type = composition.customVideoCompositorClass {
            guard let made = ClassInitializer.make(type) as? any AVVideoCompositing else {
                throw AVError(.invalidVideoComposition, reason: "no object can be made of the customVideoCompositorClass \(type)")
            }
            compositor = made
        } else {
            compositor = LayerCompositor()
        }
        guard let drawn = compositor.renderFormat else {
            throw AVError(
                .invalidVideoComposition,
                reason: "requiredPixelBufferAttributesForRenderContext names no format under kCVPixelBufferPixelFormatTypeKey")
        }
        context = AVVideoCompositionRenderContext(described, format: drawn)
        format = settings.flatMap { PixelFormatSetting.format(in: $0) }
        let (start, last) = (max(range.start, .zero), composition.instructions.map(\.timeRange.end).max() ?? .zero)
        end = min(range.end, min(last, try asset.contents().duration))
        let wanted = CMTimeRange(start: start, end: end)
        var tracks: [CMPersistentTrackID: ShownTrack] = [:]
        for track in videoTracks { tracks[track.trackID] = try ShownTrack(track, formats: compositor.sourceFormats, in: wanted) }
        for number in composition.sourceSampleDataTrackIDs {
            guard let track = try asset.loadedTracks().first(where: { $0.trackID == number }) else {
                throw AVError(.invalidVideoComposition, reason: "sourceSampleDataTrackIDs names track \(number), which the asset does not have")
            }
            tracks[number] = try ShownTrack(track, formats: [], in: wanted)
        }
        state = Mutex(State(tracks: tracks, time: start))
        compositor.renderContextChanged(context)
    }

    /// Makes the next picture; nil behind the last.
    func next() throws -> CMSampleBuffer? {
        try state.withLock { state in
            let timing = composition.sourceTrackIDForFrameTiming
            var time = state.time
            if state.tracks[timing] != nil {
                guard let next = try state.tracks[timing]?.start(from: time) else { return nil }
                time = next
            }
            guard time < end, let instruction = composition.instructions.first(where: { $0.timeRange.containsTime(time) }) else { return nil }
            let shown = try samples(at: time, instruction, &state)
            state.time = state.tracks[timing]?.end ?? time + composition.frameDuration
            let made = try picture(at: time, instruction, shown)
            let result = try converted(made)
            let timestamps = CMSampleTimingInfo(duration: state.time - time, presentationTimeStamp: time, decodeTimeStamp: .invalid)
            return CMSampleBuffer(imageBuffer: result, formatDescription: CMFormatDescription(of: result), timing: timestamps)
        }
    }

    private func samples(
        at time: CMTime, _ instruction: any AVVideoCompositionInstructionProtocol, _ state: inout State
    ) throws -> [CMPersistentTrackID: CMSampleBuffer] {
        let required = instruction.requiredSourceTrackIDs.map { $0.compactMap { ($0 as? NSNumber)?.int32Value } }
        let data = instruction.requiredSourceSampleDataTrackIDs.map(\.int32Value)
        var shown: [CMPersistentTrackID: CMSampleBuffer] = [:]
        for number in state.tracks.keys {
            let sample = try state.tracks[number]?.sample(at: time)
            let isPicture = sample?.imageBuffer != nil
            let isWanted = isPicture ? required?.contains(number) ?? true : data.isEmpty || data.contains(number)
            if isWanted || number == instruction.passthroughTrackID { shown[number] = sample }
        }
        return shown
    }

    private func picture(
        at time: CMTime, _ instruction: any AVVideoCompositionInstructionProtocol, _ shown: [CMPersistentTrackID: CMSampleBuffer]
    ) throws -> CVPixelBuffer {
        if let passed = shown[instruction.passthroughTrackID]?.imageBuffer { return passed }
        let request = AVAsynchronousVideoCompositionRequest(context, at: time, instruction, shown)
        compositor.startRequest(request)
        return try request.picture()
    }

    /// The picture in the format of the settings.
    private func converted(_ picture: CVPixelBuffer) throws(AVError) -> CVPixelBuffer {
        guard let format, format != picture.format else { return picture }
        guard picture.format == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, PictureConverter.formats.contains(format) else {
            throw AVError(
                .unsupportedOutputSettings,
                reason: "pictures composed in \(PixelFormatSetting.name(picture.format)) are not handed over in \(PixelFormatSetting.name(format))")
        }
        return converter.convert(picture, to: format, rotation: 0, isMirrored: false)
    }
}

extension AVVideoComposition.Configuration {
    /// Throws `AVError.invalidVideoComposition` for values that nothing can be drawn by.
    fileprivate func check() throws(AVError) {
        func refusal(_ reason: String) -> AVError { AVError(.invalidVideoComposition, reason: reason) }
        guard renderSize.width >= 1, renderSize.height >= 1, renderScale > 0 else {
            throw refusal("renderSize is \(renderSize.width) x \(renderSize.height), renderScale \(renderScale)")
        }
        guard frameDuration.isNumeric, frameDuration > .zero else { throw refusal("frameDuration is not above zero") }
        guard !instructions.isEmpty else { throw refusal("there are no instructions") }
        for (one, next) in zip(instructions, instructions.dropFirst()) where one.timeRange.end != next.timeRange.start {
            throw refusal("an instruction ends at \(one.timeRange.end.seconds) s, the next one begins at \(next.timeRange.start.seconds) s")
        }
    }
}

/// Samples of a track, of which one is shown at a time.
private struct ShownTrack {
    private let reader: any MovieTrackReader
    private let decoding: SampleDecoding
    private var current: MovieSample?
    private var following: MovieSample?

    init(_ track: AVAssetTrack, formats: [OSType], in range: CMTimeRange) throws {
        let known = SampleDecoding.formats(of: track)
        let format = formats.first(where: known.contains) ?? known.first
        decoding = try SampleDecoding(format.map { [kCVPixelBufferPixelFormatTypeKey as String: $0] }, of: track)
        reader = try track.samples(in: range, as: decoding.coding)
        following = try reader.next()
    }

    /// End of the sample that is shown; nil where that is not known.
    var end: CMTime? { current.flatMap { $0.duration.isNumeric ? $0.time + $0.duration : nil } }

    /// Time of the first sample that is shown at a time or begins later; nil behind the last.
    mutating func start(from time: CMTime) throws -> CMTime? {
        try advance(to: time)
        guard let current, current.duration.isNumeric, current.time + current.duration > time else { return following?.time }
        return max(current.time, time)
    }

    /// The sample that is shown at a time; nil in a gap.
    mutating func sample(at time: CMTime) throws -> CMSampleBuffer? {
        try advance(to: time)
        guard let current, !current.duration.isNumeric || time < current.time + current.duration else { return nil }
        return try decoding.buffer(of: current)
    }

    private mutating func advance(to time: CMTime) throws {
        while let next = following, next.time <= time {
            current = next
            following = try reader.next()
        }
    }
}
