import CoreMedia
import Foundation
import Pipeline

/// Reader of decoded frames with their presentation times, from a video file or an image sequence.
final class ClipReader {
    /// Path as the caller gave it.
    let path: String
    /// Width of the stored picture in pixels, before it is rotated upright.
    let width: Int
    /// Height of the stored picture in pixels.
    let height: Int
    let frameDuration: CMTime
    /// Number of frames as the file or the directory says; reliable where `isCountExact`.
    let frameCount: Int?
    let isCountExact: Bool
    /// Whether the frames come unevenly, so that `frameDuration` is an average.
    let isRateVariable: Bool
    /// Length as a complete index says; nil without one.
    let duration: CMTime?
    let orientation: Orientation
    let metadata: [String: String]
    /// Coding of the stored pictures.
    let coding: PictureCoding
    let pixelAspect: PixelAspect
    /// Timecode of the first frame; nil for none.
    let timecode: String?
    /// Whether linear light becomes codes of sRGB.
    private let codesLight: Bool
    /// Whether the stored pictures are such light.
    private let isOfLight: Bool
    /// Whether they are pictures of floating-point numbers.
    let holdsFloats: Bool
    /// Whether they have alpha, which is left out.
    private let hasAlpha: Bool
    /// Whether they are in primaries without a code point, which are taken for those of BT.709.
    private let hasUncodedPrimaries: Bool
    private(set) var framesRead = 0
    private var timeline: Timeline
    private var source: Source
    /// Frame that was sought; nil once it is taken.
    private var sought: (frame: FFmpegFrame, time: CMTime)?
    /// Time of the first picture in ticks, as the file says it.
    private var startTime: Int64?

    private enum Source {
        case video(FilteredVideo)
        case pictures([String], first: FFmpegFrame?)
    }

    /// Opens a clip. `pictureDuration` is the time of one picture of an image sequence; a video brings its own, and is decoded by `threads`. One that
    /// `toneMaps` brings HLG and PQ to BT.709. With a `mark` it is that track of a movie. Linear light (OpenEXR) becomes codes of sRGB where it `codesLight`.
    init(
        path: String, pictureDuration: CMTime, threads: Int = VideoDecoder.threads(), toneMaps: Bool = false, mark: TrackMarks.Mark? = nil,
        codesLight: Bool = true
    ) throws(MediaError) {
        self.path = path
        self.codesLight = codesLight
        if let files = try PictureSequence.files(of: path) {
            let first = try PictureFile.decode(files[0], codesLight: codesLight)
            (width, height) = (first.width, first.height)
            frameDuration = pictureDuration
            (frameCount, isCountExact, orientation) = (files.count, true, .upright)
            (metadata, isRateVariable, duration) = ([:], false, nil)
            coding = try PictureCoding(first, ColorMark(ofPicture: files[0]))
            (pixelAspect, timecode, holdsFloats, hasAlpha) = (.square, nil, first.isFloat, first.hasAlpha)
            isOfLight = first.isFloat && files[0].lowercased().hasSuffix(".exr")
            hasUncodedPrimaries = EXRChromaticities.areUncoded(inFile: files[0])
            guard !toneMaps || !coding.colors.isHDR else {
                throw MediaError(code: .unsupported, path: files[0], reason: "is PQ or HLG; --sdr takes movies alone: make one of the pictures first")
            }
            timeline = Timeline(timeBase: TimeBase(numerator: 1, denominator: 1)!, frameDuration: pictureDuration)
            source = .pictures(files, first: first)
            return
        }
        let decoder = try VideoDecoder(path: path, threads: threads, mark.map { .marked($0) } ?? .pictures, codesLight: codesLight)
        (width, height) = (decoder.width, decoder.height)
        guard width > 0, height > 0 else {
            throw MediaError(code: .corrupt, path: path, reason: "is damaged: not even its picture size can be told")
        }
        metadata = decoder.metadata
        (pixelAspect, timecode, isOfLight) = (decoder.pixelAspect, decoder.timecode, decoder.isOfLight)
        (holdsFloats, hasAlpha) = (decoder.holdsFloats, decoder.hasAlpha)
        hasUncodedPrimaries = decoder.isOfLight && EXRChromaticities.areUncoded(inFile: path)
        let video = FilteredVideo(decoder, toneMaps: toneMaps)
        if decoder.coding.colors.isHDR {
            coding = toneMaps ? .toneMapped : try video.lightOfFirst(decoder.coding)
        } else {
            coding = decoder.coding
        }
        let rates = decoder.frameRates
        frameDuration = Timeline.frameDuration(average: rates.average, real: rates.real) ?? pictureDuration
        isRateVariable = Timeline.isRateVariable(average: rates.average, real: rates.real)
        (frameCount, isCountExact, duration) = (decoder.expectedFrames, decoder.isFrameCountExact, decoder.exactDuration)
        timeline = Timeline(timeBase: decoder.timeBase, frameDuration: frameDuration)
        startTime = decoder.startTime
        if let matrix = decoder.displayMatrix {
            guard let turned = Orientation(displayMatrix: matrix) else {
                throw MediaError(code: .unsupported, path: path, reason: "asks to be rotated by other than quarter turns; rotate it first")
            }
            orientation = turned
        } else {
            orientation = .upright
        }
        source = .video(video)
    }

