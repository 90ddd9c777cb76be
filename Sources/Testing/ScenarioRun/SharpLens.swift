import CoreVideo
import Foundation
import Optics
import Pipeline

/// Lens that blurs nothing: every picture passes as it is.
package final class SharpLens: BokehRenderer {
    private let onRender: (@Sendable (CircleOfConfusion) -> Void)?

    /// Creates the lens; `onRender` receives the circle of confusion that another lens would draw.
    package init(onRender: (@Sendable (CircleOfConfusion) -> Void)? = nil) { self.onRender = onRender }

    package func render(_ image: CVPixelBuffer, disparity: DisparityMap, circle: CircleOfConfusion) throws -> CVPixelBuffer {
        onRender?(circle)
        return image
    }
}
