import Foundation

/// Way in which a stored picture is turned: where its row 0 and its column 0 belong.
public enum CGImagePropertyOrientation: UInt32, Sendable {
    /// Row 0 at the top, column 0 at the left.
    case up = 1
    /// Row 0 at the top, column 0 at the right.
    case upMirrored = 2
    /// Row 0 at the bottom, column 0 at the right.
    case down = 3
    /// Row 0 at the bottom, column 0 at the left.
    case downMirrored = 4
    /// Row 0 at the left, column 0 at the top.
    case leftMirrored = 5
    /// Row 0 at the right, column 0 at the top.
    case right = 6
    /// Row 0 at the right, column 0 at the bottom.
    case rightMirrored = 7
    /// Row 0 at the left, column 0 at the bottom.
    case left = 8
}

extension CGImagePropertyOrientation {
    /// Whether the stored picture is mirrored left to right, and by how many quarters it is turned clockwise after that to stand upright.
    package var turn: (isMirrored: Bool, quarters: Int) {
        switch self {
        case .up: (false, 0)
        case .upMirrored: (true, 0)
        case .down: (false, 2)
        case .downMirrored: (true, 2)
        case .leftMirrored: (true, 3)
        case .right: (false, 1)
        case .rightMirrored: (true, 1)
        case .left: (false, 3)
        }
    }
}
