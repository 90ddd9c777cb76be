import AVFCapture
import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Synchronization

/// Pictures of an item that is played, decoded as they are asked for.
open class AVPlayerItemVideoOutput: NSObject, @unchecked Sendable {
    private let format: OSType
    private let converter = PictureConverter()
    private let state = Mutex(State())

    private struct State: Sendable {
        weak var item: AVPlayerItem?
        var asset: AVAsset?
        var suppresses = false
        var composition: AVVideoComposition?
        var reader: Reader?
        /// Picture that was read last, and the one after it.
        var shown: Picture?
        var next: Picture?
        /// Time of the picture that was handed out last.
        var given: CMTime?
    }

    private struct Picture: Sendable {
        let time: CMTime
        let buffer: CVPixelBuffer
    }

    /// Pictures one after the other: of a track, or of a composition.
    private enum Reader {
        case track(any MovieTrackReader)
        case composition(VideoCompositionReading)

        func next() throws -> Picture? {
            switch self {
            case .track(let reader):
                guard let sample = try reader.next(), case .picture(let buffer) = sample.content else { return nil }
                return Picture(time: sample.time, buffer: buffer)
            case .composition(let reading):
                guard let sample = try reading.next(), let buffer = sample.imageBuffer else { return nil }
                return Picture(time: sample.presentationTimeStamp, buffer: buffer)
            }
        }
    }

    /// Makes an output; of the attributes `kCVPixelBufferPixelFormatTypeKey` counts: `420v`, the default, `420f`, `x420` or BGRA.
    public init(pixelBufferAttributes: [String: any Sendable]? = nil) {
        let format = NumberSetting.pixelFormat(pixelBufferAttributes?[kCVPixelBufferPixelFormatTypeKey as String])
        self.format = format ?? kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    }

    /// Makes an output; of the settings the pixel format counts.
    public convenience init(outputSettings: [String: any Sendable]?) { self.init(pixelBufferAttributes: outputSettings) }

    func attach(_ item: AVPlayerItem?, _ composition: AVVideoComposition?) {
        state.withLock { $0 = State(item: item, asset: item?.asset, suppresses: $0.suppresses, composition: composition) }
    }

    /// Time of the item at a time of the host's clock, in seconds as `CACurrentMediaTime` counts them; invalid without an item that a player has.
    open func itemTime(forHostTime hostTimeInSeconds: CFTimeInterval) -> CMTime {
        guard let timebase = state.withLock({ $0.item })?.timebase else { return .invalid }
        return CMClock.hostTimeClock.convertTime(CMTime(seconds: hostTimeInSeconds, preferredTimescale: 1_000_000_000), to: timebase)
    }

    /// Time of the item at a time of the host's clock in its own units.
    open func itemTime(forMachAbsoluteTime machAbsoluteTime: Int64) -> CMTime {
        itemTime(forHostTime: CMClockMakeHostTimeFromSystemUnits(UInt64(max(0, machAbsoluteTime))).seconds)
    }

    /// Whether layers show nothing of the item; kept.
    open var suppressesPlayerRendering: Bool {
        get { state.withLock { $0.suppresses } }
        set { state.withLock { $0.suppresses = newValue } }
    }

    /// Whether the picture of a time is another than the one that was handed out last.
    open func hasNewPixelBuffer(forItemTime itemTime: CMTime) -> Bool {
        state.withLock { state in (try? read(&state, to: itemTime)) != nil && state.shown?.time != state.given }
    }

    /// Returns the picture that is shown at a time, with its own time; nil ahead of the first, and where it cannot be read. That of a composition whose
    /// compositor makes no `420v` is in the compositor's own format.
    open func copyPixelBuffer(
        forItemTime itemTime: CMTime, itemTimeForDisplay outItemTimeForDisplay: UnsafeMutablePointer<CMTime>?
    ) -> CVPixelBuffer? {
        let picture = state.withLock { state -> Picture? in
            guard let picture = try? read(&state, to: itemTime) else { return nil }
            state.given = picture.time
            return picture
        }
        guard let picture else { return nil }
        outItemTimeForDisplay?.pointee = picture.time
        guard picture.buffer.format == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange else { return picture.buffer }
        return converter.convert(picture.buffer, to: format, rotation: 0, isMirrored: false)
    }

    /// Picture of a time: further on in the same reader, or from a new one where that is beyond it.
    private func read(_ state: inout State, to time: CMTime) throws -> Picture? {
        guard let asset = state.asset, time.isNumeric, let track = try asset.loadedTracks().first(where: { $0.track.kind == .picture }) else {
            return nil
        }
        let isBehind = state.shown.map { time < $0.time } ?? true
        let isFarAhead = state.next.map { time > $0.time + CMTime(value: 2, timescale: 1) } ?? false
        if state.reader == nil || isBehind || isFarAhead {
            let range = CMTimeRange(start: max(time, track.timeRange.start), end: track.timeRange.end)
            guard range.duration > .zero || state.shown == nil else { return state.shown }
            let start = range.duration > .zero ? range : CMTimeRange(start: max(.zero, range.end - CMTime(value: 1, timescale: 5)), end: range.end)
            state.reader = try reader(of: track, in: start, asset, state.composition)
            (state.shown, state.next) = (nil, nil)
            state.next = try state.reader?.next()
        }
        while let next = state.next, next.time <= time {
            state.shown = next
            state.next = try state.reader?.next()
        }
        return state.shown
    }

    private func reader(of track: AVAssetTrack, in range: CMTimeRange, _ asset: AVAsset, _ composition: AVVideoComposition?) throws -> Reader {
        if let composition {
            let tracks = try asset.loadedTracks().filter { $0.mediaType == .video }
            // The first picture would have the time that is asked for, others have their own.
            let earlier = CMTimeRange(start: max(track.timeRange.start, range.start - composition.frameDuration), end: range.end)
            return .composition(try VideoCompositionReading(composition, of: tracks, asset, in: earlier, settings: nil))
        }
        let coding = MovieSample.Coding.pictures(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        return .track(try track.source.opened().reader(of: track.track.number, in: range, as: coding))
    }
}
