internal import CFFmpeg
import CoreMedia
import Foundation
import Pipeline

/// One MOV, MP4 or Matroska file: pictures in track 0, sound in the next. Its index lies before the media in a file, or its fragments come in memory.
final class MovieMuxer {
    /// Sets the codec parameters of a track.
    typealias TrackDescription = (UnsafeMutablePointer<AVStream>) throws -> Void

    private let path: String
    private let kind: MovieContainer
    private let context: UnsafeMutablePointer<AVFormatContext>
    /// Nil where a file is written.
    private let memory: MuxerMemory?
    /// Nil where fragments are made in memory.
    private let file: String?
    /// Bytes of packets so far, those of unfinished fragments included.
    private(set) var mediaBytes: Int64 = 0
    /// Whether the index of fragments was made.
    private(set) var hasIndex = false
    /// Whether the muxer knows that a fragment ends here.
    private var isAnnounced = false
    private var tracks: [Track] = []

    private struct Track {
        /// First and last time of the packets of the fragment under way, microseconds.
        var open: ClosedRange<Int64>?
        /// Time at which the first of them is shown, microseconds.
        var shown = Int64.max
        var hasPackets = false
        /// Decoding time of the last packet, ticks.
        var lastTime: Int64 = 0
        /// Packets that the file, or the fragment under way, is to hold.
        var given: MuxerCheck.Track
    }

    /// Opens the file and writes its header; throws `OutputError` or `MediaError`.
    ///
    /// - Parameters:
    ///   - path: the name the movie will have, for errors; `file` is what is written, nil for fragments in memory.
    ///   - chapters: start and end in nanoseconds, in order, and title.
    ///   - isCut: whether lengths in edit lists are told to the sample, not to the millisecond.
    init(
        path: String, file: String?, movie: MovieDescription, chapters: [(start: Int64, end: Int64, title: String?)] = [], isCut: Bool = false,
        tracks fills: [TrackDescription]
    ) throws {
        var container: UnsafeMutablePointer<AVFormatContext>?
        let kind = MovieContainer(path) ?? .mp4
        guard avformat_alloc_output_context2(&container, nil, kind.muxer, file) >= 0, let container else {
            throw MediaError(
                code: .missingEncoder, path: path, reason: "this FFmpeg cannot write \(kind.rawValue); install the Debian package libavformat59")
        }
        self.kind = kind
        (self.path, self.file, context) = (path, file, container)
        memory = file == nil ? MuxerMemory() : nil
        FFmpeg.watch(context)
        context.pointee.flags |= AVFMT_FLAG_BITEXACT
        context.pointee.strict_std_compliance = Self.compliance
        for fill in fills {
            guard let stream = avformat_new_stream(context, nil) else { throw FFmpeg.outOfMemory(path) }
            try fill(stream)
            tracks.append(Track(given: MuxerCheck.Track(stream.pointee.codecpar.pointee)))
            if stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO, stream.mark == nil {
                try setPosture(of: stream, movie)
                try setLight(of: stream, movie.colors)
            }
            if stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO, movie.sound?.layout == .firstOrderAmbisonics,
                stream.pointee.codecpar.pointee.ch_layout.nb_channels == 4
            {
                try stream.name(.ambisonics, path: path)
            }
        }
        try add(chapters)
        for (key, text) in movie.metadata.sorted(by: { $0.key < $1.key }) {
            try FFmpeg.checkMemory(av_dict_set(&context.pointee.metadata, key, text, 0), path: path)
        }
        if let file {
            // The index is put before the media through a second handle.
            context.pointee.io_open = { _, io, url, flags, options in MovieMuxer.uninterrupted { avio_open2(io, url, flags, nil, options) } }
            context.pointee.io_close2 = { _, io in MovieMuxer.closed(avio_close(io)) }
            try check(Self.uninterrupted { avio_open(&context.pointee.pb, "file:" + file, AVIO_FLAG_WRITE) }, "create")
        }
        if let memory {
            guard let io = memory.io else { throw FFmpeg.outOfMemory(path) }
            context.pointee.pb = io
        }
        try writeHeader(hasMetadata: !movie.metadata.isEmpty, isCut: isCut, movieTimescale: movie.movieTimescale)
    }

    /// FFmpeg 5.1 calls FLAC in MP4 (Xiph, 2018) experimental.
    private static let compliance = FF_COMPLIANCE_EXPERIMENTAL

