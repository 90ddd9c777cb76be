internal import CFFmpeg
import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Synchronization

/// Movie file whose tracks are read one by one: any video or sound file that FFmpeg reads, cinematic movies with their disparity among them.
///
///     let movie = try MovieReader(path: "take.mov")
///     let track = movie.contents.tracks[0]
///     let reader = try movie.reader(of: track.number, in: track.timeRange, as: .pictures(track.pixelFormat))
///     while let sample = try reader.next() { … }
///
/// Each reader has the file open for itself. Pictures are as stored; what turns them upright is in `contents`.
public final class MovieReader: MovieFile {
    /// Path as the caller gave it.
    public let path: String
    /// Tracks, length and metadata of the file.
    public let contents: MovieContents
    /// The open file for the first reader of metadata, so that a long index is not read again; nil once it was taken.
    private let opened: Mutex<Input?>
    /// Whether an edit list may end a track ahead of its samples.
    private let hasEdits: Bool

    /// Opens a file and reads its index; throws `MediaError`.
    public init(path: String) throws(MediaError) {
        let input = try Input(.footage(path))
        (self.path, hasEdits) = (path, input.isBoxed)
        let hasFragments = try input.indexFragments()
        var tracks: [MovieContents.Track] = []
        for stream in input.streams {
            guard var track = try MovieContents.Track(stream, isBoxed: input.isBoxed, path: path) else {
                throw MediaError(code: .corrupt, path: path, reason: "is damaged: the times of a track have no unit")
            }
            if track.kind == .foreignMetadata, let keys = input.metadataKeys(of: stream) {
                (track.codec, track.configuration) = (kCMMetadataFormatType_Boxed, keys)
            }
            tracks.append(track)
        }
        guard !tracks.isEmpty else {
            throw MediaError(code: .corrupt, path: path, reason: "holds no streams that can be told; it is empty, damaged or cut short")
        }
        let ends = tracks.map(\.timeRange.end)
        var contents = MovieContents(tracks: tracks, duration: ends.max() ?? .zero, metadata: input.metadata)
        contents.hasPhoneDisparity = input.hasPhoneDisparity
        self.contents = contents
        opened = Mutex(hasFragments ? nil : input)
    }

    /// Opens a reader of a track for the samples of a time range; throws `MediaError`, also for a coding that the track does not have.
    public func reader(of number: Int, in range: CMTimeRange, as coding: MovieSample.Coding) throws -> any MovieTrackReader {
        guard let place = contents.tracks.firstIndex(where: { $0.number == number }) else {
            throw MediaError(code: .unsupported, path: path, reason: "has no track \(number)")
        }
        let track = contents.tracks[place]
        switch (coding, track.kind) {
        case (.stored, _): return LockedReader(try StoredSamples(path: path, place: place, track, range))
        case (.sound(let reading), .sound): return LockedReader(try SoundSamples(path: path, place: place, reading, heard(track, in: range)))
        case (.pictures(let format), .picture): return LockedReader(try PictureSamples(path: path, place: place, track, format, range))
        case (.pictures(kCVPixelFormatType_DisparityFloat32), .disparity): return LockedReader(try DisparitySamples(path: path, frameDuration, range))
        case (.cinematic, .metadata):
            let file = opened.withLock { opened in
                defer { opened = nil }
                return opened
            }
            return LockedReader(try MetadataSamples(path: path, frameDuration, range, opened: file))
        default:
            throw MediaError(code: .unsupported, path: path, reason: "has a track \(number) that cannot be read in the coding asked for")
        }
    }

    /// Part of a range that ends with the track: the last packet of sound may hold more samples.
    private func heard(_ track: MovieContents.Track, in range: CMTimeRange) -> CMTimeRange {
        guard hasEdits, track.timeRange.duration > .zero, track.timeRange.end < range.end else { return range }
        return CMTimeRange(start: range.start, end: max(range.start, track.timeRange.end))
    }

