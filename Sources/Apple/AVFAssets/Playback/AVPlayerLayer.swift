import AVFCapture
import CoreMedia
import CoreVideo
import Foundation
import QuartzCore
import Synchronization

/// Layer of a player's pictures: its geometry, and the picture that a phone would show there. Nothing is drawn.
open class AVPlayerLayer: CALayer, @unchecked Sendable {
    private let state = Mutex(State())

    private struct State: Sendable {
        var player: AVPlayer?
        var gravity = AVLayerVideoGravity.resizeAspect
        var attributes: [String: any Sendable]?
        /// Output of the item that is shown.
        var shown: (item: AVPlayerItem, composition: AVVideoComposition?, output: AVPlayerItemVideoOutput)?
    }

    /// Makes a layer of a player.
    public convenience init(player: AVPlayer?) {
        self.init()
        self.player = player
    }

    /// Player whose pictures are shown.
    open var player: AVPlayer? {
        get { state.withLock { $0.player } }
        set { state.withLock { $0.player = newValue } }
    }

    /// Fit of the picture into the layer's bounds; default `.resizeAspect`.
    open var videoGravity: AVLayerVideoGravity {
        get { state.withLock { $0.gravity } }
        set { state.withLock { $0.gravity = newValue } }
    }

    /// Attributes of the pixel buffers that are shown; kept, as nothing is drawn.
    open var pixelBufferAttributes: [String: any Sendable]? {
        get { state.withLock { $0.attributes } }
        set { state.withLock { $0.attributes = newValue } }
    }

    /// Whether there is a picture to show.
    open var isReadyForDisplay: Bool { (player?.currentItem?.presentationSize ?? .zero) != .zero }

    /// Rectangle of the picture in the layer's bounds; zero without one.
    open var videoRect: CGRect {
        guard let size = player?.currentItem?.presentationSize, size != .zero else { return .zero }
        let within = AVMakeRect(aspectRatio: size, insideRect: bounds)
        switch videoGravity {
        case .resize: return bounds
        case .resizeAspectFill:
            let scale = max(bounds.width / within.width, bounds.height / within.height)
            let (width, height) = (within.width * scale, within.height * scale)
            return CGRect(x: bounds.midX - width / 2, y: bounds.midY - height / 2, width: width, height: height)
        default: return within
        }
    }

    /// Returns the picture of the player's time, as stored; nil without one.
    open func copyDisplayedPixelBuffer() -> CVPixelBuffer? {
        guard let item = player?.currentItem, item.status == .readyToPlay else { return nil }
        let composition = item.videoComposition
        let output = state.withLock { state in
            if let shown = state.shown, shown.item === item, shown.composition === composition { return shown.output }
            let output = AVPlayerItemVideoOutput()
            output.attach(item, composition)
            state.shown = (item, composition, output)
            return output
        }
        return output.copyPixelBuffer(forItemTime: item.currentTime(), itemTimeForDisplay: nil)
    }
}
