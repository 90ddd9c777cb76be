import Foundation

/// Idle motion of a person who stands still: a sway too small to move the box, a slight turn, a blink now and then.
struct Liveliness {
    /// Offset of the head in units of the figure, y down.
    let sway: CGPoint
    /// Yaw in degrees, added to the head's.
    let yaw: Double
    let isBlinking: Bool

    init(seed: UInt64, name: String, time: Int64) {
        let stream = HashStream(seed: seed, "life/" + name)
        sway = CGPoint(
            x: 0.05 * stream.substream(0).wave(at: time, period: 1_700_000_000), y: 0.025 * stream.substream(1).wave(at: time, period: 1_100_000_000))
        yaw = 2.5 * stream.substream(2).wave(at: time, period: 1_300_000_000)
        let period: Int64 = 3_400_000_000
        let start = Int64(stream.substream(3).unit(Int(time / period)) * 3.1e9)
        isBlinking = (start..<start + 130_000_000).contains(time % period)
    }
}
