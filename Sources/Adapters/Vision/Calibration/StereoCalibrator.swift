import CoreVideo
import Foundation
import Pipeline
import Support

/// Collects pairs of pictures of a chessboard and works out how the two cameras look and stand.
///
///     var calibrator = try StereoCalibrator(columns: 9, rows: 6, square: 0.025)
///     while let pair = try source.nextFrame() { try calibrator.add(pair) }
///     let calibration = try calibrator.calibration()
public struct StereoCalibrator {
    /// Least number of views; fewer do not tell focal length from distance.
    public static let fewestViews = 4
    private let columns: Int
    private let rows: Int
    private let square: Double
    private var size: (width: Int, height: Int)?
    private var left: [Float] = []
    private var right: [Float] = []
    /// Number of pairs in which both cameras saw the whole board.
    public private(set) var views = 0

    /// `columns` and `rows` count inner corners, where four squares meet; `square` is a square's side in metres.
    public init(columns: Int, rows: Int, square: Double) throws(VisionError) {
        guard (3...40).contains(columns), (3...40).contains(rows), columns != rows else {
            throw Self.error("a board has 3 to 40 inner corners a side, not as many across as down; it was given \(columns)x\(rows)")
        }
        guard square > 0, square.isFinite else { throw Self.error("a square's side is more than 0 m") }
        self.columns = columns
        self.rows = rows
        self.square = square
    }

    /// Looks for the board in both pictures; true when both show all of it.
    public mutating func add(_ pair: Frame) throws(VisionError) -> Bool {
        guard let other = pair.rightImage, other.size == pair.image.size else { throw Self.error("frame \(pair.index) is not a pair of one size") }
        if let size, size != pair.image.size { throw Self.error("pictures have different sizes; one camera makes one size") }
        size = pair.image.size
        guard let first = try Self.corners(pair.image, columns, rows), let second = try Self.corners(other, columns, rows) else { return false }
        left += first
        right += second
        views += 1
        return true
    }

    /// Solves for both cameras from the pairs collected; throws `VisionError` when there are too few or they contradict each other.
    public func calibration() throws(VisionError) -> StereoCalibration {
        guard views >= Self.fewestViews, let size else {
            let hint = views == 0 ? "; corners are counted where four squares meet: a board of 10x7 squares has 9x6" : ""
            throw Self.error(
                "a board with \(columns)x\(rows) inner corners was seen whole by both eyes in \(views.counted("pair")); \(Self.fewestViews) are needed, "
                    + "15 with the board near, far, tilted and in the corners are good" + hint)
        }
        let found = try Self.solve(left, right, views: views, columns: columns, rows: rows, square: square, size: size)
        if let problem = found.problem { throw Self.error(problem) }
        return found
    }

    static func error(_ underlying: String) -> VisionError { VisionError(code: .picture, operation: "calibrating", underlying: underlying) }
}
