import AVFoundation
import CoreVideo
import Foundation
import Optics
import Pipeline
import ScenarioFormat
import Stage

/// Renderer of single frames of a run: the stage's picture or the footage's, through the real lens at the frame's own focus.
struct FrameRenderer: Sendable {
    /// One frame before and behind the lens.
    struct RenderedFrame {
        let sharp: CVPixelBuffer
        let disparity: DisparityMap
        let shallow: CVPixelBuffer
    }

    struct NoDisparity: Error, CustomStringConvertible {
        let frame: Int
        var description: String { "frame \(frame) has no disparity, so it cannot be rendered" }
    }

    let scenario: ScenarioFile
    /// Feed of the run; nil for the stage.
    let feed: CameraFeed?
    let lens: any BokehRenderer

    func render(_ record: FrameRecord) throws -> RenderedFrame {
        let frame = try feed == nil ? painted(record.frame) : record.frame
        guard let disparity = frame.disparity else { throw NoDisparity(frame: frame.index) }
        guard let fNumber = record.fNumber else { return RenderedFrame(sharp: frame.image, disparity: disparity, shallow: frame.image) }
        let focalLength = try description.focalLength ?? scenario.camera(for: description).focalLength
        let circle = Lens(focalLength: focalLength, fNumber: fNumber)
            .circleOfConfusion(focusDisparity: record.state.focusDisparity, pictureWidth: frame.image.size.width)
        let shallow = try lens.render(frame.image, disparity: disparity, circle: circle)
        return RenderedFrame(sharp: frame.image, disparity: disparity, shallow: shallow)
    }

    private var description: SourceDescription {
        get throws { try feed?.source.description ?? StageSource(world: scenario.world(), rendersPixels: false).description }
    }

    /// The same frame, with its pixels.
    private func painted(_ frame: Frame) throws -> Frame {
        let stage = StageSource(world: try scenario.world(), rendersPixels: true, firstFrame: frame.index)
        return try stage.nextFrame() ?? frame
    }
}
