import AVFCapture
import CoreMedia
import CoreVideo
import Foundation
import Synchronization

/// Instruction for the compositor that is there already: layers of tracks, the first on top, over a background.
///
///     let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: track)
///     layer.setTransform(track.preferredTransform, at: .zero)
///     let instruction = AVMutableVideoCompositionInstruction()
///     instruction.timeRange = CMTimeRange(start: .zero, duration: asset.duration)
///     instruction.layerInstructions = [layer]
open class AVVideoCompositionInstruction: NSObject, AVVideoCompositionInstructionProtocol, @unchecked Sendable {
    struct Values {
        var timeRange = CMTimeRange.invalid
        var backgroundColor: CGColor?
        var layers: [AVVideoCompositionLayerInstruction] = []
        var enablesPostProcessing = true
        var sampleDataTracks: [NSNumber] = []
    }

    let values = Mutex(Values())

    /// Time in which it holds.
    open var timeRange: CMTimeRange { values.withLock { $0.timeRange } }
    /// Colour behind the layers; nil is black.
    open var backgroundColor: CGColor? { values.withLock { $0.backgroundColor } }
    /// Layers, the first on top.
    open var layerInstructions: [AVVideoCompositionLayerInstruction] { values.withLock { $0.layers } }
    /// Whether layers may be drawn over the picture; kept, as nobody draws any.
    open var enablePostProcessing: Bool { values.withLock { $0.enablesPostProcessing } }
    /// Whether pictures change though their sources do not, as by a ramp.
    open var containsTweening: Bool { layerInstructions.contains { $0.isChanging } }
    /// Numbers of the tracks of the layers.
    open var requiredSourceTrackIDs: [NSValue]? { layerInstructions.map { NSNumber(value: $0.trackID) } }
    /// `kCMPersistentTrackID_Invalid`: every picture is drawn.
    open var passthroughTrackID: CMPersistentTrackID { kCMPersistentTrackID_Invalid }
    /// Numbers of the tracks of timed metadata that are needed; none.
    open var requiredSourceSampleDataTrackIDs: [NSNumber] { values.withLock { $0.sampleDataTracks } }
}

/// Instruction whose values can be set.
open class AVMutableVideoCompositionInstruction: AVVideoCompositionInstruction, @unchecked Sendable {
    /// Time in which it holds.
    open override var timeRange: CMTimeRange {
        get { super.timeRange }
        set { values.withLock { $0.timeRange = newValue } }
    }
    /// Colour behind the layers; nil is black.
    open override var backgroundColor: CGColor? {
        get { super.backgroundColor }
        set { values.withLock { $0.backgroundColor = newValue } }
    }
    /// Layers, the first on top.
    open override var layerInstructions: [AVVideoCompositionLayerInstruction] {
        get { super.layerInstructions }
        set { values.withLock { $0.layers = newValue } }
    }
    /// Whether layers may be drawn over the picture; kept, as nobody draws any.
    open override var enablePostProcessing: Bool {
        get { super.enablePostProcessing }
        set { values.withLock { $0.enablesPostProcessing = newValue } }
    }
    /// Numbers of the tracks of timed metadata that are needed.
    open override var requiredSourceSampleDataTrackIDs: [NSNumber] {
        get { super.requiredSourceSampleDataTrackIDs }
        set { values.withLock { $0.sampleDataTracks = newValue } }
    }
}

/// Layer of an instruction: where and how densely a track's pictures are drawn, also changing over time.
open class AVVideoCompositionLayerInstruction: NSObject, @unchecked Sendable {
    struct Values {
        var trackID = kCMPersistentTrackID_Invalid
        var transforms: [Ramp<CGAffineTransform>] = []
        var opacities: [Ramp<Float>] = []
        var crops: [Ramp<CGRect>] = []
    }

    let values = Mutex(Values())

    /// Number of the track.
    open var trackID: CMPersistentTrackID { values.withLock { $0.trackID } }

