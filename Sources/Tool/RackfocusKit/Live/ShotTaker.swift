import CameraApp

/// Receiver of a live camera's pictures behind the lens: a movie, or a virtual camera.
protocol ShotTaker: AnyObject, Sendable {
    /// Takes a shot; false when no other can be taken.
    func append(_ shot: CinematicCamera.Shot) -> Bool
    /// Number of pictures taken.
    var frames: Int { get }
    /// Failure after which nothing is taken; nil without one.
    var failure: (any Error)? { get }
    /// Lines on what was written; ready to print.
    var remarks: [String] { get }
    /// Completes what was taken.
    func finish() throws
    /// Ends after a failure elsewhere.
    func cancel()
}
