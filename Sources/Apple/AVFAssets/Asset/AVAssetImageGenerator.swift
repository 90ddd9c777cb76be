import AVFCapture
import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Synchronization

/// Receiver of one picture of many: the time asked for, the picture, its own time, the outcome and why there is none.
public typealias AVAssetImageGeneratorCompletionHandler =
    @Sendable (
        CMTime, CGImage?, CMTime, AVAssetImageGenerator.Result, (any Error)?
    ) -> Void

/// Generator of still pictures of an asset: the picture that is shown at a time, whatever times are tolerated.
///
///     let generator = AVAssetImageGenerator(asset: AVURLAsset(url: url))
///     generator.appliesPreferredTrackTransform = true
///     let (image, time) = try await generator.image(at: .zero)
open class AVAssetImageGenerator: NSObject, @unchecked Sendable {
    /// Asset of the pictures.
    public let asset: AVAsset
    private let options = Mutex(Options())
    private let converter = PictureConverter()

    private struct Options: Sendable {
        var isUpright = false
        var maximumSize = CGSize.zero
        var before = CMTime.positiveInfinity
        var after = CMTime.positiveInfinity
        var aperture: ApertureMode?
        var range = DynamicRangePolicy.forceSDR
        /// Number of times that pictures were cancelled.
        var round = 0
    }

    /// Part of the stored picture that is shown.
    public struct ApertureMode: RawRepresentable, Hashable, Sendable {
        /// Name of the part, as Apple spells it.
        public let rawValue: String
        /// Makes a part from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The part that is meant to be seen, in its shape.
        public static let cleanAperture = Self(rawValue: "CleanAperture")
        /// All, in its shape.
        public static let productionAperture = Self(rawValue: "ProductionAperture")
        /// All pixels as they are coded.
        public static let encodedPixels = Self(rawValue: "EncodedPixels")
    }

    /// Brightness of pictures of a movie in HDR.
    public struct DynamicRangePolicy: RawRepresentable, Hashable, Sendable {
        /// Name of the policy, as Apple spells it.
        public let rawValue: String
        /// Makes a policy from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// That of an ordinary picture.
        public static let forceSDR = Self(rawValue: "ForceSDR")
        /// That of the movie.
        public static let matchSource = Self(rawValue: "MatchSource")
    }

    /// Makes a generator.
    public init(asset: AVAsset) { self.asset = asset }

    /// Whether pictures are turned upright; default false.
    open var appliesPreferredTrackTransform: Bool {
        get { options.withLock { $0.isUpright } }
        set { options.withLock { $0.isUpright = newValue } }
    }

    /// Box that pictures are scaled down to, keeping their shape; a side of 0 bounds nothing. Default zero: as stored.
    open var maximumSize: CGSize {
        get { options.withLock { $0.maximumSize } }
        set { options.withLock { $0.maximumSize = newValue } }
    }

    /// Part of the stored picture that is shown; kept: pixels are square, and all are shown. Default nil.
    open var apertureMode: ApertureMode? {
        get { options.withLock { $0.aperture } }
        set { options.withLock { $0.aperture = newValue } }
    }

    /// Brightness of pictures of a movie in HDR; kept: pictures are as they are stored.
    open var dynamicRangePolicy: DynamicRangePolicy {
        get { options.withLock { $0.range } }
        set { options.withLock { $0.range = newValue } }
    }

    /// Tolerance towards earlier pictures; kept, as each is that of its time.
    open var requestedTimeToleranceBefore: CMTime {
        get { options.withLock { $0.before } }
        set { options.withLock { $0.before = newValue } }
    }

    /// Tolerance towards later pictures: ahead of the first by at most that, a time has the first one. Else each picture is that of its time.
    open var requestedTimeToleranceAfter: CMTime {
        get { options.withLock { $0.after } }
        set { options.withLock { $0.after = newValue } }
    }

    /// Makes the picture that is shown at a time, beyond the last the last and ahead of the first the first; writes its own time to `actualTime`.
    ///
    /// Throws `AVError`: `noImageAtTime` without a picture there, or further ahead of the first than is tolerated; as a reader for a file that cannot be
    /// read.
    open func copyCGImage(at requestedTime: CMTime, actualTime: UnsafeMutablePointer<CMTime>?) throws -> CGImage {
        let (image, time) = try picture(at: requestedTime)
        actualTime?.pointee = time
        return image
    }

    /// Makes the picture that is shown at a time; as `copyCGImage(at:actualTime:)`.
    open func image(at time: CMTime) async throws -> (image: CGImage, actualTime: CMTime) { try picture(at: time) }

    /// Makes the picture that is shown at a time and hands it on, with its own time, or an error.
    @preconcurrency
    open func generateCGImageAsynchronously(
        for requestedTime: CMTime, completionHandler handler: @escaping @Sendable (CGImage?, CMTime, (any Error)?) -> Void
    ) {
        DispatchQueue.global().async { [self] in
            do {
                let (image, time) = try picture(at: requestedTime)
                handler(image, time, nil)
            } catch {
                handler(nil, .invalid, error)
            }
        }
    }

    /// Outcome of one picture of many.
    public enum Result: Int, Sendable {
        /// It is there.
        case succeeded = 0
        /// There is none.
        case failed = 1
        /// The app cancelled it.
        case cancelled = 2
    }

