internal import CFFmpeg
import CoreMedia
import Foundation
import Pipeline

/// Tracks that a movie takes over from the file of its footage: all sound, cut and timed with the pictures, the first of which is at time zero, as it
/// is or, where the container has no place for it, as PCM or ALAC; and the timecode, date and chapters that the file gives.
final class FootageTracks {
    /// Tracks, and ends of tracks, that the movie does not have, each with its reason.
    private(set) var remarks: [String] = []
    private let input: Input
    private let streams: [UnsafeMutablePointer<AVStream>]
    /// Of each stream; nil for one that is copied.
    private let transcoders: [(any SoundTrackConverter)?]
    /// Start of the pictures in the ticks of each stream.
    private let starts: [Int64]
    /// Time of the movie's first picture in the file, nanoseconds.
    private let zero: Int64
    /// Length of the part that the movie shows, nanoseconds; nil for all of the rest.
    private let length: Int64?
    /// Timecode of the movie's first picture; nil for the file's own.
    private let timecode: String?
    /// Whether the container has edit lists, which cut what is coded.
    private let isBoxed: Bool
    /// Of each stream, whether it is ambisonic sound that is copied to a file with a mark for it (`TrackMarks`).
    private let marks: [Bool]
    /// Of each stream, samples before the movie's first picture that a container without edit lists has to name.
    private var paddings: [Int32] = []
    /// Packets that are read and not written yet.
    private var waiting: [SoundPacket] = []
    /// Of each stream whose packets come without a duration, the last one read, which lasts until the next.
    private var open: [FFmpegPacket?] = []
    /// Of each stream, the last duration that was told or found, ticks.
    private var durations: [Int64] = []
    private var isOver = false

    /// Nil for an image sequence, whose path is that of no file.
    ///
    /// - Parameter movie: path of the movie, whose extension decides which codings it holds.
    init?(of footage: MovieFileWriter.Footage, for movie: String) throws {
        let path = footage.path
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        input = try Input(.footage(path, mayBeCut: true))
        let container = MovieContainer(movie) ?? .mp4
        isBoxed = container.isBoxed
        var (taken, transcoders): ([UnsafeMutablePointer<AVStream>], [(any SoundTrackConverter)?]) = ([], [])
        let stereo = input.streams.first { $0.isSound && !$0.isAmbisonic && $0.pointee.codecpar.pointee.ch_layout.nb_channels == 2 }
        let mix: SpatialMix? = if case .mixed(let mix) = footage.ambisonics { mix } else { nil }
        let isReplaced = mix != nil && input.streams.contains(where: \.isAmbisonic)
        for stream in input.streams {
            stream.pointee.discard = AVDISCARD_ALL
            guard stream.isSound, !isReplaced || stream != stereo else { continue }
            if footage.ambisonics != .kept, stream.isAmbisonic, stream.timeBase != nil {
                guard stereo == nil || mix != nil else { continue }
                if let mixer = try AmbisonicMixer(stream, mix, path: path) {
                    remarks.append("\(Self.name(stream, path)) is ambisonic; it became stereo\(mix.map { ", mixed for \($0.style.rawValue)" } ?? "")")
                    stream.pointee.discard = AVDISCARD_DEFAULT
                    taken.append(stream)
                    transcoders.append(mixer)
                    continue
                }
            }
            let coding = stream.pointee.codecpar.pointee.codec_id
            // Units of TrueHD are shorter than Matroska's milliseconds, in which two may have one time; and its demuxer loses the time of ALAC's first
            // packet where that lies before zero.
            let isFit = coding != (isBoxed ? AV_CODEC_ID_TRUEHD : AV_CODEC_ID_ALAC) || (!isBoxed && footage.start == .zero)
            let isTaken = try isFit && stream.timeBase != nil && MovieMuxer.takes(stream, in: container, path: path)
            let transcoder = isTaken || stream.timeBase == nil ? nil : try SoundTranscoder(stream, for: container, path: path)
            let (own, others) = (container.rawValue.uppercased(), container == .mp4 ? ".mov or .mkv" : container == .mov ? ".mkv" : ".mov")
            guard isTaken || transcoder != nil else {
                remarks.append(
                    "\(Self.name(stream, path)) is left out: its sound is \(String(cString: avcodec_get_name(coding))), for which "
                        + "\(own) has no place; give an output that ends in \(others)"
                        + (stream.isAmbisonic && stereo == nil ? ", or --stereo" : ""))
                continue
            }
            if let transcoder {
                let reason = isFit ? "for which \(own) has no place" : "which \(own) does not time to the sample"
                remarks.append(
                    "\(Self.name(stream, path)) is \(String(cString: avcodec_get_name(coding))), \(reason); it became \(transcoder.codingName)"
                        + (transcoder.loss.map { ", and \($0); an output that ends in \(others) keeps them" } ?? ", which loses nothing"))
            }
            stream.pointee.discard = AVDISCARD_DEFAULT
            taken.append(stream)
            transcoders.append(transcoder)
        }
        (streams, self.transcoders) = (taken, transcoders)
        marks = zip(taken, transcoders).map { stream, transcoder in container == .mov && transcoder == nil && stream.isAmbisonic }
        let first = input.pictureStart
        let offset = AVRational(num: 1, den: footage.start.timescale)
        starts = taken.map { stream in
            let base = stream.pointee.time_base
            return (first.map { av_rescale_q($0.ticks, $0.stream.pointee.time_base, base) } ?? 0) + av_rescale_q(footage.start.value, offset, base)
        }
        timecode = footage.timecode
        length = footage.length.map { av_rescale_q($0.value, AVRational(num: 1, den: $0.timescale), AVRational(num: 1, den: 1_000_000_000)) }
        let nanosecond = AVRational(num: 1, den: 1_000_000_000)
        zero =
            (first.map { av_rescale_q($0.ticks, $0.stream.pointee.time_base, nanosecond) } ?? 0)
            + av_rescale_q(footage.start.value, offset, nanosecond)
        open = streams.map { _ in nil }
        durations = streams.map { _ in 0 }
        seek(to: footage.start, first)
        paddings = isBoxed ? streams.map { _ in 0 } : try readPaddings()
    }

