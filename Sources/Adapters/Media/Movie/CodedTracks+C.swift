internal import CFFmpeg
import CoreMedia
import Foundation
import Pipeline
import Support

/// Tracks whose samples come coded, on their way to the muxer as they are.
final class CodedTracks {
    private let path: String
    private let tracks: [MovieContents.Track]

    /// - Parameter path: final name of the movie, for errors.
    init(path: String, _ tracks: [MovieContents.Track]) { (self.path, self.tracks) = (path, tracks) }

    /// Parameters of the tracks, for the muxer.
    var descriptions: [MovieMuxer.TrackDescription] { tracks.map { track in { try self.describe(track, $0) } } }

    /// FFmpeg's name of the coding of a track, by its own name or the code that QuickTime has for it; nil for one that it does not know.
    private static func coding(of track: MovieContents.Track) -> AVCodecID? {
        if track.kind == .disparity { return AV_CODEC_ID_FFV1 }
        if !track.coding.isEmpty, let known = avcodec_descriptor_get_by_name(track.coding) { return known.pointee.id }
        if track.codec == kAudioFormatMPEG4AAC { return AV_CODEC_ID_AAC }
        var table: OpaquePointer? = track.kind == .sound ? avformat_get_mov_audio_tags() : avformat_get_mov_video_tags()
        let found = withUnsafePointer(to: &table) { tables in
            tables.withMemoryRebound(to: OpaquePointer?.self, capacity: 1) { av_codec_get_id($0, track.codec.byteSwapped) }
        }
        return found == AV_CODEC_ID_NONE ? nil : found
    }

    /// Reason why a track cannot be written, in words; nil when it can.
    static func refusal(of track: MovieContents.Track, path: String) -> String? {
        if [.foreignMetadata, .metadata, .disparity].contains(track.kind) {
            return MovieContainer(path) == .mov ? nil : "timed metadata and disparity have a place in MOV alone; name the movie .mov"
        }
        guard track.kind == .picture || track.kind == .sound, let coding = coding(of: track) else {
            return "coded samples of the kind \(String(fourCharacterCode: track.codec)) cannot be written"
        }
        let container = MovieContainer(path) ?? .mp4
        guard avformat_query_codec(av_guess_format(container.muxer, nil, nil), coding, FF_COMPLIANCE_NORMAL) == 1 else {
            return "\(container.rawValue.uppercased()) has no place for samples coded as \(String(cString: avcodec_get_name(coding)))"
        }
        return nil
    }

    private func describe(_ track: MovieContents.Track, _ stream: UnsafeMutablePointer<AVStream>) throws {
        stream.pointee.time_base = AVRational(num: 1, den: track.timescale)
        let parameters = stream.pointee.codecpar!
        if track.kind == .foreignMetadata || track.kind == .metadata {
            parameters.pointee.codec_type = AVMEDIA_TYPE_DATA
            parameters.pointee.codec_id = AV_CODEC_ID_BIN_DATA
            parameters.pointee.codec_tag = CinematicTracks.sampleEntry
            let foreign = MetadataMark(keys: track.configuration).roomyName
            return try stream.name(track.kind == .metadata ? TrackMarks.Mark.cinematicMetadata.roomyName : foreign, path: path)
        }
        parameters.pointee.codec_type = track.kind == .sound ? AVMEDIA_TYPE_AUDIO : AVMEDIA_TYPE_VIDEO
        parameters.pointee.codec_id = Self.coding(of: track) ?? AV_CODEC_ID_NONE
        try setConfiguration(track.configuration, of: parameters)
        if track.kind != .sound {
            (parameters.pointee.width, parameters.pointee.height) = (Int32(clamping: track.width), Int32(clamping: track.height))
            parameters.pointee.color_primaries = AVColorPrimaries(UInt32(track.colors.primaries))
            parameters.pointee.color_trc = AVColorTransferCharacteristic(UInt32(track.colors.transfer))
            parameters.pointee.color_space = AVColorSpace(UInt32(track.colors.matrix))
            if track.kind == .disparity { return try stream.name(.disparity, path: path) }
            // ProRes has a code for each of its profiles, and HEVC one for where its parameter sets lie.
            parameters.pointee.codec_tag = track.codec.byteSwapped
            if track.frameDuration.isNumeric {
                stream.pointee.avg_frame_rate = AVRational(num: track.frameDuration.timescale, den: Int32(clamping: track.frameDuration.value))
            }
        } else {
            parameters.pointee.sample_rate = Int32(clamping: track.sampleRate)
            av_channel_layout_default(&parameters.pointee.ch_layout, Int32(clamping: track.channels))
            let bits = av_get_bits_per_sample(parameters.pointee.codec_id)
            parameters.pointee.bits_per_coded_sample = bits
            parameters.pointee.block_align = bits / 8 * Int32(clamping: track.channels)
            if parameters.pointee.codec_id == AV_CODEC_ID_AAC { parameters.pointee.frame_size = 1024 }
            if track.isAmbisonic { try stream.name(.ambisonics, path: path) }
        }
    }

    private func setConfiguration(_ data: Data, of parameters: UnsafeMutablePointer<AVCodecParameters>) throws(MediaError) {
        guard !data.isEmpty else { return }
        guard let bytes = av_mallocz(data.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else { throw FFmpeg.outOfMemory(path) }
        parameters.pointee.extradata = bytes.assumingMemoryBound(to: UInt8.self)
        parameters.pointee.extradata_size = Int32(clamping: data.count)
        data.copyBytes(to: parameters.pointee.extradata, count: data.count)
    }

    /// Writes a sample of a track to the muxer's, which begin at `first`.
    func write(_ sample: MovieSample, of index: Int, to muxer: MovieMuxer, from first: Int) throws {
        guard case .data(let data, let isSync) = sample.content else {
            throw MediaError(code: .mismatch, path: path, reason: "a sample of a coded track is not coded")
        }
        let packet = try FFmpegPacket(for: path)
        try FFmpeg.check(av_new_packet(packet.pointer, Int32(clamping: data.count)), "write a sample", path: path)
        data.copyBytes(to: packet.pointer.pointee.data, count: data.count)
        let timescale = tracks[index].timescale
        func ticks(_ time: CMTime) -> Int64 { CMTimeConvertScale(time, timescale: timescale, method: .default).value }
        packet.pointer.pointee.pts = ticks(sample.time)
        packet.pointer.pointee.dts = ticks(sample.decodeTime.isNumeric ? sample.decodeTime : sample.time)
        packet.pointer.pointee.duration = sample.duration.isNumeric ? ticks(sample.duration) : 0
        if isSync { packet.pointer.pointee.flags |= AV_PKT_FLAG_KEY }
        try muxer.write(packet, track: first + index, timeBase: AVRational(num: 1, den: timescale))
    }
}
