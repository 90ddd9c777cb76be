import AVFCapture
import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Synchronization

/// Source of an asset reader's samples; see `AVAssetReaderTrackOutput`.
open class AVAssetReaderOutput: _SendableObject, @unchecked Sendable {
    private let state = Mutex(State())

    private struct State {
        weak var reader: AVAssetReader?
        var alwaysCopies = true
        var isRandomAccess = false
        /// Ranges that are still to be read after that under way.
        var ranges: [CMTimeRange] = []
    }

    override init() {}

    /// Kind of media of the samples.
    open var mediaType: AVMediaType { .video }

    /// Whether samples may be changed; kept, as they may always be. Raises after reading has begun.
    open var alwaysCopiesSampleData: Bool {
        get { state.withLock { $0.alwaysCopies } }
        set { if mayChange("-[AVAssetReaderOutput setAlwaysCopiesSampleData:]") { state.withLock { $0.alwaysCopies = newValue } } }
    }

    /// Whether reading has not begun; else the method raises.
    func mayChange(_ method: String) -> Bool {
        guard let reader, reader.status != .unknown else { return true }
        reader.environment.raise(.internalInconsistency, method, "cannot be called after reading has started")
        return false
    }

    /// Whether samples may be read again from another time, by `reset(forReadingTimeRanges:)`; default false. Raises after reading has begun.
    open var supportsRandomAccess: Bool {
        get { state.withLock { $0.isRandomAccess } }
        set { if mayChange("-[AVAssetReaderOutput setSupportsRandomAccess:]") { state.withLock { $0.isRandomAccess = newValue } } }
    }

    /// Reads these ranges of time one after the other from now on. Raises unless `supportsRandomAccess` and all samples of the ranges before were read.
    open func reset(forReadingTimeRanges timeRanges: [NSValue]) {
        guard let reader, supportsRandomAccess, reader.hasEnded(self) else {
            return (reader?.environment ?? asset?.environment ?? CaptureEnvironment.current).raise(
                .internalInconsistency, "-[AVAssetReaderOutput resetForReadingTimeRanges:]",
                "cannot be called unless supportsRandomAccess is YES and copyNextSampleBuffer has returned NULL")
        }
        state.withLock { $0.ranges = timeRanges.map(\.timeRangeValue) }
        reader.resume(self)
    }

    /// Lets reading end: no more ranges follow.
    open func markConfigurationAsFinal() {
        state.withLock { $0.isRandomAccess = false }
        if let reader, reader.hasEnded(self) { reader.end(self) }
    }

    /// Goes on with the next range; false where there is none.
    private func openNext() throws -> Bool {
        guard let next = state.withLock({ $0.ranges.isEmpty ? nil : $0.ranges.removeFirst() }) else { return false }
        try open(next)
        return true
    }

    /// Reads the next sample; nil at the end, after an error or a cancellation, which `AVAssetReader.status` tells apart. Raises before reading has begun.
    open func copyNextSampleBuffer() -> CMSampleBuffer? {
        guard let reader, reader.status != .unknown else {
            (reader?.environment ?? asset?.environment ?? CaptureEnvironment.current).raise(
                .internalInconsistency, "-[AVAssetReaderOutput copyNextSampleBuffer]",
                "cannot copy next sample buffer before adding this output to an instance of AVAssetReader (using -addOutput:) "
                    + "and calling -startReading on that asset reader")
            return nil
        }
        guard reader.status == .reading else { return nil }
        do {
            repeat {
                if let sample = try read() { return sample }
            } while try openNext()
            reader.end(self)
        } catch {
            reader.fail(error)
        }
        return nil
    }

    var reader: AVAssetReader? { state.withLock { $0.reader } }
    var asset: AVAsset? { nil }
    func join(_ reader: AVAssetReader) { state.withLock { $0.reader = reader } }
    func open(_ range: CMTimeRange) throws {}
    func read() throws -> CMSampleBuffer? { nil }
    func close() {}
}

/// Samples of one track: decoded to what the settings name, or as stored.
open class AVAssetReaderTrackOutput: AVAssetReaderOutput, @unchecked Sendable {
    /// Track that is read.
    public let track: AVAssetTrack
    /// Format that samples are decoded to: for pictures and disparity `kCVPixelBufferPixelFormatTypeKey`, for sound linear PCM; nil is as stored.
    public let outputSettings: [String: Any]?
    private let reading = Mutex<Reading?>(nil)
    private let owner: AVAsset?

    /// Reading under way, and what is made of its samples.
    private struct Reading: Sendable {
        let reader: any MovieTrackReader
        let decoding: SampleDecoding
    }

    /// Makes an output; settings that nothing can be decoded to let `startReading()` fail.
    public init(track: AVAssetTrack, outputSettings: [String: Any]?) {
        (self.track, self.outputSettings) = (track, outputSettings)
        owner = track.asset
        super.init()
    }

    /// Kind of media of the track.
    open override var mediaType: AVMediaType { track.mediaType }

    override var asset: AVAsset? { owner }

    override func open(_ range: CMTimeRange) throws {
        let decoding = try SampleDecoding(outputSettings, of: track)
        // Media may begin ahead of zero, as a coder's lead.
        let all = CMTimeRange(start: range.start == .zero ? CMTime(value: -10, timescale: 1) : range.start, end: range.end)
        let asked = range.duration.isNumeric ? range : all
        let reader =
            track.track.kind == .metadata && asked.start > track.timeRange.start
            ? try CinematicMetadataCut(of: track, in: asked) : try track.samples(in: asked, as: decoding.coding)
        reading.withLock { $0 = Reading(reader: reader, decoding: decoding) }
    }

    override func read() throws -> CMSampleBuffer? {
        guard let reading = reading.withLock({ $0 }), let sample = try reading.reader.next() else { return nil }
        return try reading.decoding.buffer(of: sample)
    }

    override func close() { reading.withLock { $0 = nil } }
}

/// Timed metadata of a track output, as groups.
open class AVAssetReaderOutputMetadataAdaptor: NSObject, @unchecked Sendable {
    /// Output of a metadata track, whose samples are read through this adaptor alone.
    public let assetReaderTrackOutput: AVAssetReaderTrackOutput

    /// Makes an adaptor; raises for an output that is not of a metadata track.
    public init(assetReaderTrackOutput trackOutput: AVAssetReaderTrackOutput) {
        assetReaderTrackOutput = trackOutput
        super.init()
        guard trackOutput.mediaType != .metadata else { return }
        (trackOutput.asset?.environment ?? CaptureEnvironment.current).raise(
            .invalidArgument, "-[AVAssetReaderOutputMetadataAdaptor initWithAssetReaderTrackOutput:]", "The output is of no metadata track")
    }

    /// Reads the next group; nil at the end and after an error.
    open func nextTimedMetadataGroup() -> AVTimedMetadataGroup? {
        assetReaderTrackOutput.copyNextSampleBuffer().flatMap { AVTimedMetadataGroup(sampleBuffer: $0) }
    }
}
