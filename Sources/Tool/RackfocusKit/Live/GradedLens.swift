import Bokeh
import CoreVideo
import Foundation
import Optics
import Pipeline
import Support
import Synchronization

/// Lens of a live camera: draws at full quality, and at `BokehOptions.Quality.preview` while the machine is too slow for it.
///
/// The coarser lens is made beside the frames once frames begin to be late, so that turning to it delays none. Its thread does not give way: those that
/// the driver starts inherit that.
final class GradedLens: BokehRenderer, Degradable {
    private struct State: Sendable {
        var preview: VulkanBokehRenderer?
        var isMaking = false
        /// Whether it was tried: one that cannot be made leaves the work to the full lens.
        var isMade = false
        var step = Degradation.none
    }

    private let full: VulkanBokehRenderer
    private let makePreview: @Sendable () throws -> VulkanBokehRenderer
    private let state = Mutex(State())

    /// - Parameter preview: makes the coarser lens, warmed up; called on another thread.
    init(full: VulkanBokehRenderer, preview: @escaping @Sendable () throws -> VulkanBokehRenderer) { (self.full, makePreview) = (full, preview) }

    private var current: VulkanBokehRenderer {
        state.withLock { $0.step >= .lensResolution ? $0.preview ?? full : full }
    }

    func render(_ image: CVPixelBuffer, disparity: DisparityMap, circle: CircleOfConfusion) throws -> CVPixelBuffer {
        try current.render(image, disparity: disparity, circle: circle)
    }

    func begin(_ image: CVPixelBuffer, disparity: DisparityMap, circle: CircleOfConfusion) throws -> PendingPicture {
        try current.begin(image, disparity: disparity, circle: circle)
    }

    var isPreparing: Bool { state.withLock { $0.isMaking && $0.step >= .lensResolution && !$0.isMade } }

    func prepare(for image: CVPixelBuffer, disparity: DisparityMap) throws { try full.prepare(for: image, disparity: disparity) }

    func degrade(to step: Degradation) {
        let makes = state.withLock { state in
            state.step = step
            guard step != .none, !state.isMaking else { return false }
            state.isMaking = true
            return true
        }
        guard makes else { return }
        Thread.detach(named: "lens") { [self] in
            let preview = try? makePreview()
            state.withLock { ($0.preview, $0.isMade) = (preview, true) }
        }
    }
}