    /// Exact time of one picture of a cinematic movie.
    private var frameDuration: CMTime {
        let picture = contents.tracks.first { $0.kind == .picture }?.frameDuration ?? .invalid
        return picture.isNumeric ? picture : CMTime(value: 1, timescale: 30)
    }

    /// Opens the frames of a cinematic movie; throws `MediaError`.
    public func cinematicFrames(_ reading: FootageReading, edited: [CinematicSample]?) throws -> any CinematicFrameSource {
        try CinematicFileSource(path: path, reading: reading, edited: edited)
    }
}

/// Reader that several threads may call.
private final class LockedReader<Samples: TrackSamples & ~Copyable>: MovieTrackReader {
    private let samples: Mutex<Samples>

    init(_ samples: consuming sending Samples) { self.samples = Mutex(samples) }

    func next() throws -> MovieSample? { try samples.withLock { try $0.next() } }
}

/// Samples of one track in a range of times.
protocol TrackSamples: ~Copyable {
    mutating func next() throws -> MovieSample?
}

extension Input {
    /// Whether the container is a file of boxes, whose tracks have numbers of their own.
    fileprivate var isBoxed: Bool { String(cString: context.pointee.iformat.pointee.name).contains("mov") }

    /// Reads the indices of all fragments of a recording that was not finished, of which FFmpeg knows only what it has come by. No media are read. False for
    /// a file without fragments, which is not read on.
    fileprivate func indexFragments() throws(MediaError) -> Bool {
        guard isBoxed, streams.contains(where: { $0.pointee.nb_frames == 0 && avformat_index_get_entries_count($0) > 0 }) else { return false }
        let packet = try FFmpegPacket(for: path)
        for stream in streams { stream.pointee.discard = AVDISCARD_ALL }
        while av_read_frame(context, packet.pointer) >= 0 { av_packet_unref(packet.pointer) }
        try checkReads()
        return true
    }
}

extension MovieContents.Track {
    /// Track of a stream; nil for one whose times have no unit.
    fileprivate init?(_ stream: UnsafeMutablePointer<AVStream>, isBoxed: Bool, path: String) throws(MediaError) {
        guard let base = stream.timeBase else { return nil }
        let parameters = stream.pointee.codecpar.pointee
        let start = stream.pointee.start_time == RF_AV_NOPTS_VALUE ? 0 : stream.pointee.start_time
        let length = Self.length(of: stream)
        let language = av_dict_get(stream.pointee.metadata, "language", nil, 0).map { String(cString: $0.pointee.value) }
        self.init(
            number: isBoxed && stream.pointee.id > 0 ? Int(stream.pointee.id) : Int(stream.pointee.index) + 1, kind: Kind(stream),
            codec: Self.code(of: parameters), timescale: base.denominator,
            timeRange: CMTimeRange(start: base.time(start) ?? .zero, duration: base.time(length) ?? .zero),
            sampleCount: max(Int(clamping: stream.pointee.nb_frames), Int(avformat_index_get_entries_count(stream))),
            byteCount: Self.byteCount(of: stream), language: language == "und" ? nil : language)
        isEnabled = !isBoxed || stream.pointee.disposition & AV_DISPOSITION_DEFAULT != 0
        if let bytes = parameters.extradata, parameters.extradata_size > 0 {
            configuration = Data(bytes: bytes, count: Int(parameters.extradata_size))
        }
        coding = parameters.codec_id == AV_CODEC_ID_NONE ? "unknown" : String(cString: avcodec_get_name(parameters.codec_id))
        if parameters.codec_type == AVMEDIA_TYPE_VIDEO { try describePictures(stream, path: path) }
        if parameters.codec_type == AVMEDIA_TYPE_AUDIO {
            (sampleRate, channels) = (Int(parameters.sample_rate), Int(parameters.ch_layout.nb_channels))
            isAmbisonic = channels == 4 && [AV_CHANNEL_ORDER_AMBISONIC, AV_CHANNEL_ORDER_UNSPEC].contains(parameters.ch_layout.order)
        }
    }