    /// Whether the muxer of a container takes a track as it is: it is asked for the header of a file, since `avformat_query_codec` goes by tags alone.
    static func takes(_ track: UnsafeMutablePointer<AVStream>, in kind: MovieContainer, path: String) throws(MediaError) -> Bool {
        var fresh: UnsafeMutablePointer<AVFormatContext>?
        guard avformat_alloc_output_context2(&fresh, nil, kind.muxer, nil) >= 0, let context = fresh else { return false }
        FFmpeg.watch(context)
        defer {
            FFmpeg.unwatch(context)
            var bytes: UnsafeMutablePointer<UInt8>?
            if context.pointee.pb != nil { avio_close_dyn_buf(context.pointee.pb, &bytes) }
            av_free(bytes)
            context.pointee.pb = nil
            avformat_free_context(context)
        }
        context.pointee.strict_std_compliance = compliance
        guard kind != .mov || !isOfRIFF(track.pointee.codecpar.pointee, context.pointee.oformat) else { return false }
        guard let copy = avformat_new_stream(context, nil), avio_open_dyn_buf(&context.pointee.pb) >= 0 else { throw FFmpeg.outOfMemory(path) }
        try FFmpeg.checkMemory(avcodec_parameters_copy(copy.pointee.codecpar, track.pointee.codecpar), path: path)
        copy.pointee.codecpar.pointee.codec_tag = 0
        copy.pointee.time_base = track.pointee.time_base
        return avformat_write_header(context, nil) >= 0
    }

    /// Whether QuickTime has only RIFF's number for a coding of sound (a tag that begins with `ms`), as for WMA and the ADPCM of AVI: FFmpeg writes nothing
    /// of how its packets are blocked, so that nobody can decode them, or fails with the first.
    private static func isOfRIFF(_ codec: AVCodecParameters, _ muxer: UnsafePointer<AVOutputFormat>) -> Bool {
        guard codec.codec_type == AVMEDIA_TYPE_AUDIO else { return false }
        var tag: UInt32 = 0
        return av_codec_get_tag2(muxer.pointee.codec_tag, codec.codec_id, &tag) == 0 || tag & 0xFFFF == 0x736D
    }

    deinit {
        FFmpeg.unwatch(context)
        if memory == nil { avio_closep(&context.pointee.pb) }
        avformat_free_context(context)
    }

    private func writeHeader(hasMetadata: Bool, isCut: Bool, movieTimescale: CMTimeScale?) throws {
        // The index of fragments comes with the first of them, so that it can tell what a coder put ahead of the first sound.
        let layout = memory == nil ? "+faststart" : "+frag_custom+delay_moov+default_base_moof"
        let flags = layout + "+write_colr" + (hasMetadata ? "+use_metadata_tags" : "")
        // `avformat_write_header` ignores that it had no memory for options of its own.
        if kind.isBoxed { try check(av_opt_set(context.pointee.priv_data, "movflags", flags, 0), "set the layout") }
        // Ticks of edit lists: a sample of 48 kHz and a frame of 29.97 or 23.976 frames/s are whole numbers of them.
        // Matroska has none: sound before time zero is named by its own padding, and no track is to be moved for it.
        if !kind.isBoxed, isCut { context.pointee.avoid_negative_ts = 0 }
        let timescale = movieTimescale ?? (isCut ? 240_000 : nil)
        if kind.isBoxed, let timescale {
            try check(av_opt_set_int(context.pointee.priv_data, "movie_timescale", Int64(timescale), 0), "set the layout")
        }
        try check(avformat_write_header(context, nil), "write the header")
    }

    /// Writes a packet whose times are in `timeBase`; the packet is consumed.
    func write(_ packet: FFmpegPacket, track: Int, timeBase: AVRational) throws {
        guard let stream = context.pointee.streams[track] else { return }
        let size = Int64(packet.pointer.pointee.size)
        mediaBytes += size
        packet.pointer.pointee.stream_index = Int32(track)
        packet.pointer.pointee.pos = -1
        av_packet_rescale_ts(packet.pointer, timeBase, stream.pointee.time_base)
        guard memory != nil else {
            try check(av_interleaved_write_frame(context, packet.pointer), "write")
            try check(context.pointee.pb.pointee.error, "write")
            return tracks[track].given.add(size)
        }
        // Every track gathers its own part of a fragment, so none has to wait for another.
        try check(av_write_frame(context, packet.pointer), "write")
        tracks[track].given.add(size)
        note(packet.pointer.pointee, of: track, in: stream.pointee.time_base)
        av_packet_unref(packet.pointer)
    }

