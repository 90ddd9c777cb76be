import CoreMedia

/// Numbers and times of frames from the sequence numbers and timestamps of a driver.
///
/// Numbers count what the driver lost; times begin at zero with the first frame and increase, whatever wraps or stands still.
struct FrameClock {
    private let frameDuration: Int64
    private var last: (sequence: UInt32, timestamp: Int64, index: Int, time: Int64)?

    /// - Parameter frameDuration: time of a frame in nanoseconds, for where the driver's times cannot be used.
    init(frameDuration: CMTime) { self.frameDuration = max(1, frameDuration.value * 1_000_000_000 / Int64(frameDuration.timescale)) }

    /// Places a frame: its number, its time in nanoseconds since the first, and how many were lost before it.
    mutating func place(sequence: UInt32, timestamp: Int64) -> (index: Int, time: Int64, lost: Int) {
        guard let before = last else {
            last = (sequence, timestamp, 0, 0)
            return (0, 0, 0)
        }
        let elapsed = timestamp - before.timestamp
        // A gap of more than a minute of frames is a count that began anew, not a loss.
        let step = Int(sequence &- before.sequence)
        let isPlausible = step >= 1 && Double(step) * Double(frameDuration) < 60e9
        let lost = isPlausible ? step - 1 : 0
        let isClockSound = elapsed > 0 && elapsed < 60_000_000_000 + Int64(lost) * frameDuration
        let next = (index: before.index + lost + 1, time: before.time + (isClockSound ? elapsed : Int64(lost + 1) * frameDuration))
        last = (sequence, timestamp, next.index, next.time)
        return (next.index, next.time, lost)
    }
}