    /// Whether frame n lies at n times the frame duration, by the file's index.
    var isRegular: Bool {
        guard case .video = source else { return true }
        guard isCountExact, !isRateVariable, let duration, let frameCount else { return false }
        return abs(duration.seconds / frameDuration.seconds - Double(frameCount)) < 0.5
    }

    /// End of the last picture by the file's index, where that is another than a frame's duration after its beginning; nil without one.
    var end: CMTime? {
        guard case .video = source, isCountExact, let duration, let frameCount else { return nil }
        let regular = CMTimeMultiply(frameDuration, multiplier: Int32(clamping: frameCount))
        return isRateVariable || CMTimeAbsoluteValue(duration - regular) > timeline.timeBase.tick ? duration : nil
    }

    /// Makes the first frame from a time on the next one; what lies between is passed over, from the key frame before where the file has an index.
    func seek(to time: CMTime) throws(MediaError) {
        sought = nil
        switch source {
        case .pictures(let files, let first):
            let number = min(Int(timeline.number(from: time)), files.count)
            (source, framesRead) = (.pictures(files, first: number == 0 ? first : nil), number)
            timeline.move(to: Int64(number))
        case .video(let video):
            var hasSought = false
            for lead in Self.leads {
                guard let startTime, let ticks = timeline.seek(to: max(time - lead, .zero), start: startTime), try video.seek(to: ticks) else {
                    break
                }
                (sought, hasSought) = (nil, true)
                guard try !passOver(until: time), time > lead else { break }
            }
            if !hasSought { _ = try passOver(until: time) }
            framesRead = Int(clamping: timeline.index)
        }
    }

    /// Leads at which key frames are looked for: an index of decoding times may give one whose picture, or whose first pictures, come after the time.
    private static let leads = [0, 1, 10, 100].map { CMTime(value: $0, timescale: 1) }

    /// Reads to the first frame from a time on, which is the next one then; whether there was one before it, or at the time itself.
    private func passOver(until time: CMTime) throws(MediaError) -> Bool {
        var isPreceded = false
        while let frame = try next() {
            if frame.time < time {
                isPreceded = true
            } else {
                sought = frame
                return isPreceded || frame.time == time
            }
        }
        return isPreceded
    }

    /// Decodes the next frame, with its time; nil at the end.
    func next() throws(MediaError) -> (frame: FFmpegFrame, time: CMTime)? {
        if let frame = sought {
            sought = nil
            return frame
        }
        guard let frame = try nextFrame() else { return nil }
        guard frame.width == width, frame.height == height else {
            throw MediaError(
                code: .mismatch, path: currentPath,
                reason: "frame \(framesRead) is \(frame.width)x\(frame.height), but the first one is \(width)x\(height)")
        }
        var timestamp: Int64?
        if case .video = source { timestamp = frame.timestamp }
        guard let time = timeline.next(timestamp: timestamp) else {
            throw MediaError(code: .corrupt, path: currentPath, reason: "is damaged at frame \(framesRead): its time lies outside of any movie")
        }
        framesRead += 1
        return (frame, time)
    }

    private func nextFrame() throws(MediaError) -> FFmpegFrame? {
        switch source {
        case .video(let video): return try video.next()
        case .pictures(let files, let first):
            guard framesRead < files.count else { return nil }
            guard let first else { return try PictureFile.decode(files[framesRead], codesLight: codesLight) }
            source = .pictures(files, first: nil)
            return first
        }
    }

    /// Treatment of the pictures besides decoding, in words.
    var remarks: [String] {
        var remarks: [String] = []
        if isOfLight, codesLight { remarks.append("the light of \(path) is coded as sRGB, up to white") }
        if hasUncodedPrimaries, codesLight {
            remarks.append("the primaries of \(path), which no movie can name, are taken for those of BT.709: convert it first, as ACEScg to BT.2020")
        }
        if hasAlpha, codesLight { remarks.append("the alpha of \(path) is left out") }
        if case .video(let video) = source, video.isInterlaced {
            remarks.append("\(path) is interlaced; each pair of its fields became one picture, by bwdif")
        }
        return remarks
    }

    private var currentPath: String {
        if case .pictures(let files, _) = source { return files[framesRead] }
        return path
    }
}
