import Foundation
import Media
import Pipeline
import Support
import Vision

/// Job that calibrates two cameras from pairs of chessboard pictures.
public struct CalibrateJob: Sendable {
    /// Number of pairs that are used at most; of longer footage every n-th frame is looked at.
    public static let mostViews = 40

    private let left: String
    private let right: String
    private let board: (columns: Int, rows: Int)
    private let square: Double
    private let cameras: (left: String, right: String)?
    private let output: String
    private let replacesExisting: Bool

    /// Result of a calibration.
    public struct Result: Sendable {
        /// Number of pairs searched for the board.
        public var looked: Int
        /// Pairs that did not show all of it, by their numbers from 1.
        public var missed: [Int]
        /// Number of pairs that showed all of it.
        public var views: Int
        /// Root mean square reprojection error, pixels.
        public var reprojectionError: Double
        /// Stereo baseline, metres.
        public var baseline: Double
    }

    /// Creates a job.
    ///
    /// - Parameters:
    ///   - board: inner corners across and down.
    ///   - square: side of a square in metres.
    ///   - cameras: identifiers for the file to name, by which live captures find both.
    public init(
        left: String, right: String, board: (columns: Int, rows: Int), square: Double, cameras: (left: String, right: String)? = nil, output: String,
        replacesExisting: Bool
    ) {
        (self.left, self.right, self.board, self.square) = (left, right, board, square)
        (self.cameras, self.output, self.replacesExisting) = (cameras, output, replacesExisting)
    }

    /// The files it reads.
    package var inputs: [String] { get throws { try PictureSequence.inputs([left, right]) } }

    /// Calibrates and writes the file; throws `MediaError`, `VisionError` or `OutputError`.
    public func run() throws -> Result {
        let file = try OutputFile(path: output, replacingExisting: replacesExisting)
        let source = try StereoFileSource(left: left, right: right)
        var calibrator = try StereoCalibrator(columns: board.columns, rows: board.rows, square: square)
        let step = max(1, (source.description.frameCount ?? 0) / Self.mostViews)
        var (looked, missed) = (0, [Int]())
        while let pair = try source.nextFrame() {
            guard pair.index % step == 0, calibrator.views < Self.mostViews else { continue }
            looked += 1
            if !(try calibrator.add(pair)) { missed.append(pair.index + 1) }
        }
        var calibration = try calibrator.calibration()
        (calibration.leftCamera, calibration.rightCamera) = (cameras?.left, cameras?.right)
        try file.write(calibration.json())
        try file.commit()
        return Result(
            looked: looked, missed: missed, views: calibration.views, reprojectionError: calibration.reprojectionError, baseline: calibration.baseline
        )
    }
}

extension PictureSequence {
    /// The files behind paths of movies, patterns and folders.
    static func inputs(_ paths: [String]) throws -> [String] { try paths.flatMap { try files(of: $0) ?? [$0] } }
}
