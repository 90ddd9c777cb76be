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
        var asset: AVAsset?
        var reader: (any MovieTrackReader)?
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

    /// Makes an output; of the attributes `kCVPixelBufferPixelFormatTypeKey` counts: `420v`, the default, `420f`, `x420` or BGRA.
    public init(pixelBufferAttributes: [String: any Sendable]? = nil) {
        let format = NumberSetting.pixelFormat(pixelBufferAttributes?[kCVPixelBufferPixelFormatTypeKey as String])
        self.format = format ?? kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    }

    /// Makes an output; of the settings the pixel format counts.
    public convenience init(outputSettings: [String: any Sendable]?) { self.init(pixelBufferAttributes: outputSettings) }

    func attach(_ asset: AVAsset?) { state.withLock { $0 = State(asset: asset) } }

    /// Whether the picture of a time is another than the one that was handed out last.
    open func hasNewPixelBuffer(forItemTime itemTime: CMTime) -> Bool {
        state.withLock { state in (try? read(&state, to: itemTime)) != nil && state.shown?.time != state.given }
    }

    /// Returns the picture that is shown at a time, with its own time; nil ahead of the first, and where it cannot be read.
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
            let coding = MovieSample.Coding.pictures(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
            state.reader = try track.source.opened().reader(of: track.track.number, in: start, as: coding)
            (state.shown, state.next) = (nil, nil)
            state.next = try next(state.reader)
        }
        while let next = state.next, next.time <= time {
            state.shown = next
            state.next = try self.next(state.reader)
        }
        return state.shown
    }

    private func next(_ reader: (any MovieTrackReader)?) throws -> Picture? {
        guard let sample = try reader?.next(), case .picture(let buffer) = sample.content else { return nil }
        return Picture(time: sample.time, buffer: buffer)
    }
}