    /// Makes the pictures shown at these times, `NSValue(time:)`, in their order, and hands each on with the time asked for and its own, or an error.
    @preconcurrency
    open func generateCGImagesAsynchronously(
        forTimes requestedTimes: [NSValue], completionHandler handler: @escaping AVAssetImageGeneratorCompletionHandler
    ) {
        let times = requestedTimes.map(\.timeValue)
        let round = options.withLock { $0.round }
        DispatchQueue.global().async { [self] in
            for time in times {
                guard options.withLock({ $0.round }) == round else {
                    handler(time, nil, .invalid, .cancelled, nil)
                    continue
                }
                do {
                    let (image, actual) = try picture(at: time)
                    handler(time, image, actual, .succeeded, nil)
                } catch {
                    handler(time, nil, .invalid, .failed, error)
                }
            }
        }
    }

    /// Cancels the pictures that are waiting; each is told as `.cancelled`.
    open func cancelAllCGImageGeneration() { options.withLock { $0.round += 1 } }

    /// Returns the pictures shown at these times, each made when it is asked for.
    open func images(for times: [CMTime]) -> Images { Images(generator: self, times: times) }

    /// Pictures of a list of times, in its order.
    public struct Images: AsyncSequence, Sendable {
        let generator: AVAssetImageGenerator
        let times: [CMTime]

        /// Picture of a time, or why there is none.
        public enum Element: Sendable {
            /// The time asked for, the picture, and its own time.
            case success(requestedTime: CMTime, image: CGImage, actualTime: CMTime)
            /// The time asked for, and why there is no picture.
            case failure(requestedTime: CMTime, error: any Error)

            /// The picture; throws why there is none.
            public var image: CGImage { get throws { try got.image } }
            /// The picture's own time; throws why there is none.
            public var actualTime: CMTime { get throws { try got.time } }
            /// Time asked for.
            public var requestedTime: CMTime {
                switch self {
                case .success(let time, _, _), .failure(let time, _): time
                }
            }

            private var got: (image: CGImage, time: CMTime) {
                get throws {
                    switch self {
                    case .success(_, let image, let time): (image, time)
                    case .failure(_, let error): throw error
                    }
                }
            }
        }

        /// Makes the iterator.
        public func makeAsyncIterator() -> Iterator { Iterator(generator: generator, times: times[...]) }

        /// Iterator over the pictures.
        public struct Iterator: AsyncIteratorProtocol {
            let generator: AVAssetImageGenerator
            var times: ArraySlice<CMTime>

            /// Makes the next picture; nil after the last time.
            public mutating func next() async -> Element? {
                guard let time = times.popFirst() else { return nil }
                do {
                    let (image, actual) = try generator.picture(at: time)
                    return .success(requestedTime: time, image: image, actualTime: actual)
                } catch {
                    return .failure(requestedTime: time, error: error)
                }
            }
        }
    }

    private func picture(at requestedTime: CMTime) throws -> (image: CGImage, actualTime: CMTime) {
        guard let track = try asset.loadedTracks().first(where: { $0.track.kind == .picture }) else {
            throw AVError(.noImageAtTime, reason: "the asset has no pictures")
        }
        let range = track.timeRange
        let isTolerated = range.start - requestedTime <= requestedTimeToleranceAfter
        guard requestedTime.isNumeric, requestedTime >= .zero, isTolerated, range.duration > .zero else {
            throw AVError(.noImageAtTime, reason: "there is no picture at \(requestedTime.seconds) s: the track begins at \(range.start.seconds) s")
        }
        let time = max(requestedTime, range.start)
        let step = track.minFrameDuration.isNumeric ? track.minFrameDuration : CMTime(value: 1, timescale: 30)
        // Beyond the end, and where pictures come unevenly, the last one before it.
        var start = min(time, range.end - step)
        while true {
            let reach = CMTimeRange(start: max(start, range.start), end: min(max(start, range.start) + step, range.end))
            if let found = try last(of: track, in: reach, at: time) { return found }
            guard start > range.start else { throw AVError(.noImageAtTime, reason: "there is no picture at \(time.seconds) s") }
            start = start - step
        }
    }

    /// Last picture of a range that is not later than a time.
    private func last(of track: AVAssetTrack, in range: CMTimeRange, at time: CMTime) throws -> (image: CGImage, actualTime: CMTime)? {
        let format = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        let reader = try track.source.opened().reader(of: track.track.number, in: range, as: .pictures(format))
        var found: (CVPixelBuffer, CMTime)?
        do {
            while let sample = try reader.next() {
                guard sample.time <= time, case .picture(let picture) = sample.content else { break }
                found = (picture, sample.time)
            }
        } catch { throw track.source.told(error) }
        guard let (picture, actual) = found else { return nil }
        let options = options.withLock { $0 }
        let posture = options.isUpright ? track.preferredTransform.posture : nil
        let upright = converter.convert(picture, to: format, rotation: posture?.rotation ?? 0, isMirrored: posture?.isMirrored ?? false)
        let size = Self.size(PictureSize(of: upright), within: options.maximumSize)
        let scaled = converter.convert(upright, to: kCVPixelFormatType_32BGRA, rotation: 0, isMirrored: false, size: size)
        guard let image = CGImage.make(scaled) else { throw AVError(.decodeFailed) }
        return (image, actual)
    }

    /// Greatest even size of a picture's shape within a box; the picture's own where it is within.
    private static func size(_ picture: PictureSize, within box: CGSize) -> PictureSize {
        let (width, height) = (CGFloat(picture.width), CGFloat(picture.height))
        let scale = min(1, box.width > 0 ? box.width / width : 1, box.height > 0 ? box.height / height : 1)
        guard scale < 1 else { return picture }
        func even(_ side: CGFloat) -> Int { max(2, Int((side * scale / 2).rounded(.down)) * 2) }
        return PictureSize(width: even(width), height: even(height))
    }
}
