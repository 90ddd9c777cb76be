import CoreMedia

/// Lets through as many of a source's frames as the camera's frame duration asks for, and leaves them their times.
struct FrameGate {
    /// When the next frame is to come.
    private var due: CMTime?

    /// - Parameters:
    ///   - duration: of a frame as asked for; a source that is slower gives all it has.
    ///   - own: of a frame of the source.
    mutating func admits(_ time: CMTime, every duration: CMTime, own: CMTime) -> Bool {
        guard duration > own, let due else {
            due = time + duration
            return true
        }
        // An eighth of a frame early is on time: rates are rounded.
        guard CMTimeMultiply(due - time, multiplier: 8) <= own else { return false }
        // What came late shortens the next wait, so that the rate holds; a pause does not.
        self.due = max(due, time - duration) + duration
        return true
    }
}