    private mutating func describePictures(_ stream: UnsafeMutablePointer<AVStream>, path: String) throws(MediaError) {
        let parameters = stream.pointee.codecpar.pointee
        (width, height) = (Int(parameters.width), Int(parameters.height))
        let coding = PictureCoding(stream)
        (colors, pixelFormat) = (coding.colors, coding.pixelFormat)
        func rate(_ value: AVRational) -> (Int64, Int64)? { value.num > 0 && value.den > 0 ? (Int64(value.num), Int64(value.den)) : nil }
        let (average, real) = (rate(stream.pointee.avg_frame_rate), rate(stream.pointee.r_frame_rate))
        frameDuration = Timeline.frameDuration(average: average, real: real) ?? .invalid
        timecode = stream.timecode
        guard let matrix = stream.displayMatrix else { return }
        guard let orientation = Orientation(displayMatrix: matrix) else {
            throw MediaError(code: .unsupported, path: path, reason: "asks to be rotated by other than quarter turns; rotate it first")
        }
        (rotation, isMirrored) = orientation.posture
    }

    /// Length in the stream's ticks; by the index where nothing else says it, as in a recording that was not finished.
    private static func length(of stream: UnsafeMutablePointer<AVStream>) -> Int64 {
        let stated = stream.pointee.duration == RF_AV_NOPTS_VALUE ? 0 : max(stream.pointee.duration, 0)
        let count = avformat_index_get_entries_count(stream)
        guard stated == 0, count > 1, let first = avformat_index_get_entry(stream, 0), let last = avformat_index_get_entry(stream, count - 1),
            let before = avformat_index_get_entry(stream, count - 2)
        else { return stated }
        let (span, isOver) = last.pointee.timestamp.subtractingReportingOverflow(first.pointee.timestamp)
        let (step, isStepOver) = last.pointee.timestamp.subtractingReportingOverflow(before.pointee.timestamp)
        return isOver || isStepOver || span < 0 || step < 0 || span > 1 << 60 ? 0 : span + min(step, 1 << 60)
    }

    /// The code of the sample entry, or that which a movie would have.
    private static func code(of parameters: AVCodecParameters) -> FourCharCode {
        func code(_ text: String) -> FourCharCode { text.utf8.reduce(0) { $0 << 8 | FourCharCode($1) } }
        let name = String(cString: avcodec_get_name(parameters.codec_id))
        if name == "aac" { return code("aac ") }
        if name.hasPrefix("pcm_") { return code("lpcm") }
        if parameters.codec_tag != 0 { return parameters.codec_tag.byteSwapped }
        switch parameters.codec_id {
        case AV_CODEC_ID_H264: return code("avc1")
        case AV_CODEC_ID_HEVC: return code("hvc1")
        default: return code(name.padding(toLength: 4, withPad: " ", startingAt: 0))
        }
    }

    private static func byteCount(of stream: UnsafeMutablePointer<AVStream>) -> Int64 {
        (0..<avformat_index_get_entries_count(stream)).reduce(0) { $0 + Int64(avformat_index_get_entry(stream, $1)?.pointee.size ?? 0) }
    }
}

extension MovieContents.Track.Kind {
    /// Content of a stream.
    init(_ stream: UnsafeMutablePointer<AVStream>) {
        let parameters = stream.pointee.codecpar.pointee
        self =
            switch (stream.mark, parameters.codec_type) {
            // One of a track of pictures has that track's name.
            case (_, AVMEDIA_TYPE_DATA) where parameters.codec_tag.byteSwapped == Self.timecodeEntry: .timecode
            case (.disparity, _): .disparity
            case (.cinematicMetadata, _): .metadata
            case (_, AVMEDIA_TYPE_VIDEO): .picture
            case (_, AVMEDIA_TYPE_AUDIO): .sound
            case (_, AVMEDIA_TYPE_DATA): .foreignMetadata
            default: .other
            }
    }

    /// `tmcd`, the sample entry of timecode.
    private static let timecodeEntry: FourCharCode = 0x746D_6364
}