    /// Passes over what lies well before the movie's first picture, where the file has an index: by its place among the pictures, before which a file
    /// may have the sound of that time.
    private func seek(to start: CMTime, _ first: (stream: UnsafeMutablePointer<AVStream>, ticks: Int64)?) {
        let early = start - Self.longestInterleaving
        guard early > .zero, let first, let ticks = first.stream.timeBase?.ticks(early) else { return }
        _ = av_seek_frame(input.context, first.stream.pointee.index, first.ticks + ticks, AVSEEK_FLAG_BACKWARD)
    }

    /// Sound tracks of a file, in words; none of an image sequence.
    static func soundNames(of path: String) -> [String] {
        guard let input = try? Input(.footage(path, mayBeCut: true)) else { return [] }
        return input.streams.filter { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO }
            .map { name($0, path) }
    }

    private static func name(_ stream: UnsafeMutablePointer<AVStream>, _ path: String) -> String { "track \(stream.pointee.index) of \(path)" }

    /// Metadata of the movie, with the timecode of its first picture and the date of the take, as far as the file gives them.
    var metadata: [String: String] {
        var metadata = input.movieMetadata
        // Another picture is made of it: what baked focus is no cinematic movie any more.
        metadata[CinematicTracks.item] = nil
        let pictures = input.bestStream(AVMEDIA_TYPE_VIDEO)
        for key in ["timecode", "creation_time"] {
            guard let entry = av_dict_get(pictures?.pointee.metadata, key, nil, 0) else { continue }
            metadata[key] = String(cString: entry.pointee.value)
        }
        if let timecode { metadata["timecode"] = timecode }
        return metadata
    }

    /// Chapters of the file in the movie's time, nanoseconds, with their metadata; what lies before its first picture or behind its last is left out.
    var chapters: [(start: Int64, end: Int64, title: String?)] {
        let unit = AVRational(num: 1, den: 1_000_000_000)
        return (0..<Int(input.context.pointee.nb_chapters)).compactMap { index in
            guard let chapter = input.context.pointee.chapters[index] else { return nil }
            let base = chapter.pointee.time_base
            let title = av_dict_get(chapter.pointee.metadata, "title", nil, 0).map { String(cString: $0.pointee.value) }
            let (start, end) = (av_rescale_q(chapter.pointee.start, base, unit) - zero, av_rescale_q(chapter.pointee.end, base, unit) - zero)
            let last = length ?? .max
            return end > 0 && start < last ? (max(start, 0), min(end, last), title) : nil
        }
    }

