import CoreMedia
import Media
import Pipeline
import Vision

/// Footage with its recorded disparity, made fit for its purpose: the one way in for a file that a depth camera or a matcher wrote. Floating-point disparity
/// without holes, as of stems that somebody has mended, stays as it is.
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
            source.isExact && map.confidence == nil ? map : try refiner.refine(map, of: frame.image)
        }
        return frame
    }
}
