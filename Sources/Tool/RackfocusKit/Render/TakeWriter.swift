import CoreMedia
import CoreVideo
import Foundation
import Media
import Pipeline
import Support
import Synchronization

/// Writer of a render's cinematic movie: the sharp pictures, each with its disparity and its metadata, and the sound of the footage.
///
/// The camera hands the frames over as they are decided, ahead of their pictures: `keep`. A picture that is appended says which frame is due; where a baked
/// movie is wanted as well, the picture goes there.
final class TakeWriter: DeliveryWriter {
    /// Quality of the sharp picture where none is asked for, constant rate factor 4: a sharp, grainy photo that is baked from it is 51 dB from the live
    /// picture, and 46.5 dB with the quality of a movie to look at, which has two thirds of the bits.
    private static let quality = 90.0

    /// Options of a take's picture, given those of the command.
    static func delivery(_ delivery: DeliveryOptions) -> DeliveryOptions {
        var delivery = delivery
        if delivery.codec?.isLossless != true { delivery.rate = delivery.rate ?? .quality(quality) }
        return delivery
    }

    private let path: String
    private let delivery: DeliveryOptions.Resolved
    private let picture: SourceDescription
    private let footage: MovieFileWriter.Footage?
    private let replacesExisting: Bool
    /// Writer of the baked movie; nil where there is none.
    private let baked: (any DeliveryWriter)?
    private let state = Mutex(State())

    private struct State: Sendable {
        /// Frames whose pictures are still to come, by time.
        var kept: [(time: CMTime, image: CVPixelBuffer, cinematic: CinematicFrame)] = []
        var writer: MovieFileWriter?
        /// Time of the first picture.
        var start = CMTime.zero
        /// Pictures without cinematic capture.
        var lacking = 0
    }

    /// - Parameter picture: description of the pictures to come.
    init(
        path: String, delivery: DeliveryOptions.Resolved, of picture: SourceDescription, footage: MovieFileWriter.Footage?,
        beside baked: (any DeliveryWriter)?, replacingExisting: Bool
    ) throws {
        guard MovieContainer(path) == .mov else {
            throw MediaError(code: .unsupported, path: path, reason: "a cinematic movie has a place for its disparity in MOV alone; name it .mov")
        }
        (self.path, self.delivery, self.picture, self.footage, self.baked) = (path, delivery, picture, footage, baked)
        replacesExisting = replacingExisting
    }

    /// Keeps the sharp picture and the metadata of a frame until its picture is appended.
    func keep(_ frame: Frame, _ cinematic: CinematicFrame) {
        state.withLock { $0.kept.append((frame.presentationTime, frame.picture, cinematic)) }
    }

    func append(_ image: CVPixelBuffer, at presentationTime: CMTime) throws {
        try baked?.append(image, at: presentationTime)
        try state.withLock { state in
            while let first = state.kept.first, first.time < presentationTime { state.kept.removeFirst() }
            guard let first = state.kept.first, first.time == presentationTime else {
                state.lacking += 1
                return
            }
            state.kept.removeFirst()
            if state.writer == nil {
                state.writer = try open(for: first.image, first.cinematic.disparity)
                state.start = presentationTime
            }
            var cinematic = first.cinematic
            cinematic.sample = cinematic.sample.moved(by: -state.start.nanoseconds)
            try state.writer?.append(first.image, with: cinematic, at: presentationTime)
        }
    }

    private func open(for image: CVPixelBuffer, _ map: DisparityMap) throws -> MovieFileWriter {
        var movie = MovieDescription(
            width: CVPixelBufferGetWidth(image), height: CVPixelBufferGetHeight(image), frameDuration: picture.frameDuration,
            codec: delivery.codec.movie ?? .h264, pixelFormat: CVPixelBufferGetPixelFormatType(image))
        (movie.colors, movie.pixelAspect, movie.end) = (picture.colors, picture.pixelAspect, picture.end)
        movie.cinematic = .init(width: map.width, height: map.height)
        movie.fragments = .beside
        return try MovieFileWriter(path: path, movie: movie, footage: footage, replacingExisting: replacesExisting, settings: .init(delivery))
    }

    func append(_ sound: Sound) throws { try baked?.append(sound) }

    func finish() throws { try finish(with: []) }

    func finish(with others: [any PendingOutput]) throws {
        guard let writer = state.withLock(\.writer) else {
            throw MediaError(code: .encodingFailed, path: path, reason: "a cinematic movie without a single frame is not written")
        }
        guard let baked else { return try writer.finish(with: others) }
        try writer.finish()
        try baked.finish(with: others)
    }

    var remarks: [String] {
        let (own, lacking) = state.withLock { ($0.writer?.remarks ?? [], $0.lacking) }
        let left = lacking > 0 ? ["\(path) lacks \(lacking.counted("picture")): cinematic capture was off then"] : []
        return (baked?.remarks ?? own) + left
    }

    var byteCount: Int64 { (baked?.byteCount ?? 0) + (state.withLock(\.writer)?.byteCount ?? 0) }

    func salvage() -> Bool { false }

    func cancel() {
        state.withLock(\.writer)?.cancel()
        baked?.cancel()
    }
}
