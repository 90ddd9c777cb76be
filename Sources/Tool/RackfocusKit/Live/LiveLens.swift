import AVFoundation
import Bokeh
import CoreVideo
import Foundation
import Optics
import Pipeline
import Support
import Synchronization

/// Lens of a live camera, which has drawn pictures of its size already: the first takes a second, in which a camera would lose frames.
///
/// The full lens is timed alone on a ramp of depth, which takes it some two thirds of what a street with people does. Where that is half of a frame or
/// more, it would lose pictures for as long as it takes to notice, so the coarser one, `BokehOptions.Quality.preview`, draws from the first frame to the
/// last; else it does only while frames are late. On two cores the ramp took 12 ms at 720p and 21 ms at 1080p at f/2.
struct LiveLens: Sendable {
    /// Share of a frame's duration that the full lens may take alone on the ramp: eyes, focus and encoder want the rest.
    private static let mostShare = 0.5

    let renderer: any BokehRenderer
    /// Work that is left out from the first frame on.
    let least: Degradation

    /// Lens that leaves nothing out.
    init(_ renderer: any BokehRenderer) { self.init(renderer, least: .none) }

    private init(_ renderer: any BokehRenderer, least: Degradation) { (self.renderer, self.least) = (renderer, least) }

    /// Makes the lens for a format; `isGraded` lets it turn to the coarser one. Nil where `isStopped` came meanwhile: the driver compiles on by itself.
    init?(
        _ options: BokehOptions, isGraded: Bool, gpu: String?, for format: LiveFormat, _ timings: Timings, isStopped: () -> Bool
    ) throws {
        guard let full = try Self.made(options, gpu: gpu, for: format, isStopped) else { return nil }
        guard isGraded, options.quality == .full else {
            self.init(full.lens)
            return
        }
        timings.book("lens alone", full.time)
        var coarse = options
        coarse.quality = .preview
        if full.time > .seconds(Self.mostShare / format.rate) {
            guard let made = try Self.made(coarse, gpu: gpu, for: format, isStopped) else { return nil }
            self.init(made.lens, least: .lensResolution)
        } else {
            self.init(GradedLens(full: full.lens) { [coarse] in try Self.warmed(coarse, gpu: gpu, for: format).lens })
        }
    }

    /// Lens of a quality with the time that it takes for a picture alone, made on a thread whose name those have that the driver starts; nil where
    /// `isStopped` came first.
    private static func made(
        _ options: BokehOptions, gpu: String?, for format: LiveFormat, _ isStopped: () -> Bool
    ) throws -> (lens: VulkanBokehRenderer, time: Duration)? {
        let result = Mutex<Result<(lens: VulkanBokehRenderer, time: Duration), any Error>?>(nil)
        let done = DispatchSemaphore(value: 0)
        Thread.detach(named: "lens") {
            let made = Result { try warmed(options, gpu: gpu, for: format) }
            result.withLock { $0 = made }
            done.signal()
        }
        while done.wait(timeout: .now() + .milliseconds(100)) == .timedOut { if isStopped() { return nil } }
        return try result.withLock { $0 }!.get()
    }

    private static func warmed(_ options: BokehOptions, gpu: String?, for format: LiveFormat) throws -> (lens: VulkanBokehRenderer, time: Duration) {
        let lens = try VulkanBokehRenderer(gpu: GPUChoice(gpu), options: options)
        let picture = CVPixelBufferPool(
            width: format.width, height: format.height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        ).makeBuffer()
        let (width, height) = (format.width / 2, format.height / 2)
        let map = CVPixelBufferPool(width: width, height: height, pixelFormat: kCVPixelFormatType_DisparityFloat32).makeBuffer()
        for y in 0..<height {
            let row = map.plane(0).row(y, as: Float.self)
            for x in 0..<width { row[x] = Float(x) / Float(width) }
        }
        let circle = Lens(focalLength: CameraProfile.plainFocalLength, fNumber: CameraProfile.plainAperture)
            .circleOfConfusion(focusDisparity: 0.5, pictureWidth: format.width)
        // The first picture compiles; of the others the quickest was disturbed least.
        let times = try (0..<4).map { _ in
            let start = ContinuousClock.now
            _ = try lens.render(picture, disparity: DisparityMap(buffer: map), circle: circle)
            return ContinuousClock.now - start
        }
        return (lens, times.dropFirst().min() ?? .zero)
    }
}
