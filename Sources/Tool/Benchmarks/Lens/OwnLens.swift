import Bokeh
import CoreVideo
import LensTruth
import Pipeline
import Support

/// Our lens before one scene, to be timed as often as others are.
final class OwnLens {
    /// Nil unless the bench is timed.
    let timings: Timings?
    private let scene: LensScene
    private let lens: VulkanBokehRenderer
    private let map: DisparityMap
    private let frame: CVPixelBuffer
    private let frames: Int

    /// Warmed up. `frame`: the sharp picture; `highlights`: how much brighter than white lights are that it cannot record.
    init(_ scene: LensScene, _ frame: CVPixelBuffer, highlights: Double, _ options: LensBench.Options) throws {
        (self.scene, self.frame, frames) = (scene, frame, options.frames)
        map = scene.disparity(dividedBy: options.mapDivisor)
        timings = options.isTimed ? Timings() : nil
        var shape = BokehOptions(highlights: highlights)
        shape.quality = options.quality
        lens = try VulkanBokehRenderer(gpu: options.gpu.map(GPUChoice.init) ?? .automatic, options: shape, timings: timings)
        for _ in 0..<2 { _ = try draw(frame) }
        timings?.clear()
    }

    /// Of one frame.
    func time() throws -> ProcessorTime { try ProcessorTime.measure(.ours) { for _ in 0..<frames { _ = try draw(frame) } } / frames }

    func draw(_ picture: CVPixelBuffer) throws -> CVPixelBuffer { try lens.render(picture, disparity: map, circle: scene.circle) }
}
