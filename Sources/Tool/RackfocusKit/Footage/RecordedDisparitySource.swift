import CoreMedia
import CoreVideo
import Media
import Pipeline
import Vision

/// Footage with its recorded disparity, made fit for its purpose: the one way in for a file that a depth camera or a matcher wrote. Floating-point disparity,
/// as of stems that somebody has mended, stays as it is, but for its holes.
final class RecordedDisparitySource: FrameSource {
    private let source: DisparityFileSource
    private let refiner: DisparityRefiner
    var description: SourceDescription { source.description }
    var remarks: [String] { source.remarks }
    /// Nil where the lens is to read the maps as they are.
    var upsampler: JointUpsampler? { source.isExact ? nil : JointUpsampler() }

    init(
        video: String, disparity: String, coding: DisparityFileSource.Coding = .disparity(0...1),
        pictureDuration: CMTime = CMTime(value: 1, timescale: 30), purpose: DisparityRefiner.Purpose = .lens,
        reading: FootageReading = FootageReading()
    ) throws {
        source = try DisparityFileSource(
            video: video, disparity: disparity, coding: coding, pictureDuration: pictureDuration, reading: reading)
        refiner = DisparityRefiner(purpose: purpose)
    }

    func nextFrame() throws -> Frame? {
        guard var frame = try source.nextFrame() else { return nil }
        frame.disparity = try frame.disparity.map { map in
            source.isExact ? try map.completed(along: frame.image) : try refiner.refine(map, of: frame.image)
        }
        return frame
    }
}

extension DisparityMap {
    /// The map with its holes filled along a picture (`420v`), and everything else as it is.
    func completed(along picture: CVPixelBuffer) throws -> DisparityMap {
        guard let confidence else { return self }
        let filled = try DisparityRefiner(persistence: 0).refine(self, of: picture)
        for y in 0..<height {
            let (from, to, seen) = (row(y), filled.row(y), confidence.plane(0).row(y, as: UInt8.self))
            for x in 0..<width where seen[x] > 0 { to[x] = from[x] }
        }
        return DisparityMap(buffer: filled.buffer, isMetric: isMetric)
    }
}
