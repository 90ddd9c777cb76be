import AVFCapture
import CoreMedia
import Foundation
import Pipeline
import Synchronization

/// Description of how pictures of an asset's tracks become one: by whom, when, and of what size.
///
///     let composition = AVMutableVideoComposition()
///     composition.customVideoCompositorClass = Compositor.self
///     composition.instructions = [instruction]
///     composition.renderSize = info.preferredSize
///     composition.frameDuration = CMTime(value: 1, timescale: 30)
///     output.videoComposition = composition            // an AVAssetReaderVideoCompositionOutput
open class AVVideoComposition: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    /// Values of a composition.
    public struct Configuration: Sendable {
        /// Class that makes the pictures; an object of it is made by `init()`. Nil draws the layers of the instructions.
        public var customVideoCompositorClass: (any AVVideoCompositing.Type)?
        /// Time from one picture to the next.
        public var frameDuration: CMTime
        /// Instructions in order of time, without overlap.
        public var instructions: [any AVVideoCompositionInstructionProtocol]
        /// Size of the pictures, pixels.
        public var renderSize: CGSize
        /// Factor on the size; 1 is full.
        public var renderScale: Float
        /// Track whose pictures give the times; `kCMPersistentTrackID_Invalid` leaves them to `frameDuration`.
        public var sourceTrackIDForFrameTiming: CMPersistentTrackID
        /// Tracks of timed metadata for the compositor.
        public var sourceSampleDataTrackIDs: [CMPersistentTrackID]
        /// Primaries of the pictures, one of `AVVideoColorPrimaries_…`; kept: pictures are BT.709.
        public var colorPrimaries: String?
        /// Transfer function of the pictures, one of `AVVideoTransferFunction_…`; kept.
        public var colorTransferFunction: String?
        /// Matrix of the pictures, one of `AVVideoYCbCrMatrix_…`; kept.
        public var colorYCbCrMatrix: String?

        /// Makes values, by default of 30 pictures a second and without a size.
        public init(
            colorPrimaries: String? = nil, colorTransferFunction: String? = nil, colorYCbCrMatrix: String? = nil,
            customVideoCompositorClass: (any AVVideoCompositing.Type)? = nil, frameDuration: CMTime = CMTime(value: 1, timescale: 30),
            instructions: [any AVVideoCompositionInstructionProtocol] = [], renderScale: Float = 1, renderSize: CGSize = .zero,
            sourceSampleDataTrackIDs: [CMPersistentTrackID] = [], sourceTrackIDForFrameTiming: CMPersistentTrackID = kCMPersistentTrackID_Invalid
        ) {
            (self.colorPrimaries, self.colorTransferFunction, self.colorYCbCrMatrix) = (colorPrimaries, colorTransferFunction, colorYCbCrMatrix)
            (self.customVideoCompositorClass, self.frameDuration, self.instructions) = (customVideoCompositorClass, frameDuration, instructions)
            (self.renderScale, self.renderSize) = (renderScale, renderSize)
            (self.sourceSampleDataTrackIDs, self.sourceTrackIDForFrameTiming) = (sourceSampleDataTrackIDs, sourceTrackIDForFrameTiming)
        }
    }

    fileprivate let values: Mutex<Configuration>

    /// Makes a composition of its values.
    public required init(configuration: Configuration) {
        values = Mutex(configuration)
        super.init()
    }

    /// Size of the pictures as they are drawn, pixels.
    var renderedSize: CGSize {
        let (size, scale) = (renderSize, CGFloat(renderScale))
        return CGSize(width: (size.width * scale).rounded(), height: (size.height * scale).rounded())
    }

    var configuration: Configuration { values.withLock { $0 } }

    /// Class that makes the pictures; an object of it is made by `init()`.
    open var customVideoCompositorClass: (any AVVideoCompositing.Type)? { configuration.customVideoCompositorClass }
    /// Time from one picture to the next.
    open var frameDuration: CMTime { configuration.frameDuration }
    /// Instructions in order of time, without overlap.
    open var instructions: [any AVVideoCompositionInstructionProtocol] { configuration.instructions }
    /// Size of the pictures, pixels.
    open var renderSize: CGSize { configuration.renderSize }
    /// Factor on the size; 1 is full.
    open var renderScale: Float { configuration.renderScale }
    /// Track whose pictures give the times; `kCMPersistentTrackID_Invalid` leaves them to `frameDuration`.
    open var sourceTrackIDForFrameTiming: CMPersistentTrackID { configuration.sourceTrackIDForFrameTiming }
    /// Tracks of timed metadata for the compositor.
    open var sourceSampleDataTrackIDs: [CMPersistentTrackID] { configuration.sourceSampleDataTrackIDs }
    /// Primaries of the pictures; kept: they are BT.709.
    open var colorPrimaries: String? { configuration.colorPrimaries }
    /// Transfer function of the pictures; kept.
    open var colorTransferFunction: String? { configuration.colorTransferFunction }
    /// Matrix of the pictures; kept.
    open var colorYCbCrMatrix: String? { configuration.colorYCbCrMatrix }

    /// Makes a composition of the first track of pictures of an asset, upright, at its size and rate.
    public class func videoComposition(withPropertiesOf asset: AVAsset) async throws -> Self {
        Self(configuration: try Configuration(propertiesOf: asset))
    }

    /// Returns a composition of the same values.
    open func copy(with zone: NSZone? = nil) -> Any { AVVideoComposition(configuration: configuration) }
    /// Returns an `AVMutableVideoComposition` of the same values.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { AVMutableVideoComposition(configuration: configuration) }
}