    private func note(_ packet: AVPacket, of track: Int, in base: AVRational) {
        let unit = AVRational(num: 1, den: 1_000_000)
        let (start, length) = (av_rescale_q(packet.dts, base, unit), av_rescale_q(packet.duration, base, unit))
        let first = min(tracks[track].open?.lowerBound ?? start, start)
        tracks[track].open = first...max(first, start + max(length, 0))
        tracks[track].shown = min(tracks[track].shown, av_rescale_q(packet.pts, base, unit))
        tracks[track].hasPackets = true
        tracks[track].lastTime = packet.dts
    }

    /// Whether each track has had a packet, without which the index of a fragment cannot say how the tracks begin.
    var isEveryTrackOpen: Bool { tracks.allSatisfy(\.hasPackets) }
    /// Microseconds of media that are in no fragment yet.
    var openLength: Int64 { tracks.compactMap { $0.open.map { $0.upperBound - $0.lowerBound } }.max() ?? 0 }

    /// Fragment as the muxer makes it: its boxes, how many bytes of them are the file's type and how many its media, when these end, and those of each track.
    typealias Fragment = (boxes: [UInt8], type: Int, media: Int64, end: CMTime, tracks: [MovieSegments.Segment.Track])

    /// A fragment of all that was written since the last one; nil for nothing.
    func takeFragment() throws -> Fragment? {
        guard let memory, let end = tracks.compactMap({ $0.open?.upperBound }).max() else { return nil }
        // Asked again after a failure it is announced already.
        if !isAnnounced { try announceFragment() }
        // The first time only the index is written.
        for _ in 0..<(hasIndex ? 1 : 2) { try check(av_write_frame(context, nil), "write a fragment") }
        isAnnounced = false
        avio_flush(context.pointee.pb)
        try check(context.pointee.pb.pointee.error, "write a fragment")
        let boxes = memory.take()
        let media = MuxerCheck.mediaSize(ofFragment: boxes, tracks: tracks.map(\.given))
        let parts = tracks.enumerated().compactMap { number, track in
            track.open.map { open in
                MovieSegments.Segment.Track(
                    number: number + 1, start: CMTime(value: track.shown, timescale: 1_000_000),
                    duration: CMTime(value: open.upperBound - open.lowerBound, timescale: 1_000_000))
            }
        }
        for track in tracks.indices {
            (tracks[track].open, tracks[track].shown) = (nil, .max)
            tracks[track].given.clear()
        }
        guard let media else { throw Self.damaged(path) }
        let type = hasIndex ? 0 : Int(BigEndian(boxes).uint32(at: 0) ?? 0)
        hasIndex = true
        return (boxes, min(type, boxes.count), media, CMTime(value: end, timescale: 1_000_000), parts)
    }

    /// Lets the next sample of each track have its own time. Else a track goes on where its last sample was said to end: of metadata that is not known before
    /// the next comes, and of uneven pictures it may be later than that. The muxer takes note with a packet, after it has checked its time: with an empty one.
    private func announceFragment() throws {
        try check(av_opt_set(context.pointee.priv_data, "movflags", "+frag_discont", 0), "write a fragment")
        guard let track = tracks.firstIndex(where: { $0.open != nil }) else { return }
        let packet = try FFmpegPacket(for: path)
        packet.pointer.pointee.stream_index = Int32(track)
        packet.pointer.pointee.dts = tracks[track].lastTime + 1
        packet.pointer.pointee.pts = packet.pointer.pointee.dts
        try check(av_write_frame(context, packet.pointer), "write a fragment")
        isAnnounced = true
    }

    /// Writes the rest and the index; the file is then complete and closed.
    func finish() throws {
        try check(av_write_trailer(context), "write the index")
        avio_flush(context.pointee.pb)
        try check(context.pointee.pb.pointee.error, "write")
        try check(Self.closed(avio_closep(&context.pointee.pb)), "write")
        guard let file else { return }
        do throws(MediaError) {
            let written = try InputFile(path: file)
            let isWhole =
                kind.isBoxed ? MuxerCheck.isWhole(written, tracks: tracks.map(\.given)) : ContainerEnd.shortfall(of: written) == nil
            try written.checkReads()
            guard isWhole else { throw Self.damaged(path) }
        } catch {
            throw MediaError(code: .encodingFailed, path: path, reason: error.reason)
        }
    }

