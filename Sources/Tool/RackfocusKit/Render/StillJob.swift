import Bokeh
import CoreVideo
import Foundation
import Media
import Optics
import Pipeline
import Vision

/// Job that renders one picture with its disparity map through the lens.
public struct StillJob: Sendable {
    private let image: String
    private let disparity: String
    private let circle: CircleOfConfusion
    private let lens: BokehOptions
    package let output: String
    private let gpu: String?
    private let replacesExisting: Bool

    /// `blurScale` is the circle of confusion's diameter in pixels per unit of disparity (0…1 over the map's full range).
    public init(
        image: String, disparity: String, focusDisparity: Double, blurScale: Double, lens: BokehOptions, output: String, gpu: String?,
        replacesExisting: Bool
    ) {
        self.image = image
        self.disparity = disparity
        circle = CircleOfConfusion(focusDisparity: focusDisparity, diameterPerDisparity: blurScale)
        self.lens = lens
        self.output = output
        self.gpu = gpu
        self.replacesExisting = replacesExisting
    }

    /// The files it reads.
    package var inputs: [String] { [image, disparity] + [lens.shader?.path].compactMap { $0 } }

    /// Renders and writes the picture; throws `MediaError`, `BokehError` or `OutputError`.
    public func run() throws {
        let picture = try PictureFile.read(image)
        let recorded = try PictureFile.readDisparity(disparity)
        let (width, height) = picture.size
        let (shape, mapShape) = (Double(width) / Double(height), Double(recorded.width) / Double(recorded.height))
        guard abs(mapShape / shape - 1) < 0.02 else {
            throw MediaError(
                code: .mismatch, path: disparity,
                reason: "is \(recorded.width)x\(recorded.height), which has not the aspect of \(image) (\(width)x\(height))")
        }
        let map = try DisparityRefiner(width: width, persistence: 0).refine(
            recorded, of: PictureFile.read(image, as: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange))
        let renderer = try VulkanBokehRenderer(gpu: GPUChoice(gpu), options: lens)
        let even = EvenPicture(picture)
        let evenMap = map.buffer.size == picture.size ? DisparityMap(buffer: EvenPicture(map.buffer).buffer) : map
        let shallow = even.trimmed(try renderer.render(even.buffer, disparity: evenMap, circle: circle))
        if let failure = renderer.filterFailure { throw failure }
        try PictureFile.writePNG(shallow, to: output, replacingExisting: replacesExisting)
    }
}
