import AVFAssets
import AVFCapture
import CoreMedia
import CoreVideo
import Foundation

// In this module and not in AVFoundation, so that apps without Core Image need not build it.

extension AVVideoComposition {
    /// Makes a composition whose pictures `applier` makes of those of an asset's first track, upright; empty where it has none or cannot be read.
    ///
    ///     item.videoComposition = AVVideoComposition(asset: asset) { request in
    ///         request.finish(with: request.sourceImage.applyingGaussianBlur(sigma: 8).cropped(to: request.sourceImage.extent), context: nil)
    ///     }
    @preconcurrency
    public convenience init(
        asset: AVAsset, applyingCIFiltersWithHandler applier: @escaping @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void
    ) {
        self.init(configuration: (try? Configuration(filtering: asset, applier)) ?? Configuration())
    }

    /// Loads an asset and makes a composition whose pictures `applier` makes of those of its first track, upright.
    @preconcurrency
    public class func videoComposition(
        with asset: AVAsset, applyingCIFiltersWithHandler applier: @escaping @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void
    ) async throws -> Self {
        Self(configuration: try Configuration(filtering: asset, applier))
    }

    /// Loads an asset and hands on a composition whose pictures `applier` makes of those of its first track, upright, or an error.
    @preconcurrency
    public class func videoComposition(
        with asset: AVAsset, applyingCIFiltersWithHandler applier: @escaping @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void,
        completionHandler: @escaping @Sendable (AVVideoComposition?, (any Error)?) -> Void
    ) {
        DispatchQueue.global().async {
            do { completionHandler(Self(configuration: try Configuration(filtering: asset, applier)), nil) } catch { completionHandler(nil, error) }
        }
    }

    /// Loads an asset and makes a composition whose pictures `applier` makes of those of its first track, upright; its error ends the reading.
    public convenience init(
        applyingFiltersTo asset: AVAsset, applier: @escaping @Sendable (AVCIImageFilteringParameters) async throws -> AVCIImageFilteringResult
    ) async throws {
        let configuration = try Configuration(filtering: asset) { request in
            Task {
                do {
                    let result = try await applier(AVCIImageFilteringParameters(of: request))
                    request.finish(with: result.resultImage, context: result.ciContext)
                } catch {
                    request.finish(with: error)
                }
            }
        }
        self.init(configuration: configuration)
    }
}

/// Picture to be filtered, and its time and place.
public struct AVCIImageFilteringParameters: Sendable {
    /// Time of the picture.
    public let compositionTime: CMTime
    /// Size of the picture to be made, pixels.
    public let renderSize: CGSize
    /// Picture of the track, upright, its lower left corner at the origin.
    public let sourceImage: CIImage

    fileprivate init(of request: AVAsynchronousCIImageFilteringRequest) {
        (compositionTime, renderSize, sourceImage) = (request.compositionTime, request.renderSize, request.sourceImage)
    }
}

/// Filtered picture.
public struct AVCIImageFilteringResult: Sendable {
    /// Picture, of which what lies over the composition's size is rendered.
    public let resultImage: CIImage
    /// Context that renders it; nil for one of the reading's.
    public let ciContext: CIContext?

    /// Makes a result.
    public init(resultImage: CIImage, ciContext: CIContext? = nil) { (self.resultImage, self.ciContext) = (resultImage, ciContext) }
}

/// Order of one filtered picture. It is ended once.
open class AVAsynchronousCIImageFilteringRequest: NSObject, @unchecked Sendable {
    /// Size of the picture to be made, pixels.
    public let renderSize: CGSize
    /// Time of the picture.
    public let compositionTime: CMTime
    /// Picture of the track, upright, its lower left corner at the origin.
    public let sourceImage: CIImage
    private let request: AVAsynchronousVideoCompositionRequest
    private let usual: CIContext

    fileprivate init(_ request: AVAsynchronousVideoCompositionRequest, of image: CIImage, rendering usual: CIContext) {
        (self.request, sourceImage, self.usual) = (request, image, usual)
        (renderSize, compositionTime) = (request.renderContext.size, request.compositionTime)
    }

    /// Ends the request with a picture, of which what lies over the composition's size is rendered: by the context, or by the reading's own for nil.
    open func finish(with filteredImage: CIImage, context: CIContext?) {
        guard let buffer = request.renderContext.newPixelBuffer() else { return request.finish(with: AVError(.outOfMemory)) }
        (context ?? usual).render(filteredImage, to: buffer)
        request.finish(withComposedVideoFrame: buffer)
    }

    /// Ends the request with an error, and the reading with it.
    open func finish(with error: any Error) { request.finish(with: error) }
}

extension AVVideoComposition.Configuration {
    /// Values for filtering the first track of pictures of an asset. Throws for an asset that cannot be read.
    fileprivate init(filtering asset: AVAsset, _ applier: @escaping @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void) throws {
        try self.init(propertiesOf: asset)
        guard let track = asset.tracks(withMediaType: .video).first else { return }
        customVideoCompositorClass = FilteringCompositor.self
        instructions = instructions.map { FilteringInstruction($0.timeRange, track, applier) }
    }
}

/// Instruction to filter the pictures of a track.
private final class FilteringInstruction: NSObject, AVVideoCompositionInstructionProtocol {
    let timeRange: CMTimeRange
    let enablePostProcessing = false
    let containsTweening = true
    let requiredSourceTrackIDs: [NSValue]?
    let passthroughTrackID = kCMPersistentTrackID_Invalid
    let trackID: CMPersistentTrackID
    /// Map from the stored picture to the upright one, both from the top left.
    let transform: CGAffineTransform
    let applier: @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void

    init(_ timeRange: CMTimeRange, _ track: AVAssetTrack, _ applier: @escaping @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void) {
        (self.timeRange, self.applier, trackID, transform) = (timeRange, applier, track.trackID, track.preferredTransform)
        requiredSourceTrackIDs = [NSNumber(value: track.trackID)]
    }

    /// The stored picture, upright, its lower left corner at the origin.
    func upright(_ buffer: CVPixelBuffer) -> CIImage {
        let stored = CIImage(cvPixelBuffer: buffer)
        guard !transform.isIdentity else { return stored }
        let turned = CGAffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: stored.extent.height).concatenating(transform)
            .concatenating(CGAffineTransform(scaleX: 1, y: -1))
        let box = stored.extent.applying(turned)
        return stored.transformed(by: turned.concatenating(CGAffineTransform(translationX: -box.minX, y: -box.minY)))
    }
}

/// Compositor that lets the app filter the pictures of a track.
private final class FilteringCompositor: NSObject, AVVideoCompositing {
    let sourcePixelBufferAttributes: [String: any Sendable]? = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
    let requiredPixelBufferAttributesForRenderContext: [String: any Sendable] = [
        kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA
    ]
    private let context = CIContext()

    func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext) {}

    func startRequest(_ request: AVAsynchronousVideoCompositionRequest) {
        guard let instruction = request.videoCompositionInstruction as? FilteringInstruction else {
            return request.finish(with: AVError(.invalidVideoComposition))
        }
        let picture = request.sourceFrame(byTrackID: instruction.trackID).map(instruction.upright)
        instruction.applier(AVAsynchronousCIImageFilteringRequest(request, of: picture ?? .black, rendering: context))
    }
}
