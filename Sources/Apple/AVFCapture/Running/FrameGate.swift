import CoreMedia

/// Rate limiter: admits as many of a source's frames as the camera's frame duration asks for, and leaves them their times.
struct FrameGate {
    /// Time at which the next frame is due; nil before the first.
    private var due: CMTime?

    /// - Parameters:
    ///   - duration: of a frame as asked for; a source that is slower gives all it has.
    ///   - own: of a frame of the source.
    mutating func admits(_ time: CMTime, every duration: CMTime, own: CMTime) -> Bool {
        // The camera's rates are rounded to the microsecond: a duration that is the source's own but for that takes every frame, however unevenly
        // they come.
        guard CMTimeMultiply(duration, multiplier: 1000) > CMTimeMultiply(own, multiplier: 1001), let due else {
            due = time + duration
            return true
        }
        // An eighth of a frame early is on time: rates are rounded.
        guard CMTimeMultiply(due - time, multiplier: 8) <= own else { return false }
        // A late frame shortens the next wait, so that the rate holds; a pause does not.
        self.due = max(due, time - duration) + duration
        return true
    }
}