    /// Parameters of the tracks, for the muxer.
    var tracks: [MovieMuxer.TrackDescription] {
        streams.indices.map { [path = input.path] track in
            { [stream = streams[track], transcoder = transcoders[track], padding = paddings[track], isMarked = marks[track]] copy in
                try FFmpeg.checkMemory(av_dict_copy(&copy.pointee.metadata, stream.pointee.metadata, 0), path: path)
                if let transcoder { return try transcoder.describe(copy) }
                try FFmpeg.check(avcodec_parameters_copy(copy.pointee.codecpar, stream.pointee.codecpar), "describe the sound", path: path)
                // Codes of the other container mean nothing here.
                copy.pointee.codecpar.pointee.codec_tag = 0
                copy.pointee.codecpar.pointee.initial_padding = max(copy.pointee.codecpar.pointee.initial_padding, padding)
                copy.pointee.time_base = stream.pointee.time_base
                if isMarked { try copy.name(.ambisonics, path: path) }
            }
        }
    }

    /// Writes the sound that ends before `end`, in the movie's time, to the tracks from `first` on.
    func write(until end: CMTime, to muxer: MovieMuxer, from first: Int) throws {
        while let next = try peek(), next.end <= end { try write(take(), until: nil, to: muxer, from: first) }
    }

    /// Writes the rest up to `end`, to the sample, and what the transcoders hold back.
    func finish(at end: CMTime, to muxer: MovieMuxer, from first: Int) throws {
        noteLongTracks(after: end)
        var open = Set(streams.indices)
        while !open.isEmpty, let next = try peek(), next.start < end + Self.longestInterleaving {
            let sound = take()
            guard next.start < end else {
                open.remove(next.track)
                continue
            }
            try write(sound, until: end, to: muxer, from: first)
        }
        for (track, transcoder) in transcoders.enumerated() {
            guard let transcoder else { continue }
            try transcoder.transcode(nil, base: transcoder.timeBase, until: end) {
                try muxer.write($0, track: first + track, timeBase: transcoder.timeBase)
            }
        }
    }

    /// Notes the sound that goes on behind the file's last picture, with which the movie ends.
    private func noteLongTracks(after end: CMTime) {
        let margin = CMTime(value: 1, timescale: 10)
        guard let pictures = input.bestStream(AVMEDIA_TYPE_VIDEO).flatMap(self.end), CMTimeAbsoluteValue(pictures - end) < margin else { return }
        for stream in streams {
            guard let rest = self.end(of: stream).map({ $0 - end }), rest > margin else { continue }
            let seconds = String(format: "%.3f", rest.seconds)
            remarks.append("\(Self.name(stream, input.path)) goes on for \(seconds) s after the last picture; that is left out")
        }
    }

    /// End of a track in the movie's time, as the file tells it; nil where it does not.
    private func end(of stream: UnsafeMutablePointer<AVStream>) -> CMTime? {
        let (start, duration) = (stream.pointee.start_time, stream.pointee.duration)
        guard start != RF_AV_NOPTS_VALUE, duration > 0, let end = stream.timeBase?.time(duration, since: -start) else { return nil }
        return end - CMTime(value: zero, timescale: 1_000_000_000)
    }

    /// Time by which the tracks of a file may lie apart in it: QuickTime's writers take half a second, a second or two.
    private static let longestInterleaving = CMTime(value: 5, timescale: 1)

    private func write(_ sound: SoundPacket, until end: CMTime?, to muxer: MovieMuxer, from first: Int) throws {
        let base = streams[sound.track].pointee.time_base
        if let transcoder = transcoders[sound.track] {
            return try transcoder.transcode(sound.packet, base: base, until: end) {
                try muxer.write($0, track: first + sound.track, timeBase: transcoder.timeBase)
            }
        }
        guard try sound.cut(until: end, streams[sound.track], marksEnd: !isBoxed, path: input.path) else { return }
        try muxer.write(sound.packet, track: first + sound.track, timeBase: base)
    }

