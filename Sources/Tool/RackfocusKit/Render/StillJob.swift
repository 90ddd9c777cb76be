import Bokeh
import CoreVideo
import Foundation
import Media
import Optics
import Pipeline
import Vision

/// Job that renders one picture through the lens, with the depth that it brings or that another file has.
public struct StillJob: Sendable {
    /// Source of the picture's depth.
    public enum Depth: Sendable, Equatable {
        /// Depth that the picture itself brings, as a phone's HEIF does.
        case own
        /// A grey picture, larger is nearer, whose codes span a range in 1/m, or 0…1 without a unit; floating-point samples (OpenEXR, PFM) are 1/m.
        case disparity(String, range: ClosedRange<Double>?)
        /// A grey picture of 16 bits in millimetres, or of floating-point samples in metres, 0 where nothing was measured.
        case depth(String)
    }

    /// Thing in focus.
    public enum Focus: Sendable, Equatable {
        /// A disparity, in the map's unit.
        case disparity(Double)
        /// Whatever lies at a pixel of the picture.
        case pixel(x: Int, y: Int)
        /// A distance in metres.
        case distance(Double)
    }

    /// Strength of the blur.
    public enum Blur: Sendable, Equatable {
        /// Diameter of the circle of confusion in pixels for a unit of disparity.
        case perDisparity(Double)
        /// A lens: f-number and full-frame-equivalent focal length, mm.
        case aperture(Double, focalLength: Double)
    }

    private let image: String
    private let depth: Depth
    private let focus: Focus
    private let blur: Blur
    private let lens: BokehOptions
    package let output: String
    private let gpu: String?
    private let replacesExisting: Bool

    /// Creates a job; nothing is read yet.
    public init(
        image: String, depth: Depth, focus: Focus, blur: Blur, lens: BokehOptions, output: String, gpu: String?, replacesExisting: Bool
    ) {
        (self.image, self.depth, self.focus, self.blur) = (image, depth, focus, blur)
        self.lens = lens
        self.output = output
        self.gpu = gpu
        self.replacesExisting = replacesExisting
    }

    /// The files it reads.
    package var inputs: [String] { [image, depthPath, lens.shader?.path].compactMap { $0 } }

    private var depthPath: String? {
        switch depth {
        case .own: nil
        case .disparity(let path, _), .depth(let path): path
        }
    }

    /// Renders and writes the picture; returns the disparity in focus, in the map's unit, and what is left out. Throws `MediaError`, `BokehError` or `OutputError`.
    @discardableResult
    public func run() throws -> (focusDisparity: Double, isMetric: Bool, remarks: [String]) {
        let still = try Still.read(image)
        let picture = still.image
        let (recorded, isExact) = try recordedDisparity(still)
        let map = isExact ? try recorded.completed(along: still.guide) : try refined(recorded, of: still)
        let focusDisparity = try focusDisparity(map, picture.size)
        let circle = try circle(focusDisparity, isMetric: recorded.isMetric, width: picture.size.width)
        let renderer = try VulkanBokehRenderer(gpu: GPUChoice(gpu), options: lens)
        let even = EvenPicture(picture)
        let evenMap = map.buffer.size == picture.size ? DisparityMap(buffer: EvenPicture(map.buffer).buffer) : map
        let shallow = even.trimmed(try renderer.render(even.buffer, disparity: evenMap, circle: circle))
        if let failure = renderer.filterFailure { throw failure }
        try Still.write(shallow, to: output, replacingExisting: replacesExisting)
        return (focusDisparity, recorded.isMetric, still.remarks)
    }

    private func refined(_ map: DisparityMap, of still: Still) throws -> DisparityMap {
        let refined = try DisparityRefiner(persistence: 0).refine(map, of: still.guide)
        return try JointUpsampler(width: still.image.size.width).upsampled(refined, along: still.guide)
    }

    /// The map, and whether it is floating-point disparity, which is used as it is.
    private func recordedDisparity(_ still: Still) throws -> (map: DisparityMap, isExact: Bool) {
        let map: DisparityMap
        var isExact = false
        switch depth {
        case .own:
            guard let own = still.disparity else {
                throw MediaError(code: .mismatch, path: image, reason: "brings no depth; give --disparity MAP.png or --depth MAP.png")
            }
            map = own
        case .disparity(let path, let range):
            let stored = try PictureFile.readDisparity(path, range: range ?? 0...1)
            isExact = stored.isMetric
            map = DisparityMap(buffer: stored.buffer, confidence: stored.confidence, isMetric: stored.isMetric || range != nil)
        case .depth(let path):
            map = try PictureFile.readDepth(path, metresPerCode: 0.001)
        }
        let (width, height) = still.image.size
        let (shape, mapShape) = (Double(width) / Double(height), Double(map.width) / Double(map.height))
        guard abs(mapShape / shape - 1) < 0.02 else {
            throw MediaError(
                code: .mismatch, path: depthPath ?? image,
                reason: (depthPath == nil ? "brings depth of " : "is ")
                    + "\(map.width)x\(map.height), which has not the aspect of \(image) (\(width)x\(height))")
        }
        return (map, isExact)
    }

    /// Of a pixel, the median of what lies around it, within a hundredth of the map's width.
    private func focusDisparity(_ map: DisparityMap, _ size: (width: Int, height: Int)) throws -> Double {
        switch focus {
        case .disparity(let disparity): return disparity
        case .distance(let metres): return 1 / metres
        case .pixel(let x, let y):
            guard (0..<size.width).contains(x), (0..<size.height).contains(y) else {
                throw MediaError(code: .mismatch, path: image, reason: "is \(size.width)x\(size.height) and has no pixel \(x),\(y) to focus at")
            }
            let (column, row) = (x * map.width / size.width, y * map.height / size.height)
            let reach = map.width / 100
            var around: [Float] = []
            for line in max(0, row - reach)...min(map.height - 1, row + reach) {
                around += (max(0, column - reach)...min(map.width - 1, column + reach)).map { map.row(line)[$0] }
            }
            return Double(around.sorted()[around.count / 2])
        }
    }

    private func circle(_ focusDisparity: Double, isMetric: Bool, width: Int) throws -> CircleOfConfusion {
        let isRelative = "has depth without a unit: say what its ends are in 1/m with --disparity-range FAR,NEAR, or give"
        if case .distance = focus, !isMetric {
            throw MediaError(code: .mismatch, path: depthPath ?? image, reason: "\(isRelative) --focus-at or --focus-disparity")
        }
        switch blur {
        case .perDisparity(let scale): return CircleOfConfusion(focusDisparity: focusDisparity, diameterPerDisparity: scale)
        case .aperture(let fNumber, let focalLength):
            guard isMetric else { throw MediaError(code: .mismatch, path: depthPath ?? image, reason: "\(isRelative) --blur-scale") }
            return Lens(focalLength: focalLength, fNumber: fNumber).circleOfConfusion(focusDisparity: focusDisparity, pictureWidth: width)
        }
    }
}
