import AVFoundation
import CoreMedia
import Pipeline

/// Maps of an earlier run, or of one under way.
protocol DisparityMaps: Sendable {
    /// The map of a frame; throws `KeptError` where there is none.
    func map(at time: Int64) throws -> DisparityMap
}

/// Estimator that reads the maps of another run over the same frames.
final class KeptDisparity: DisparityEstimator, MonocularEstimator {
    private let maps: any DisparityMaps
    private let said: @Sendable () -> [String]
    var remarks: [String] { said() }

    init(_ maps: any DisparityMaps, remarks: @escaping @Sendable () -> [String]) { (self.maps, said) = (maps, remarks) }

    func disparity(of frame: Frame) throws -> DisparityMap { try maps.map(at: frame.presentationTime.nanoseconds) }

    func disparity(of frame: Frame, detections: [Detection]) throws -> DisparityMap { try disparity(of: frame) }

    func prepare(_ frame: Frame) {}

    var opening: Int64 { 0 }

    /// A feed that reads them in place of its estimator.
    func replaying(_ feed: CameraFeed) -> CameraFeed { feed.replacingDepth(measured: { _ in self }, estimated: { _ in self }) }
}

extension CameraFeed {
    /// Whether its disparity was measured by another run, and is read.
    var readsKeptDisparity: Bool {
        switch depth {
        case .measured(let estimator): estimator is KeptDisparity
        case .estimated(let estimator): estimator is KeptDisparity
        case nil: false
        }
    }
}