    private static func damaged(_ path: String) -> MediaError {
        MediaError(code: .encodingFailed, path: path, reason: "does not hold what was written to it: FFmpeg had too little memory for its index")
    }

    /// Result of a call of FFmpeg, which is repeated for as long as a signal interrupts it.
    private static func uninterrupted(_ call: () -> Int32) -> Int32 {
        while true {
            let result = call()
            if result != rf_averror(EINTR) { return result }
        }
    }

    /// Result of closing a file: Linux has closed it also where a signal interrupts that.
    private static func closed(_ result: Int32) -> Int32 { result == rf_averror(EINTR) ? 0 : result }

    private func check(_ result: Int32, _ action: String) throws { try FFmpeg.check(result, action, path: path, context) }
}

/// Bytes that a muxer wrote.
private final class MuxerMemory {
    private(set) var io: UnsafeMutablePointer<AVIOContext>?
    private var bytes: [UInt8] = []

    init() {
        let size = 1 << 15
        let buffer = av_malloc(size)?.assumingMemoryBound(to: UInt8.self)
        io = buffer.flatMap {
            avio_alloc_context(
                $0, Int32(size), 1, Unmanaged.passUnretained(self).toOpaque(), nil,
                { memory, bytes, count in
                    let memory = Unmanaged<MuxerMemory>.fromOpaque(memory!).takeUnretainedValue()
                    memory.bytes += UnsafeBufferPointer(start: bytes, count: Int(count))
                    return count
                }, nil)
        }
        if io == nil { av_free(buffer) }
    }

    deinit {
        if let io { av_freep(&io.pointee.buffer) }
        avio_context_free(&io)
    }

    func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }
}

extension MovieMuxer {
    /// Tells players what display the pictures were graded on, and how bright they are.
    private func setLight(of stream: UnsafeMutablePointer<AVStream>, _ colors: PictureColors) throws(MediaError) {
        if let display = colors.masteringDisplay, display.chromaticities.count == 8 {
            guard let data = av_mastering_display_metadata_alloc() else { throw FFmpeg.outOfMemory(path) }
            let c = display.chromaticities.map { AVRational(num: Int32($0), den: 50_000) }
            data.pointee.display_primaries = ((c[0], c[1]), (c[2], c[3]), (c[4], c[5]))
            data.pointee.white_point = (c[6], c[7])
            data.pointee.min_luminance = AVRational(num: Int32(display.luminance.lowerBound), den: 10_000)
            data.pointee.max_luminance = AVRational(num: Int32(display.luminance.upperBound), den: 10_000)
            (data.pointee.has_primaries, data.pointee.has_luminance) = (1, 1)
            try add(data, MemoryLayout<AVMasteringDisplayMetadata>.size, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, to: stream)
        }
        if let light = colors.lightLevel {
            var size = 0
            guard let data = av_content_light_metadata_alloc(&size) else { throw FFmpeg.outOfMemory(path) }
            (data.pointee.MaxCLL, data.pointee.MaxFALL) = (UInt32(light.maximum), UInt32(light.maximumAverage))
            try add(data, size, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, to: stream)
        }
    }

    /// Hands side data, which FFmpeg allocated, to a stream.
    private func add(
        _ data: UnsafeMutableRawPointer, _ size: Int, _ kind: AVPacketSideDataType, to stream: UnsafeMutablePointer<AVStream>
    ) throws(MediaError) {
        guard av_stream_add_side_data(stream, kind, data.assumingMemoryBound(to: UInt8.self), size) >= 0 else {
            av_free(data)
            throw FFmpeg.outOfMemory(path)
        }
    }