    /// The next packet of sound, moved to the movie's time; nil at the end, also where it cannot be read on.
    private func peek() throws -> SoundPacket? {
        if let next = waiting.first { return next }
        if let next = try read() { waiting.append(next) }
        return waiting.first
    }

    private func take() -> SoundPacket { waiting.removeFirst() }

    /// Reads on until every track that is copied has its first packet, and returns the samples of each before the movie's first picture: a container
    /// without an edit list wants them at its head.
    private func readPaddings() throws -> [Int32] {
        var paddings = [Int32?](repeating: nil, count: streams.count)
        while paddings.contains(nil), waiting.count < Self.mostWaiting, let next = try read() {
            waiting.append(next)
            if paddings[next.track] == nil { paddings[next.track] = next.samples(before: .zero, streams[next.track]) }
        }
        return paddings.map { $0 ?? 0 }
    }

    /// Packets among which the first of every track is looked for.
    private static let mostWaiting = 1000

    /// Reads the next packet. Sound before the first picture is left out, but for the packets with which a decoder begins.
    private func read() throws -> SoundPacket? {
        while let (packet, track) = try readWhole() {
            let leadIn = transcoders[track]?.leadIn ?? .zero
            guard let sound = SoundPacket(packet, of: track, streams[track], after: starts[track]), sound.end + leadIn >= .zero else { continue }
            return sound
        }
        return nil
    }

    /// The next packet of a track that is taken, with its duration: Matroska does not tell that of ALAC.
    private func readWhole() throws -> (FFmpegPacket, track: Int)? {
        while !isOver, !streams.isEmpty {
            let packet = try FFmpegPacket(for: input.path)
            let result = av_read_frame(input.context, packet.pointer)
            guard result >= 0 else {
                isOver = true
                let isWhole = result == RF_AVERROR_EOF && (try? input.checkReads()) != nil
                if !isWhole { remarks.append("the sound of \(input.path) ends early: it is damaged") }
                break
            }
            guard let track = streams.firstIndex(where: { $0.pointee.index == packet.pointer.pointee.stream_index }) else { continue }
            guard packet.beginsFrame(of: streams[track]) else {
                let remark = "\(Self.name(streams[track], input.path)) has parts of frames, as where a broadcast was joined; they are left out"
                if !remarks.contains(remark) { remarks.append(remark) }
                continue
            }
            guard let before = open[track] else {
                if packet.pointer.pointee.duration > 0 { return (packet, track) }
                open[track] = packet
                continue
            }
            open[track] = packet
            let (start, next) = (before.pointer.pointee.pts, packet.pointer.pointee.pts)
            let (length, isBeyond) = next.subtractingReportingOverflow(start)
            if before.pointer.pointee.duration <= 0, start != RF_AV_NOPTS_VALUE, next != RF_AV_NOPTS_VALUE, length > 0, !isBeyond {
                before.pointer.pointee.duration = length
                durations[track] = length
            }
            return (before, track)
        }
        guard let track = open.firstIndex(where: { $0 != nil }), let last = open[track] else { return nil }
        open[track] = nil
        if last.pointer.pointee.duration <= 0 { last.pointer.pointee.duration = durations[track] }
        return (last, track)
    }
}

extension FFmpegPacket {
    /// Whether it begins with a frame of its stream, which only AC-3 and E-AC-3 tell, by a synchronization word (ETSI TS 102 366, 5.4.1.1): the muxer of MP4
    /// leaves out what does not at a track's beginning, and takes it for a failure later.
    fileprivate func beginsFrame(of stream: UnsafeMutablePointer<AVStream>) -> Bool {
        guard [AV_CODEC_ID_AC3, AV_CODEC_ID_EAC3].contains(stream.pointee.codecpar.pointee.codec_id) else { return true }
        return bytes.starts(with: [0x0B, 0x77])
    }
}

extension UnsafeMutablePointer<AVStream> {
    fileprivate var isSound: Bool { pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO }

    /// Whether it holds first-order ambisonics, by its mark.
    fileprivate var isAmbisonic: Bool {
        let layout = pointee.codecpar.pointee.ch_layout
        return isSound && layout.order == AV_CHANNEL_ORDER_AMBISONIC && layout.nb_channels == 4
    }
}
