import AVFCapture
import CoreMedia

/// Value that is the same from a time on, or changes evenly in a range.
struct Ramp<Value: Sendable>: Sendable {
    let from: Value
    let to: Value
    let range: CMTimeRange
}

extension Array {
    /// Puts a ramp in by the order of their times, in place of one that begins at the same.
    mutating func set<Value>(_ ramp: Element) where Element == Ramp<Value> {
        removeAll { $0.range.start == ramp.range.start }
        insert(ramp, at: firstIndex { $0.range.start > ramp.range.start } ?? count)
    }

    /// Value at a time: that of the last ramp that has begun, the usual one ahead of all.
    func value<Value>(at time: CMTime, or usual: Value, mix: (Value, Value, Double) -> Value) -> Value where Element == Ramp<Value> {
        guard let ramp = last(where: { $0.range.start <= time }) else { return usual }
        guard ramp.range.duration > .zero, time < ramp.range.end else { return ramp.to }
        return mix(ramp.from, ramp.to, (time - ramp.range.start).seconds / ramp.range.duration.seconds)
    }
}
