import AVFoundation
import CoreMedia
import CoreVideo
import Foundation
import Metal
import Optics
import Pipeline
import Synchronization

/// Purpose of a rendering, by which its care is chosen.
public enum CNRenderingQuality: Int, Sendable {
    /// For a small picture: as `preview`.
    case thumbnail = 0
    /// For a viewfinder: blur in layers of a quarter of the picture's size, where the environment has such a lens.
    case preview = 1
    /// For a movie.
    case export = 2
    /// For a movie: as `export`.
    case exportHigh = 3
}

/// Session that renders frames of a cinematic movie with a simulated aperture, by the lens of the asset's environment.
///
///     var frame = CNRenderingSession.FrameAttributes(timedMetadataGroup: group, sessionAttributes: session.sessionAttributes)!
///     frame.focusDisparity = script.frame(at: time, tolerance: tolerance)!.focusDisparity
///     session.encodeRender(to: buffer, frameAttributes: frame, sourceImage: image, sourceDisparity: disparity, destinationImage: output)
///     buffer.commit()
public final class CNRenderingSession: NSObject, @unchecked Sendable {
    /// Queue that the session was made with.
    public let commandQueue: any MTLCommandQueue
    /// Properties of the movie.
    public let sessionAttributes: Attributes
    /// Map of the stored picture to the rendered one: quarter turns and mirrors.
    public let preferredTransform: CGAffineTransform
    /// Care.
    public let quality: CNRenderingQuality
    private let renderer = Mutex<(any BokehRenderer)?>(nil)
    private let converter = PictureConverter()

    /// Properties of a cinematic movie that hold for all of its frames.
    public struct Attributes: Sendable {
        /// Version of the metadata by which it is rendered.
        public let renderingVersion: Int
        let environment: CaptureEnvironment?

        /// Reads the properties of an asset. Throws `CNCinematicError` for one that is no cinematic movie.
        public init(asset: AVAsset) async throws {
            self.init(try await CNAssetInfo(asset: asset))
        }

        /// Properties of a movie whose tracks were found; rendered by the lens of an environment, by default that of its asset.
        package init(_ info: CNAssetInfo, in environment: CaptureEnvironment? = nil) {
            (renderingVersion, self.environment) = (1, environment ?? info.asset.environment)
        }
    }

    /// Focus and aperture of one frame.
    public struct FrameAttributes: Sendable {
        /// Disparity in focus, larger is nearer.
        public var focusDisparity: Float
        /// Simulated f-number.
        public var fNumber: Float
        let sample: CinematicSample

        /// Reads the attributes of a sample of the metadata track; nil for any other buffer.
        public init?(sampleBuffer: CMSampleBuffer, sessionAttributes: Attributes) {
            guard let data = try? sampleBuffer.dataBuffer?.dataBytes() else { return nil }
            self.init(data)
        }

        /// Reads the attributes of a group of the metadata track; nil for any other group.
        public init?(timedMetadataGroup metadataGroup: AVTimedMetadataGroup, sessionAttributes: Attributes) {
            guard let data = metadataGroup.items.lazy.filter({ $0.identifier == .cinematicSample }).compactMap(\.dataValue).first else { return nil }
            self.init(data)
        }

        private init?(_ data: Data) {
            guard let sample = try? CinematicSample(data) else { return nil }
            self.init(sample)
        }

        /// Attributes of a frame of a script.
        package init(_ sample: CinematicSample) {
            self.sample = sample
            (focusDisparity, fNumber) = (Float(sample.focus.focusDisparity), Float(sample.lens.fNumber))
        }

        /// Circle of confusion of the frame. What was not changed is as exact as it was recorded.
        var circle: CircleOfConfusion {
            var sample = sample
            if fNumber != Float(sample.lens.fNumber) { sample.lens.fNumber = Double(fNumber) }
            if focusDisparity != Float(sample.focus.focusDisparity) { sample.focus.focusDisparity = Double(focusDisparity) }
            return sample.circle
        }
    }

    /// Makes a session; the lens is opened with the first frame.
    public init(
        commandQueue: any MTLCommandQueue, sessionAttributes: Attributes, preferredTransform: CGAffineTransform, quality: CNRenderingQuality
    ) {
        (self.commandQueue, self.sessionAttributes) = (commandQueue, sessionAttributes)
        (self.preferredTransform, self.quality) = (preferredTransform, quality)
    }

    /// Pixel formats that source pictures may have.
    public static var sourcePixelFormatTypes: [OSType] {
        [
            kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
            kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange,
        ]
    }

    /// Pixel formats that rendered pictures may have: that of the source, or, of `420v`, `BGRA` and `RGhA` (coded values, 0…1).
    public static var destinationPixelFormatTypes: [OSType] {
        sourcePixelFormatTypes + [kCVPixelFormatType_32BGRA, kCVPixelFormatType_64RGBAHalf]
    }