/// Description of how pictures become one, whose values can be set.
open class AVMutableVideoComposition: AVVideoComposition, @unchecked Sendable {
    /// Makes a composition of 30 pictures a second, without instructions and without a size.
    public convenience init() { self.init(configuration: Configuration()) }

    /// Makes a composition of the first track of pictures of an asset, upright, at its size and rate; empty where it has none or cannot be read.
    public convenience init(propertiesOf asset: AVAsset) {
        self.init(configuration: (try? Configuration(propertiesOf: asset)) ?? Configuration())
    }

    /// Class that makes the pictures; an object of it is made by `init()`.
    open override var customVideoCompositorClass: (any AVVideoCompositing.Type)? {
        get { super.customVideoCompositorClass }
        set { values.withLock { $0.customVideoCompositorClass = newValue } }
    }
    /// Time from one picture to the next.
    open override var frameDuration: CMTime {
        get { super.frameDuration }
        set { values.withLock { $0.frameDuration = newValue } }
    }
    /// Instructions in order of time, without overlap.
    open override var instructions: [any AVVideoCompositionInstructionProtocol] {
        get { super.instructions }
        set { values.withLock { $0.instructions = newValue } }
    }
    /// Size of the pictures, pixels.
    open override var renderSize: CGSize {
        get { super.renderSize }
        set { values.withLock { $0.renderSize = newValue } }
    }
    /// Factor on the size; 1 is full.
    open override var renderScale: Float {
        get { super.renderScale }
        set { values.withLock { $0.renderScale = newValue } }
    }
    /// Track whose pictures give the times; `kCMPersistentTrackID_Invalid` leaves them to `frameDuration`.
    open override var sourceTrackIDForFrameTiming: CMPersistentTrackID {
        get { super.sourceTrackIDForFrameTiming }
        set { values.withLock { $0.sourceTrackIDForFrameTiming = newValue } }
    }
    /// Tracks of timed metadata for the compositor.
    open override var sourceSampleDataTrackIDs: [CMPersistentTrackID] {
        get { super.sourceSampleDataTrackIDs }
        set { values.withLock { $0.sourceSampleDataTrackIDs = newValue } }
    }
    /// Primaries of the pictures; kept: they are BT.709.
    open override var colorPrimaries: String? {
        get { super.colorPrimaries }
        set { values.withLock { $0.colorPrimaries = newValue } }
    }
    /// Transfer function of the pictures; kept.
    open override var colorTransferFunction: String? {
        get { super.colorTransferFunction }
        set { values.withLock { $0.colorTransferFunction = newValue } }
    }
    /// Matrix of the pictures; kept.
    open override var colorYCbCrMatrix: String? {
        get { super.colorYCbCrMatrix }
        set { values.withLock { $0.colorYCbCrMatrix = newValue } }
    }
}

extension AVVideoComposition.Configuration {
    /// Loads the values of the first track of pictures of an asset, upright, at its size and rate.
    public init(for asset: AVAsset) async throws { try self.init(propertiesOf: asset) }

    /// Values of the first track of pictures of an asset, upright, at its size and rate. Throws for an asset that cannot be read.
    package init(propertiesOf asset: AVAsset) throws {
        self.init()
        guard let track = try asset.loadedTracks().first(where: { $0.mediaType == .video }) else { return }
        let box = CGRect(origin: .zero, size: track.naturalSize).applying(track.preferredTransform)
        renderSize = box.size
        frameDuration = track.minFrameDuration.isNumeric ? track.minFrameDuration : frameDuration
        sourceTrackIDForFrameTiming = track.trackID
        let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: track)
        layer.setTransform(track.preferredTransform, at: .zero)
        let instruction = AVMutableVideoCompositionInstruction()
        instruction.timeRange = CMTimeRange(start: .zero, duration: try asset.contents().duration)
        instruction.layerInstructions = [layer]
        instructions = [instruction]
    }
}

/// Instruction of a video composition: what a compositor is to do in a range of time. Apps give their own.
public protocol AVVideoCompositionInstructionProtocol: NSObjectProtocol, Sendable {
    /// Time in which it holds.
    var timeRange: CMTimeRange { get }
    /// Whether layers are drawn over the picture; there are none.
    var enablePostProcessing: Bool { get }
    /// Whether pictures change though their sources do not.
    var containsTweening: Bool { get }
    /// Numbers of the tracks of pictures that are needed; nil for all.
    var requiredSourceTrackIDs: [NSValue]? { get }
    /// Track whose pictures are handed on without the compositor; `kCMPersistentTrackID_Invalid` for none.
    var passthroughTrackID: CMPersistentTrackID { get }
    /// Numbers of the tracks of timed metadata that are needed.
    var requiredSourceSampleDataTrackIDs: [NSNumber] { get }
}

extension AVVideoCompositionInstructionProtocol {
    /// Numbers of the tracks of timed metadata that are needed; none.
    public var requiredSourceSampleDataTrackIDs: [NSNumber] { [] }
}