    /// Gives the file chapters, which it frees with its context.
    private func add(_ chapters: [(start: Int64, end: Int64, title: String?)]) throws(MediaError) {
        guard !chapters.isEmpty else { return }
        let list = av_calloc(chapters.count, MemoryLayout<UnsafeMutablePointer<AVChapter>?>.stride)
        guard let list = list?.assumingMemoryBound(to: UnsafeMutablePointer<AVChapter>?.self) else { throw FFmpeg.outOfMemory(path) }
        context.pointee.chapters = list
        for (index, chapter) in chapters.enumerated() {
            guard let fresh = av_mallocz(MemoryLayout<AVChapter>.size)?.assumingMemoryBound(to: AVChapter.self) else {
                throw FFmpeg.outOfMemory(path)
            }
            (fresh.pointee.id, fresh.pointee.time_base) = (Int64(index), AVRational(num: 1, den: 1_000_000_000))
            (fresh.pointee.start, fresh.pointee.end) = (chapter.start, chapter.end)
            list[index] = fresh
            context.pointee.nb_chapters = UInt32(index + 1)
            if let title = chapter.title { try FFmpeg.checkMemory(av_dict_set(&fresh.pointee.metadata, "title", title, 0), path: path) }
        }
    }

    /// Tells players how to turn the pictures, as a matrix over QuickTime's axes: x to the right, y down, 16.16 numbers.
    private func setPosture(of stream: UnsafeMutablePointer<AVStream>, _ movie: MovieDescription) throws(MediaError) {
        guard movie.rotation != 0 || movie.isMirrored else { return }
        var (a, b, c, d): (Int32, Int32, Int32, Int32) =
            switch movie.rotation {
            case 90: (0, 1, -1, 0)
            case 180: (-1, 0, 0, -1)
            case 270: (0, -1, 1, 0)
            default: (1, 0, 0, 1)
            }
        if movie.isMirrored { (a, c) = (-a, -c) }
        let (width, height) = (stream.pointee.codecpar.pointee.width, stream.pointee.codecpar.pointee.height)
        // Moves what the rotation took to the negative side back into view.
        let x = (a < 0 ? width : 0) + (c < 0 ? height : 0)
        let y = (b < 0 ? width : 0) + (d < 0 ? height : 0)
        let matrix = [a << 16, b << 16, 0, c << 16, d << 16, 0, x << 16, y << 16, 1 << 30]
        guard let data = av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, MemoryLayout<Int32>.size * matrix.count) else {
            throw FFmpeg.outOfMemory(path)
        }
        data.withMemoryRebound(to: Int32.self, capacity: matrix.count) { $0.update(from: matrix, count: matrix.count) }
    }
}

extension MuxerCheck.Track {
    /// A track of these codec parameters, with no packets yet.
    fileprivate init(_ codec: AVCodecParameters) {
        let extradata = codec.extradata.map { Array(UnsafeBufferPointer(start: $0, count: Int(codec.extradata_size))) } ?? []
        switch codec.codec_id {
        case AV_CODEC_ID_H264: parameters = Self.parameterSets(extradata) { [7, 8].contains($0 & 0x1F) }
        case AV_CODEC_ID_HEVC: parameters = Self.parameterSets(extradata) { (32...34).contains($0 >> 1 & 0x3F) }
        case AV_CODEC_ID_AAC: parameters = extradata.isEmpty ? [] : [extradata]
        default: parameters = []
        }
        isRegrouped = av_get_bits_per_sample(codec.codec_id) > 0 || codec.codec_id == AV_CODEC_ID_EAC3
    }

    /// Counts a packet; the muxer leaves out empty ones.
    mutating func add(_ packet: Int64) {
        packets += packet > 0 ? 1 : 0
        bytes += packet
    }

    /// Begins a new fragment.
    mutating func clear() { (packets, bytes) = (0, 0) }
}

extension PictureEncoder {
    /// Sets the codec parameters of the video track.
    func describe(_ stream: UnsafeMutablePointer<AVStream>) throws {
        try FFmpeg.check(avcodec_parameters_from_context(stream.pointee.codecpar, context), "describe the pictures", path: "movie")
        stream.pointee.time_base = context.pointee.time_base
        stream.pointee.avg_frame_rate = context.pointee.framerate
        // Matroska's muxer reads the pixel shape here, MOV's that of the codec parameters; H.264 and HEVC also hold it themselves.
        stream.pointee.sample_aspect_ratio = context.pointee.sample_aspect_ratio
    }
}

extension SoundEncoder {
    /// Sets the codec parameters of the sound track.
    func describe(_ stream: UnsafeMutablePointer<AVStream>) throws {
        try FFmpeg.check(avcodec_parameters_from_context(stream.pointee.codecpar, context), "describe the sound", path: "movie")
        stream.pointee.time_base = context.pointee.time_base
    }
}
