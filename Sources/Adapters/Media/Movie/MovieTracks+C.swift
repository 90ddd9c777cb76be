internal import CFFmpeg
import CoreMedia
import CoreVideo
import Foundation
import Pipeline

/// Encoders of a movie and the muxer they write to.
final class MovieTracks {
    /// Destination of the bytes.
    enum Target {
        /// A file that is complete at the end, by its name.
        case whole(String)
        case fragments(FragmentedFile)
        case segments(MovieSegments)
    }

    /// Encoder of track 0; nil without pictures.
    private let pictures: PictureEncoder?
    private let encoderRemark: String?
    private let sound: SoundEncoder?
    /// Encoder of the stereo track ahead of a cinematic movie's ambisonics, which players without a decoder for them take; nil without.
    private let companion: SoundEncoder?
    private let soundLayout: Sound.Layout?
    private let soundRate: Int
    /// Tracks after the sound; nil for a plain movie.
    private let cinematic: CinematicTracks?
    /// Tracks after those that are encoded.
    private let coded: CodedTracks
    /// Tracks after the coded ones.
    private let footage: FootageTracks?
    private let muxer: MovieMuxer
    private let target: Target
    /// Fragments that the file has not taken yet: one, unless writing failed.
    private var unwritten: [MovieMuxer.Fragment] = []

    /// Microseconds after which media become a fragment. With the at most 3,072 samples that lie in a coder of sound, less than 0.3 s of a
    /// track are in no fragment, from 16 kHz on.
    private static let fragmentLength: Int64 = 100_000

    init(
        path: String, target: Target, movie: MovieDescription, footage: FootageTracks?, timescale: Int32, settings: MovieFileWriter.Settings
    ) throws {
        let choice = movie.hasPictures ? try PictureEncoder.choose(path: path, movie: movie, timescale: timescale, settings: settings) : nil
        let pictures = choice?.encoder
        encoderRemark = choice.flatMap { settings.encoder.remark($0.name, refusals: $0.refusals, for: movie.codec) }
        let sound = try movie.sound.map { try SoundEncoder(path: path, track: $0) }
        let isSpatial = movie.cinematic != nil && movie.sound?.layout == .firstOrderAmbisonics
        let stereo = isSpatial ? movie.sound.map { MovieDescription.SoundTrack(layout: .stereo, sampleRate: $0.sampleRate) } : nil
        companion = try stereo.map { try SoundEncoder(path: path, track: $0) }
        (soundLayout, soundRate) = (movie.sound?.layout, movie.sound?.sampleRate ?? 0)
        let cinematic = try movie.cinematic.map { try CinematicTracks(path: path, $0, frameDuration: movie.frameDuration, timescale: timescale) }
        let coded = CodedTracks(path: path, movie.codedTracks)
        let file: String? = if case .whole(let file) = target { file } else { nil }
        let encoded = [pictures?.describe, companion?.describe, sound?.describe].compactMap { $0 }
        muxer = try MovieMuxer(
            path: path, file: file, movie: movie, chapters: footage?.chapters ?? [], isCut: footage != nil,
            tracks: encoded + (cinematic?.descriptions ?? []) + coded.descriptions + (footage?.tracks ?? []))
        (self.pictures, self.sound, self.cinematic, self.footage, self.target) = (pictures, sound, cinematic, footage, target)
        self.coded = coded
    }

    private var companionTrack: Int { pictures == nil ? 0 : 1 }
    private var soundTrack: Int { companionTrack + (companion == nil ? 0 : 1) }
    private var cinematicTrack: Int { soundTrack + (sound == nil ? 0 : 1) }
    private var codedTrack: Int { cinematicTrack + (cinematic?.descriptions.count ?? 0) }
    private var footageTrack: Int { codedTrack + coded.descriptions.count }

    /// Sound of the footage that the movie does not have, each with its reason, and an encoder that is not the usual one.
    var remarks: [String] { [encoderRemark].compactMap { $0 } + (footage?.remarks ?? []) }

    /// Writes what footage has before `end`; `isEnd`: that is the movie's.
    func copyFootage(until end: CMTime, isEnd: Bool = false) throws {
        try footage?.write(until: end, to: muxer, from: footageTrack)
        if isEnd { try footage?.finish(at: end, to: muxer, from: footageTrack) }
    }

    /// Bytes of coded media so far.
    var byteCount: Int64 { muxer.mediaBytes }

    /// Encodes a picture, with the disparity and the metadata of a cinematic movie: a fragment ends with the same frame in each track.
    func encode(_ image: CVPixelBuffer, _ frame: CinematicFrame?, at ticks: Int64) throws {
        guard let pictures else { return }
        try pictures.encode(image, at: ticks) { try write($0, of: pictures) }
        if let frame { try cinematic?.write(frame, at: ticks, to: muxer, from: cinematicTrack) }
        try writeFragment()
    }

