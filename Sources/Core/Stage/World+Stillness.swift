import Foundation

extension World {
    /// End (nanoseconds, exclusive) of the stillness that begins with the frame at `time`; `time` itself while something moves.
    func still(from time: Int64) -> Int64 {
        guard camera.shake(at: time) == 0 else { return time }
        var end = min(camera.pan.endOfStillness(from: time), camera.shake.endOfStillness(from: time), light.endOfStillness(from: time))
        for edge in covers.flatMap({ [$0.lowerBound, $0.upperBound] }) where edge > time { end = min(end, edge) }
        for subject in subjects {
            end = min(end, subject.placement.endOfStillness(from: time), subject.yaw.endOfStillness(from: time))
            for edge in subject.presence.flatMap({ [$0.lowerBound, $0.upperBound] }) where edge > time { end = min(end, edge) }
        }
        return end
    }
}

extension Motion {
    /// End (exclusive) of the value's stillness from `time` on; `time` itself in the middle of a move.
    func endOfStillness(from time: Int64) -> Int64 {
        var (end, next) = (Int64.min, Int64.max)
        for move in moves { if move.start <= time { end = move.start + move.duration } else { next = min(next, move.start) } }
        return time < end ? time : next
    }
}