    /// Encodes the rendering of a frame, which runs when the buffer is committed; then the error is in `commandBuffer.error`.
    ///
    /// False where it cannot be rendered: without a lens, for pictures of another format or size, disparity of another format, an f-number that is not above 0,
    /// and a buffer that was committed.
    ///
    /// - Parameters:
    ///   - sourceImage: picture as stored.
    ///   - sourceDisparity: its disparity as stored, `hdis` or `fdis`.
    ///   - destinationImage: buffer for the rendered picture, with the sides exchanged where the session turns it.
    @discardableResult
    public func encodeRender(
        to commandBuffer: any MTLCommandBuffer, frameAttributes: FrameAttributes, sourceImage: CVPixelBuffer, sourceDisparity: CVPixelBuffer,
        destinationImage: CVPixelBuffer
    ) -> Bool {
        encode(to: commandBuffer, frameAttributes, sourceImage, sourceDisparity, destinationImage) { _ in }
    }

    /// Encodes the rendering of a frame into a picture that `finish` then gets.
    func encode(
        to commandBuffer: any MTLCommandBuffer, _ frameAttributes: FrameAttributes, _ sourceImage: CVPixelBuffer, _ sourceDisparity: CVPixelBuffer,
        _ destinationImage: CVPixelBuffer, finish: @escaping @Sendable (CVPixelBuffer) -> Void
    ) -> Bool {
        guard let buffer = commandBuffer as? HostCommandBuffer, frameAttributes.fNumber > 0, frameAttributes.focusDisparity.isFinite,
            let posture = preferredTransform.posture, let disparity = DisparityMap(buffer: sourceDisparity),
            fits(sourceImage, destinationImage, posture),
            let renderer = try? lens()
        else { return false }
        let circle = frameAttributes.circle
        return buffer.encode { [converter] in
            let rendered = try renderer.render(sourceImage, disparity: disparity, circle: circle)
            let isHalf = destinationImage.format == kCVPixelFormatType_64RGBAHalf
            let format = isHalf ? kCVPixelFormatType_32BGRA : destinationImage.format
            let isAsRendered = format == rendered.format && posture.rotation == 0 && !posture.isMirrored
            let result =
                isAsRendered
                ? rendered : converter.convert(rendered, to: format, rotation: posture.rotation, isMirrored: posture.isMirrored)
            if isHalf { result.copyHalves(to: destinationImage) } else { result.copyPixels(to: destinationImage) }
            CVBufferPropagateAttachments(result, destinationImage)
            finish(destinationImage)
        }
    }

    /// Prepares the lens for pictures and maps like these, so that the first one is not delayed.
    package func prepare(for picture: CVPixelBuffer, disparity: DisparityMap) throws { try lens().prepare(for: picture, disparity: disparity) }

    /// Starts rendering an upright frame into a picture of its own, so that the one before may be encoded meanwhile.
    package func begin(_ picture: CVPixelBuffer, disparity: DisparityMap, _ attributes: FrameAttributes) throws -> PendingPicture {
        try lens().begin(picture, disparity: disparity, circle: attributes.circle)
    }

    private func fits(_ source: CVPixelBuffer, _ destination: CVPixelBuffer, _ posture: (rotation: Int, isMirrored: Bool)) -> Bool {
        let plain = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        let isTurned = posture.rotation != 0 || posture.isMirrored
        let isKnown = Self.sourcePixelFormatTypes.contains(source.format)
        // Pictures are turned and converted in the pipeline's own format alone.
        let isSame = destination.format == source.format && (!isTurned || source.format == plain)
        let isConverted = source.format == plain && [kCVPixelFormatType_32BGRA, kCVPixelFormatType_64RGBAHalf].contains(destination.format)
        let size = posture.rotation % 180 == 0 ? source.size : (source.size.height, source.size.width)
        return isKnown && (isSame || isConverted) && destination.size == size
    }

    /// The lens for the session's quality.
    private func lens() throws -> any BokehRenderer {
        try renderer.withLock { renderer in
            if let renderer { return renderer }
            let environment = sessionAttributes.environment
            let isPreview = quality == .thumbnail || quality == .preview
            guard let lens = try isPreview ? environment?.openPreviewLens?() ?? environment?.renderer : environment?.renderer else {
                throw CNCinematicError(.unknown, reason: "no lens: give CaptureEnvironment a renderer, as RackfocusKit does")
            }
            renderer = lens
            return lens
        }
    }
}

extension CVBuffer {
    /// Copies the pixels of a `BGRA` picture into one of 16-bit floats, red first, as coded values from 0 to 1.
    fileprivate func copyHalves(to other: CVPixelBuffer) {
        for y in 0..<size.height {
            let (from, to) = (plane(0).row(y, as: UInt8.self), other.plane(0).row(y, as: Float16.self))
            for x in 0..<size.width {
                for (channel, place) in [2, 1, 0, 3].enumerated() { to[4 * x + channel] = Float16(Float(from[4 * x + place]) / 255) }
            }
        }
    }
}
