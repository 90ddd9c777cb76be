import Foundation

/// Smoothed velocity of an object across the picture.
struct MotionTracker: Sendable {
    /// Velocity in widths and heights of the picture per second.
    private(set) var (x, y) = (0.0, 0.0)
    private var last: CGPoint?
    private var sinceLast = 0.0

    var speed: Double { (x * x + y * y).squareRoot() }

    /// Advances by `elapsed` seconds; nil while the object is missing.
    mutating func step(_ center: CGPoint?, elapsed: Double, _ tuning: FocusTuning) {
        sinceLast += elapsed
        guard let center else { return }
        if let last, sinceLast > 0 {
            let gain = sinceLast / (sinceLast + seconds(tuning.motionSmoothing))
            x += gain * ((center.x - last.x) / sinceLast - x)
            y += gain * ((center.y - last.y) / sinceLast - y)
        }
        (last, sinceLast) = (center, 0)
    }
}
