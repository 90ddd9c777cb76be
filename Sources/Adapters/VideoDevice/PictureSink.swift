import CoreMedia
import CoreVideo

/// Virtual camera that other programs see: a V4L2 output device, or a node of PipeWire.
public protocol PictureSink: AnyObject, Sendable {
    /// Whether a program has the camera open now; nil where the sink does not tell.
    var isWatched: Bool? { get }
    /// Hands over a `420v` picture; false for one that is left out. Throws `VideoDeviceError` for one of another size, or when the sink fails.
    @discardableResult
    func write(_ picture: CVPixelBuffer, at time: CMTime) throws(VideoDeviceError) -> Bool
    /// Waits until a program has the camera open, at most some milliseconds. Throws `VideoDeviceError` when the sink fails.
    func waitForWatcher(milliseconds: Int) throws(VideoDeviceError)
    /// Removes the virtual camera.
    func close()
}
