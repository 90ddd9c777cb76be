import Foundation
import Media
import Pipeline
import Vision

/// Pairs of chessboard pictures to a calibration file.
public struct CalibrateJob: Sendable {
    /// The most pairs that are used; of longer footage every n-th frame is looked at.
    public static let mostViews = 40

    private let left: String
    private let right: String
    private let board: (columns: Int, rows: Int)
    private let square: Double
    private let output: String
    private let replacesExisting: Bool

    /// What came out, ready to print.
    public struct Result: Sendable {
        public var looked: Int
        public var views: Int
        /// Pixels.
        public var reprojectionError: Double
        /// Metres.
        public var baseline: Double
    }

    /// - Parameters:
    ///   - board: inner corners across and down.
    ///   - square: side of a square in metres.
    public init(left: String, right: String, board: (columns: Int, rows: Int), square: Double, output: String, replacesExisting: Bool) {
        (self.left, self.right, self.board, self.square) = (left, right, board, square)
        (self.output, self.replacesExisting) = (output, replacesExisting)
    }

    public func run() throws -> Result {
        let file = try OutputFile(path: output, replacingExisting: replacesExisting)
        let source = try StereoFileSource(left: left, right: right)
        var calibrator = try StereoCalibrator(columns: board.columns, rows: board.rows, square: square)
        let step = max(1, (source.description.frameCount ?? 0) / Self.mostViews)
        var looked = 0
        while let pair = try source.nextFrame() {
            guard pair.index % step == 0, calibrator.views < Self.mostViews else { continue }
            looked += 1
            _ = try calibrator.add(pair)
        }
        let calibration = try calibrator.calibration()
        try file.write(calibration.json())
        try file.commit()
        return Result(
            looked: looked, views: calibration.views, reprojectionError: calibration.reprojectionError, baseline: calibration.baseline)
    }
}
