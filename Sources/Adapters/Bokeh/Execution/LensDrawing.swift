import CoreVideo
import Pipeline

/// A picture that the device works on. One thread uses it at a time, as `LensQueue` sees to.
final class LensDrawing: @unchecked Sendable {
    private let frame: LensFrame
    private let image: CVPixelBuffer
    /// Kept: the device may work in its memory, as in that of the pictures.
    private let map: DisparityMap
    private let picture: CVPixelBuffer
    private let plan: LensPlan
    private let finish: (CVPixelBuffer) -> Void
    private let timings: Timings?
    /// Time at which it was handed to the device.
    private let start: ContinuousClock.Instant
    private(set) var result: Result<CVPixelBuffer, any Error>?

    /// `picture` will be `image` with `plan` carried out, which `frame` has started, and then `finish`.
    init(
        _ frame: LensFrame, _ image: CVPixelBuffer, _ map: DisparityMap, to picture: CVPixelBuffer, plan: LensPlan, timings: Timings?,
        start: ContinuousClock.Instant, finish: @escaping (CVPixelBuffer) -> Void
    ) {
        (self.frame, self.image, self.map, self.picture, self.plan) = (frame, image, map, picture, plan)
        self.timings = timings
        self.start = start
        self.finish = finish
    }

    /// Waits for the device and takes the picture from it.
    func complete() {
        guard result == nil else { return }
        result = Result {
            try frame.layers.finish()
            timings?.book("  device", ContinuousClock.now - start)
            for (pass, duration) in try frame.layers.durations() { timings?.book("    " + pass, duration) }
            let download = { self.frame.fetch(self.picture, sharp: self.image, plan: self.plan) }
            if let timings { timings.measure("  download", download) } else { download() }
            finish(picture)
            return picture
        }
    }
}
