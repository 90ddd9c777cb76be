internal import CFFmpeg
import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Support

/// Decoded pictures of a track, as stored.
struct PictureSamples: TrackSamples, ~Copyable {
    private let decoder: VideoDecoder
    private let converter = PictureConverter()
    private let pool: CVPixelBufferPool
    private let range: CMTimeRange
    private let frameDuration: CMTime
    /// Matrix of the pictures handed over, and their colours; BT.709 of `32BGRA`.
    private let colors: PictureColors

    init(path: String, place: Int, _ track: MovieContents.Track, _ format: OSType, _ range: CMTimeRange) throws(MediaError) {
        let formats = [
            kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
            kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, kCVPixelFormatType_32BGRA,
        ]
        guard formats.contains(format) else {
            throw MediaError(
                code: .unsupported, path: path,
                reason: "is not read in pixel format \(String(fourCharacterCode: format)); ask for 420v, 420f, x420 or BGRA")
        }
        guard track.width & ~1 > 0, track.height & ~1 > 0 else {
            throw MediaError(code: .unsupported, path: path, reason: "is \(track.width)x\(track.height), less than 2x2")
        }
        decoder = try VideoDecoder(path: path, threads: VideoDecoder.threads(), .place(place))
        pool = CVPixelBufferPool(width: track.width & ~1, height: track.height & ~1, pixelFormat: format)
        (self.range, frameDuration) = (range, track.frameDuration)
        colors = format == kCVPixelFormatType_32BGRA ? .bt709 : track.colors
        decoder.seek(to: range.start)
    }

    mutating func next() throws -> MovieSample? {
        while let frame = try decoder.next() {
            guard let time = frame.timestamp.flatMap({ decoder.timeBase.time($0) }) else {
                throw MediaError(code: .corrupt, path: decoder.path, reason: "is damaged: a picture has no time")
            }
            let own = frame.pointer.pointee.pkt_duration
            let duration = own > 0 ? decoder.timeBase.time(own) ?? frameDuration : frameDuration
            guard time < range.end else { return nil }
            guard time >= range.start || (duration.isNumeric && time + duration > range.start) else { continue }
            guard (frame.width & ~1, frame.height & ~1) == (pool.width, pool.height) else {
                throw MediaError(
                    code: .mismatch, path: decoder.path,
                    reason: "has a picture of \(frame.width)x\(frame.height), but the first one is \(pool.width)x\(pool.height)")
            }
            let buffer = pool.makeBuffer()
            try converter.convert(frame, into: buffer, matrix: colors.matrix, path: decoder.path)
            buffer.attach(colors)
            return MovieSample(time: time, duration: duration, content: .picture(buffer))
        }
        return nil
    }
}

/// Disparity maps of a cinematic movie, as 32-bit floats, by the codings in its metadata.
struct DisparitySamples: TrackSamples, ~Copyable {
    private let metadata: CinematicMetadataReader
    private let maps: DisparityTrackReader
    private let range: CMTimeRange
    private let frameDuration: CMTime

    init(path: String, _ frameDuration: CMTime, _ range: CMTimeRange) throws(MediaError) {
        let metadata = try CinematicMetadataReader(path: path, start: .zero)
        let maps = try DisparityTrackReader(path: path, orientation: .upright, start: .zero)
        (self.metadata, self.maps, self.range, self.frameDuration) = (metadata, maps, range, frameDuration)
        metadata.seek(to: 0, at: range.start)
        maps.seek(to: range.start)
    }

    mutating func next() throws -> MovieSample? {
        let half = CMTimeMultiplyByRatio(frameDuration, multiplier: 1, divisor: 2)
        while let entry = try metadata.next(), entry.time < range.end {
            guard entry.time + frameDuration > range.start else { continue }
            switch try maps.map(at: entry.time, within: half, entry.sample.disparity) {
            case .map(let map): return MovieSample(time: entry.time, duration: frameDuration, content: .picture(map.buffer))
            case .later: continue
            case .end: return nil
            }
        }
        return nil
    }
}

/// Metadata of a cinematic movie, read.
struct MetadataSamples: TrackSamples, ~Copyable {
    private let metadata: CinematicMetadataReader
    private let range: CMTimeRange
    private let frameDuration: CMTime

    init(path: String, _ frameDuration: CMTime, _ range: CMTimeRange, opened: Input?) throws(MediaError) {
        let metadata = try CinematicMetadataReader(path: path, start: .zero, opened: opened)
        if range.start > .zero { metadata.seek(to: 0, at: range.start) }
        (self.metadata, self.range, self.frameDuration) = (metadata, range, frameDuration)
    }

    mutating func next() throws -> MovieSample? {
        while let entry = try metadata.next(), entry.time < range.end {
            guard entry.time + frameDuration > range.start else { continue }
            return MovieSample(time: entry.time, duration: frameDuration, content: .cinematic(entry.sample))
        }
        return nil
    }
}

/// Decoded sound of a track, mixed and brought to another rate where that is wanted, cut to the range.
struct SoundSamples: TrackSamples, ~Copyable {
    private let reader: SoundReader
    private let converters: [any SoundConverter]
    private let range: CMTimeRange
    /// Time of the next decoded sample, where a packet does not say.
    private var time: CMTime?
    /// Sound that was decoded and not handed over.
    private var ready: ArraySlice<Sound> = []
    private var isOver = false

