import Bench
import Bokeh
import CoreVideo
import LensTruth
import Media
import Pipeline

/// Our lens before one scene, to be timed as often as others are.
final class OwnLens {
    /// Nil unless the bench is timed.
    let timings: Timings?
    private let scene: LensScene
    private let lens: VulkanBokehRenderer
    private let map: DisparityMap
    /// In 420v.
    private let frame: CVPixelBuffer
    private let frames: Int

    /// Warmed up. `highlights`: how much brighter than white lights are.
    init(_ scene: LensScene, highlights: Double, _ options: LensBench.Options, folder: String) throws {
        (self.scene, map, frames) = (scene, scene.disparity(), options.frames)
        timings = options.isTimed ? Timings() : nil
        lens = try VulkanBokehRenderer(
            gpu: options.gpu.map(GPUChoice.init) ?? .automatic, options: BokehOptions(highlights: highlights), timings: timings)
        let path = folder + "/ours.png"
        try PictureFile.writePNG(scene.sharp(), to: path, replacingExisting: true)
        frame = try PictureFile.read(path, as: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        for _ in 0..<2 { _ = try lens.render(frame, disparity: map, circle: scene.circle) }
        timings?.clear()
    }

    /// Of one frame.
    func time() throws -> ProcessorTime {
        try ProcessorTime.measure(.ours) {
            for _ in 0..<frames { _ = try lens.render(frame, disparity: map, circle: scene.circle) }
        } / frames
    }

    func score(_ judge: Judge) throws -> PictureScore { judge.score(try lens.render(scene.sharp(), disparity: map, circle: scene.circle)) }
}
