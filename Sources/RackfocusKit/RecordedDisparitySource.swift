import CoreMedia
import Media
import Pipeline
import Vision

/// Footage with its recorded disparity, made fit for a lens: the one way in for a file that a depth camera or a matcher wrote.
final class RecordedDisparitySource: FrameSource {
    private let source: DisparityFileSource
    private let refiner: DisparityRefiner
    var description: SourceDescription { source.description }

    /// `mapWidth` is the widest map that a smaller one is enlarged to, pixels.
    init(
        video: String, disparity: String, coding: DisparityFileSource.Coding = .disparity(0...1),
        pictureDuration: CMTime = CMTime(value: 1, timescale: 30), mapWidth: Int = DisparityRefiner.widestMap
    ) throws {
        source = try DisparityFileSource(video: video, disparity: disparity, coding: coding, pictureDuration: pictureDuration)
        refiner = DisparityRefiner(width: mapWidth)
    }

    func nextFrame() throws -> Frame? {
        guard var frame = try source.nextFrame() else { return nil }
        frame.disparity = try frame.disparity.map { try refiner.refine($0, of: frame.image) }
        return frame
    }
}
