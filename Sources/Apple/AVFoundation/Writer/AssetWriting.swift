import CoreMedia
import CoreVideo
import Foundation
import Pipeline

/// Media of an asset writer on their way to the file, used on the writer's queue alone.
///
/// A picture is written when the sound has come up to it, so that both lie side by side in the file; sound as soon as the file is open. The file is opened
/// with the first picture, or the first sound where there are no pictures, since only then the rate and the pixel format are known.
final class AssetWriting: @unchecked Sendable {
    /// Properties of the file that are fixed before the first sample.
    struct Plan: Sendable {
        var url: URL
        var pictures: PictureSettings?
        var sound: MovieDescription.SoundTrack?
        var rotation = 0
        var isMirrored = false
        var metadata: [String: String] = [:]
        var fragments = MovieDescription.Fragments.none
        /// Whether pictures come from a camera, so that sound which lags far behind them is not waited for.
        var isRealTime = false
        var open: @Sendable (URL, MovieDescription) throws -> any MovieWriter
    }

    private struct Picture {
        var image: CVPixelBuffer
        var time: CMTime
        var duration: CMTime
    }

    private let plan: Plan
    private var writer: (any MovieWriter)?
    private var pictures: [Picture] = []
    private var sounds: [Sound] = []
    private(set) var soundEnd = CMTime.negativeInfinity
    /// Time of the last picture that came.
    private(set) var pictureEnd = CMTime.negativeInfinity
    private var isSoundOver: Bool
    private var arePicturesOver: Bool
    private let converter = PictureConverter()

    /// Pictures that wait for the sound, at most, while a camera runs.
    static let longestRow = 12

    init(_ plan: Plan) {
        self.plan = plan
        (isSoundOver, arePicturesOver) = (plan.sound == nil, plan.pictures == nil)
    }

    /// Pictures that are not written yet.
    var waiting: Int { pictures.count }

    /// Takes a picture at a time of the movie.
    func append(_ image: CVPixelBuffer, at time: CMTime, duration: CMTime) throws {
        guard let settings = plan.pictures else { return }
        pictures.append(Picture(image: try fitted(image, settings), time: time, duration: duration))
        pictureEnd = max(pictureEnd, time)
        try drain()
    }

    /// Takes sound on the time of the movie.
    func append(_ sound: Sound) throws {
        guard let track = plan.sound else { return }
        soundEnd = max(soundEnd, sound.presentationTime + sound.duration)
        sounds.append(sound.mixed(to: track.layout))
        try drain()
    }

    /// Takes note that no more comes of a kind.
    func end(pictures: Bool, sound: Bool) throws {
        arePicturesOver = arePicturesOver || pictures
        isSoundOver = isSoundOver || sound
        try drain()
    }

    /// Writes what waits and completes the file.
    func finish() throws {
        try end(pictures: true, sound: true)
        guard let writer else { throw AVError(.noDataCaptured, reason: "a movie without a single sample is not written") }
        try writer.finish()
    }

    /// Removes the file.
    func cancel() {
        writer?.cancel()
        (pictures, sounds) = ([], [])
    }

    private func drain() throws {
        guard let writer = try opened() else { return }
        for sound in sounds { try writer.append(sound) }
        sounds = []
        while let first = pictures.first {
            let isLongRow = plan.isRealTime && pictures.count > Self.longestRow
            guard isSoundOver || soundEnd >= first.time || isLongRow else { return }
            try writer.append(first.image, at: first.time)
            pictures.removeFirst()
        }
    }

    /// The writer, opened as soon as its description is known; nil until then.
    private func opened() throws -> (any MovieWriter)? {
        if let writer { return writer }
        guard let movie = description else { return nil }
        let writer = try plan.open(plan.url, movie)
        self.writer = writer
        return writer
    }

    private var description: MovieDescription? {
        guard let settings = plan.pictures else {
            guard let sound = plan.sound, !sounds.isEmpty else { return nil }
            return MovieDescription(sound: sound, metadata: plan.metadata, fragments: plan.fragments)
        }
        guard let first = pictures.first, let duration = frameDuration(settings) else { return nil }
        var movie = MovieDescription(
            width: settings.width, height: settings.height, frameDuration: duration, codec: settings.codec, pixelFormat: first.image.format,
            rotation: plan.rotation, isMirrored: plan.isMirrored, sound: plan.sound, metadata: plan.metadata, fragments: plan.fragments)
        movie.coding = settings.coding
        movie.colors = first.image.colors
        return movie
    }

    /// Time of a picture: what the first says, the rate expected, or the time to the second; nil where that has not come yet.
    private func frameDuration(_ settings: PictureSettings) -> CMTime? {
        let first = pictures[0]
        var duration = first.duration
        if !duration.isNumeric || duration <= .zero, pictures.count > 1 { duration = pictures[1].time - first.time }
        if !duration.isNumeric || duration <= .zero, let rate = settings.expectedRate {
            duration = CMTime(value: 1000, timescale: CMTimeScale((rate * 1000).rounded()))
        }
        if !duration.isNumeric || duration <= .zero || duration.seconds > 3600 {
            guard arePicturesOver else { return nil }
            duration = CMTime(value: 1, timescale: 30)
        }
        return duration.inLowestTerms
    }

    /// The picture in a pixel format that is written, at the size of the file.
    private func fitted(_ image: CVPixelBuffer, _ settings: PictureSettings) throws -> CVPixelBuffer {
        var image = image
        if let plain = PictureConverter.plainFormats[image.format] {
            let copy = converter.relabel(image, format: plain)
            CVBufferPropagateAttachments(image, copy)
            image = copy
        }
        guard image.size != (settings.width, settings.height) else { return image }
        guard PictureConverter.canResample(image.format) else {
            throw AVError(
                .unsupportedOutputSettings,
                reason: "pictures of \(image.size.width)x\(image.size.height) in \(PixelFormatSetting.name(image.format)) cannot be scaled to the "
                    + "\(settings.width)x\(settings.height) of the output settings")
        }
        var part = CGRect(x: 0, y: 0, width: 1, height: 1)
        if settings.fills {
            let wanted = Double(settings.width) / Double(settings.height)
            let own = Double(image.size.width) / Double(image.size.height)
            let share = (width: min(wanted / own, 1), height: min(own / wanted, 1))
            part = CGRect(x: (1 - share.width) / 2, y: (1 - share.height) / 2, width: share.width, height: share.height)
        }
        let scaled = converter.resample(image, part: part, width: settings.width, height: settings.height)
        CVBufferPropagateAttachments(image, scaled)
        return scaled
    }
}

extension CVBuffer {
    /// Colours that the attachments name; BT.709 where they name none.
    fileprivate var colors: PictureColors {
        func text(_ key: CFString) -> CFString? { CVBufferCopyAttachment(self, key, nil) as? CFString }
        var colors = PictureColors.bt709
        switch text(kCVImageBufferYCbCrMatrixKey) {
        case kCVImageBufferYCbCrMatrix_ITU_R_601_4: colors.matrix = 6
        case kCVImageBufferYCbCrMatrix_ITU_R_2020: colors.matrix = 9
        default: break
        }
        switch text(kCVImageBufferTransferFunctionKey) {
        case kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ: colors.transfer = 16
        case kCVImageBufferTransferFunction_ITU_R_2100_HLG: colors.transfer = 18
        default: break
        }
        if text(kCVImageBufferColorPrimariesKey) == kCVImageBufferColorPrimaries_ITU_R_2020 { colors.primaries = 9 }
        return colors
    }
}