    fileprivate var isChanging: Bool {
        values.withLock { values in
            values.transforms.contains { $0.range.duration > .zero } || values.opacities.contains { $0.range.duration > .zero }
                || values.crops.contains { $0.range.duration > .zero }
        }
    }

    /// Map of the stored picture to the composition's, at a time.
    func transform(at time: CMTime) -> CGAffineTransform {
        values.withLock { $0.transforms }.value(at: time, or: .identity) { one, other, share in
            func mix(_ part: (CGAffineTransform) -> CGFloat) -> CGFloat { part(one) + (part(other) - part(one)) * share }
            return CGAffineTransform(a: mix(\.a), b: mix(\.b), c: mix(\.c), d: mix(\.d), tx: mix(\.tx), ty: mix(\.ty))
        }
    }

    /// Opacity at a time, 0 to 1.
    func opacity(at time: CMTime) -> Float {
        values.withLock { $0.opacities }.value(at: time, or: 1) { one, other, share in one + (other - one) * Float(share) }
    }

    /// Part of the stored picture that is drawn at a time, pixels; infinite for all of it.
    func crop(at time: CMTime) -> CGRect {
        let all = CGRect(x: -1e6, y: -1e6, width: 2e6, height: 2e6)
        return values.withLock { $0.crops }.value(at: time, or: all) { one, other, share in
            func mix(_ part: (CGRect) -> CGFloat) -> CGFloat { part(one) + (part(other) - part(one)) * share }
            return CGRect(x: mix(\.minX), y: mix(\.minY), width: mix(\.width), height: mix(\.height))
        }
    }
}

/// Layer whose values can be set.
open class AVMutableVideoCompositionLayerInstruction: AVVideoCompositionLayerInstruction, @unchecked Sendable {
    /// Makes a layer without a track.
    public override init() { super.init() }

    /// Makes a layer of a track's pictures as they are stored.
    public convenience init(assetTrack track: AVAssetTrack) {
        self.init()
        trackID = track.trackID
    }

    /// Number of the track.
    open override var trackID: CMPersistentTrackID {
        get { super.trackID }
        set { values.withLock { $0.trackID = newValue } }
    }

    /// Sets the map of the stored picture to the composition's from a time on.
    open func setTransform(_ transform: CGAffineTransform, at time: CMTime) {
        setTransformRamp(fromStart: transform, toEnd: transform, timeRange: CMTimeRange(start: time, duration: .zero))
    }
    /// Moves from one map to another, each of the six numbers evenly; the last one stays.
    open func setTransformRamp(fromStart startTransform: CGAffineTransform, toEnd endTransform: CGAffineTransform, timeRange: CMTimeRange) {
        values.withLock { $0.transforms.set(Ramp(from: startTransform, to: endTransform, range: timeRange)) }
    }
    /// Sets the opacity from a time on, 0 to 1.
    open func setOpacity(_ opacity: Float, at time: CMTime) {
        setOpacityRamp(fromStartOpacity: opacity, toEndOpacity: opacity, timeRange: CMTimeRange(start: time, duration: .zero))
    }
    /// Fades evenly from one opacity to another; the last one stays.
    open func setOpacityRamp(fromStartOpacity startOpacity: Float, toEndOpacity endOpacity: Float, timeRange: CMTimeRange) {
        values.withLock { $0.opacities.set(Ramp(from: startOpacity, to: endOpacity, range: timeRange)) }
    }
    /// Sets the part of the stored picture that is drawn from a time on, pixels.
    open func setCropRectangle(_ cropRectangle: CGRect, at time: CMTime) {
        setCropRectangleRamp(
            fromStartCropRectangle: cropRectangle, toEndCropRectangle: cropRectangle, timeRange: CMTimeRange(start: time, duration: .zero))
    }
    /// Moves evenly from one part to another; the last one stays.
    open func setCropRectangleRamp(fromStartCropRectangle start: CGRect, toEndCropRectangle end: CGRect, timeRange: CMTimeRange) {
        values.withLock { $0.crops.set(Ramp(from: start, to: end, range: timeRange)) }
    }
}
