import AVFoundation
import CoreMedia
import Pipeline

/// Estimator that reads the maps of an earlier run over the same frames.
final class KeptDisparity: DisparityEstimator, MonocularEstimator {
    let remarks: [String]
    private let maps: DisparityMapFile

    init(_ maps: DisparityMapFile, remarks: [String]) { (self.maps, self.remarks) = (maps, remarks) }

    func disparity(of frame: Frame) throws -> DisparityMap { try maps.map(at: frame.presentationTime.nanoseconds) }

    func disparity(of frame: Frame, detections: [Detection]) throws -> DisparityMap { try disparity(of: frame) }

    func prepare(_ frame: Frame) {}

    /// A feed that reads them in place of its estimator.
    func replaying(_ feed: CameraFeed) -> CameraFeed { feed.replacingDepth(measured: { _ in self }, estimated: { _ in self }) }
}