    /// Length of sound that is decoded before the range, so that the coder, or the mixer, has found its way.
    private static let (leadIn, mixerLeadIn) = (CMTime(value: 1, timescale: 10), CMTime(value: 4, timescale: 10))

    init(path: String, place: Int, _ reading: SoundReading, _ range: CMTimeRange) throws(MediaError) {
        let reader = try SoundReader(path: path, place: place)
        var converters: [any SoundConverter] = []
        let isMixed = reading.mix != nil && reader.layout == .firstOrderAmbisonics
        if isMixed, let mix = reading.mix { converters.append(try SpatialMixer(mix, sampleRate: reader.sampleRate, path: path)) }
        if reading.sampleRate != reader.sampleRate {
            converters.append(try SoundResampler(from: reader.sampleRate, to: reading.sampleRate, layout: reader.layout, path: path))
        }
        (self.reader, self.converters, self.range) = (reader, converters, range)
        reader.seek(to: range.start - (isMixed ? Self.mixerLeadIn : Self.leadIn))
    }

    mutating func next() throws -> MovieSample? {
        while true {
            while let sound = ready.popFirst() {
                guard sound.presentationTime < range.end else { return nil }
                let part = sound.cut(from: range.start, to: range.end)
                guard part.sampleCount > 0 else { continue }
                return MovieSample(time: part.presentationTime, duration: part.duration, content: .sound(part))
            }
            guard !isOver else { return nil }
            if let frame = try reader.next() {
                ready = try converters.convert(sound(of: frame))[...]
            } else {
                isOver = true
                ready = try converters.finish()[...]
            }
        }
    }

    private mutating func sound(of frame: FFmpegFrame) -> Sound {
        var samples: [Float] = []
        SoundReader.append(frame, to: &samples)
        let start = reader.time(of: frame) ?? time ?? .zero
        let sound = Sound(presentationTime: start, sampleRate: reader.sampleRate, layout: reader.layout, samples: samples)
        time = start + sound.duration
        return sound
    }
}

/// Samples of a track as they are stored: those of a range, and those by which they are decoded.
struct StoredSamples: TrackSamples, ~Copyable {
    private let demuxer: Demuxer
    private let range: CMTimeRange
    /// Length of a sample of which the file tells none.
    private let usualDuration: CMTime
    private let decoding: Decoding
    /// Samples outside of the range by which one within may be decoded.
    private var others: [MovieSample] = []
    private var ready: ArraySlice<MovieSample> = []

    /// Samples by which another is decoded.
    private enum Decoding {
        /// Pictures from the last key frame on, and later ones that come before it.
        case pictures
        /// The packet before.
        case overlap
        case alone
    }

    /// Length of sound in which there is a packet before any, as coders have them.
    private static let overlap = CMTime(value: 1, timescale: 10)

    init(path: String, place: Int, _ track: MovieContents.Track, _ range: CMTimeRange) throws(MediaError) {
        demuxer = try Demuxer(path: path, .place(place))
        demuxer.passOverOthers()
        (self.range, usualDuration) = (range, track.frameDuration)
        switch track.kind {
        case .picture, .disparity: decoding = .pictures
        case .sound where !track.coding.hasPrefix("pcm"): decoding = .overlap
        default: decoding = .alone
        }
        demuxer.seek(to: decoding == .overlap ? range.start - Self.overlap : range.start)
    }

    mutating func next() throws -> MovieSample? {
        while true {
            if let sample = ready.popFirst() { return sample }
            guard let sample = try read() else { return nil }
            // Coded pictures come in decoding order: the first that is to be decoded after the range ends it.
            guard (sample.decodeTime.isNumeric ? sample.decodeTime : sample.time) < range.end else { return nil }
            let isAhead = sample.time < range.start && !(sample.duration.isNumeric && sample.time + sample.duration > range.start)
            let isWithin = !isAhead && sample.time < range.end
            switch decoding {
            case .pictures:
                if sample.isSync, sample.time <= range.start { others = [] }
                others.append(sample)
            case .overlap: others = others.suffix(1) + [sample]
            case .alone: others = [sample]
            }
            if isWithin {
                ready = others[...]
                others = []
            }
        }
    }

    private func read() throws -> MovieSample? {
        while true {
            let read: FFmpegPacket?
            do throws(Demuxer.Failure) { read = try demuxer.next() } catch {
                throw MediaError(
                    code: .corrupt, path: demuxer.path, reason: "is damaged: a track cannot be read on", underlying: error.code,
                    underlyingText: error.text)
            }
            guard let packet = read?.pointer.pointee else { return nil }
            guard packet.pts != RF_AV_NOPTS_VALUE, let time = demuxer.timeBase.time(packet.pts), let bytes = packet.data else { continue }
            let duration = packet.duration > 0 ? demuxer.timeBase.time(packet.duration) ?? .invalid : usualDuration
            let decodeTime = packet.dts == RF_AV_NOPTS_VALUE ? nil : demuxer.timeBase.time(packet.dts)
            var sample = MovieSample(
                time: time, duration: duration,
                content: .data(Data(bytes: bytes, count: Int(packet.size)), isSync: packet.flags & AV_PKT_FLAG_KEY != 0))
            if let decodeTime, decodeTime != time { sample.decodeTime = decodeTime }
            return sample
        }
    }
}