    private func write(_ packet: FFmpegPacket, of pictures: PictureEncoder) throws {
        let base = pictures.context.pointee.time_base
        if packet.pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 { try endSegment(aheadOf: packet, base) }
        try muxer.write(packet, track: 0, timeBase: base)
    }

    private func endSegment(aheadOf packet: FFmpegPacket, _ base: AVRational) throws {
        try endSegment(at: CMTime(value: packet.pointer.pointee.pts * Int64(base.num), timescale: base.den))
    }

    /// Ends the segment under way where it is to end ahead of a key frame at a time.
    private func endSegment(at time: CMTime) throws {
        guard case .segments(let segments) = target, muxer.isEveryTrackOpen, segments.ends(at: time) else { return }
        try handSegment(to: segments)
    }

    /// Hands over what was written since the last segment, ahead of the first the index.
    private func handSegment(to segments: MovieSegments) throws {
        let isFirst = !muxer.hasIndex
        guard let fragment = try muxer.takeFragment() else { return }
        var media = fragment.boxes[...]
        if isFirst {
            let index = fragment.type + Int(BigEndian(Array(media.dropFirst(fragment.type).prefix(4))).uint32(at: 0) ?? 0)
            segments.hand(MovieSegments.Segment(data: Data(media.prefix(index)), tracks: []))
            media = media.dropFirst(index)
        }
        segments.hand(MovieSegments.Segment(data: Data(media), tracks: fragment.tracks))
    }

    /// Writes a sample of a coded track as it is.
    func write(_ sample: MovieSample, ofCodedTrack track: Int) throws {
        let isFirstKind = pictures == nil && sound == nil && track == 0
        if isFirstKind, case .data(_, let isSync) = sample.content, isSync { try endSegment(at: sample.time) }
        try coded.write(sample, of: track, to: muxer, from: codedTrack)
        try writeFragment()
    }

    /// Lets a picture that is to be encoded be shown for so long, in ticks.
    func setDuration(_ ticks: Int64, ofPictureAt time: Int64) {
        pictures?.longPicture = (time, ticks)
        cinematic?.longPicture = (time, ticks)
    }

    /// Appends interleaved samples to the sound track.
    func encode(_ samples: some Sequence<Float>) throws {
        guard let sound, let layout = soundLayout else { return }
        if let companion {
            let mixed = Sound(presentationTime: .zero, sampleRate: soundRate, layout: layout, samples: Array(samples)).mixed(to: .stereo)
            try companion.encode(mixed.samples) { try muxer.write($0, track: companionTrack, timeBase: companion.context.pointee.time_base) }
        }
        try sound.encode(samples) { packet in
            let base = sound.context.pointee.time_base
            // Every packet of sound is one to begin with.
            if pictures == nil { try endSegment(aheadOf: packet, base) }
            try muxer.write(packet, track: soundTrack, timeBase: base)
        }
        try writeFragment()
    }

    private func writeFragment(atEnd: Bool = false) throws {
        guard case .fragments(let file) = target, atEnd || (muxer.isEveryTrackOpen && muxer.openLength >= Self.fragmentLength) else { return }
        if let fragment = try muxer.takeFragment() { unwritten.append(fragment) }
        while let fragment = unwritten.first {
            try file.append(fragment.boxes, open: fragment.type, media: fragment.media, until: fragment.end)
            unwritten.removeFirst()
        }
    }

    /// Writes what the encoders hold and, of a whole file, the index.
    func finish() throws {
        try finishPictures()
        try finishSound()
        try finishCinematic()
        switch target {
        case .whole: try muxer.finish()
        case .fragments: try writeFragment(atEnd: true)
        case .segments(let segments): try handSegment(to: segments)
        }
    }

    /// Writes a fragment of what was taken before a failure and is in none yet, as far as encoders, muxer and file still serve.
    func finishAfterFailure() {
        try? finishPictures()
        try? finishSound()
        try? finishCinematic()
        try? writeFragment(atEnd: true)
    }

    private func finishPictures() throws {
        guard let pictures else { return }
        try pictures.finish { try write($0, of: pictures) }
    }

    private func finishSound() throws {
        if let companion {
            try companion.finish { try muxer.write($0, track: companionTrack, timeBase: companion.context.pointee.time_base) }
        }
        guard let sound else { return }
        try sound.finish { try muxer.write($0, track: soundTrack, timeBase: sound.context.pointee.time_base) }
    }

    private func finishCinematic() throws { try cinematic?.finish(to: muxer, from: cinematicTrack) }
}
