import AVFCapture
import Focus
import Foundation
import Pipeline
import RunReport
import ScenarioFormat

/// Watches that the line of focus is smooth: no leap, no speed that its rack or its aim does not explain, no running past the aim.
///
/// The aim of focus is a filtered estimate that no frame tells; the watch knows what was measured. Beyond that the estimate may be where a
/// filter of `stillSmoothing` puts it when its subject stops (0.37 · speed · time constant), and where it coasts when the subject is missed.
struct RackWatch: Sendable {
    private let tuning: FocusTuning
    /// Whether focus may stay on somebody else than its subject, whom it only glances at.
    private let mayPassOver: Bool
    private var last: Moment?
    private var way: Way?
    /// The start of a rack whose beginning was not seen, so that nothing is known of its speed.
    private var unseenStart: Int64?
    private var aims = AimHistory()
    /// Tolerance for noise of the disparity, 1/m and 1/m per second.
    private static let (slack, speedSlack) = (0.02, 0.5)

    private struct Moment: Sendable {
        var time: Int64
        var focus: Double
        /// 1/m per second since the frame before.
        var speed = 0.0
    }

    /// The rack under way, how fast focus was when it began, and where it left from and what it aimed at has been since.
    private struct Way: Sendable {
        let rack: Rack
        let speed: Double
        private(set) var low: Double
        private(set) var high: Double

        init(_ rack: Rack, speed: Double) {
            self.rack = rack
            self.speed = speed
            low = min(rack.from, rack.to)
            high = max(rack.from, rack.to)
        }

        var seconds: Double { max(Double(rack.duration) / 1e9, 1e-3) }

        /// A quintic from rest to rest is at most 1.875 times as fast as the straight line.
        var topSpeed: Double { 1.9 * max(high - rack.from, rack.from - low) / seconds }

        mutating func widen(to disparity: Double) {
            low = min(low, disparity)
            high = max(high, disparity)
        }
    }

    init(_ tuning: FocusTuning, mayPassOver: Bool) { (self.tuning, self.mayPassOver) = (tuning, mayPassOver) }

    /// Broken rules of the frame, in words; `isNext` when no frame is missing since the last.
    mutating func observe(_ record: FrameRecord, isNext: Bool) -> [String] {
        let (time, state) = (record.time, record.state)
        guard let last, isNext, time > last.time else {
            aims.observe(record, focus: state.focusDisparity, elapsed: 0)
            way = nil
            unseenStart = state.rack?.start
            last = Moment(time: time, focus: state.focusDisparity)
            return []
        }
        let elapsed = Double(time - last.time) / 1e9
        aims.observe(record, focus: last.focus, elapsed: elapsed)
        let aim = aims.aim(of: state)
        let speed = (state.focusDisparity - last.focus) / elapsed
        self.last = Moment(time: time, focus: state.focusDisparity, speed: speed)
        guard state.rack == nil || state.rack?.start != unseenStart else { return [] }

        // The rack that is over, or was sent elsewhere, in this frame moved focus until now.
        let before = way
        if let rack = state.rack, rack.start != way?.rack.start || rack.to != way?.rack.to {
            way = Way(rack, speed: abs(speed) > abs(last.speed) ? speed : last.speed)
        } else if state.rack == nil {
            way = nil
        }
        if let aim { way?.widen(to: aim.disparity) }

        var broken: [String] = []
        let top = max(before?.topSpeed ?? 0, way?.topSpeed ?? 0)
        let limit = 1.05 * top + 1.5 * abs(before?.speed ?? last.speed) + 2 * (mayPassOver ? aims.topSpeed : aim?.speed ?? 0) + Self.speedSlack
        // With look-ahead an order that is to take no time has no rack in any frame.
        let isCut = before == nil && state.rack == nil && record.decisions.contains { $0.why == .ordered && $0.isUserDecision }
        if abs(speed) > limit, !isCut {
            broken.append("focus moved at \(Self.rounded(speed)) 1/m per second, and nothing explains more than \(Self.rounded(limit))")
        }
        if let way, let past = overshoot(state.focusDisparity, way, aimSpeed: aim?.speed ?? 0) {
            let span = "from \(Self.rounded(way.rack.from)) to \(Self.rounded(way.rack.to)) 1/m"
            broken.append("a rack \(span) ran past its aim by \(Self.rounded(past)) 1/m")
        }
        return broken
    }

    /// Distance of focus from the range between what it left, what it aims at, and where that went; nil where that is allowed. It may coast before it turns
    /// round (0.2 · speed · length of the rack) and past its aim while it brakes (0.2 · speed · `brake`).
    private func overshoot(_ focus: Double, _ way: Way, aimSpeed: Double) -> Double? {
        let isTowards = (way.rack.to - way.rack.from) * way.speed > 0
        let coasting = 0.2 * 1.5 * abs(way.speed) * (isTowards ? max(Double(tuning.brake) / 1e9, 0) : way.seconds)
        let estimate = aimSpeed * (0.4 * Double(max(tuning.stillSmoothing, tuning.movingSmoothing)) / 1e9 + 0.1)
        let past = max(way.low - focus, focus - way.high) - coasting - estimate - Self.slack
        return past > 0 ? past : nil
    }

    private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}

/// Possible aims of focus: every object's disparity, and that of the picture's middle, with the greatest speed of late.
private struct AimHistory: Sendable {
    struct Aim: Sendable {
        /// Nil is the middle of the picture.
        var object: Int?
        /// 1/m, when it was last measured.
        var disparity: Double
        /// 1/m per second.
        var speed = 0.0
        /// Not seen in the frame before: focus coasted, and comes back from where that led.
        var wasMissed = false
    }

    private var aims: [Aim] = []
    /// Seconds in which a speed is forgotten.
    private static let memory = 0.3

    /// `elapsed` seconds after the frame before, in which focus was at `focus`; 0 when there is none.
    mutating func observe(_ record: FrameRecord, focus: Double, elapsed: Double) {
        let seen = record.detections.map(\.objectID)
        aims.removeAll { aim in aim.object.map { $0 != record.state.subject && !seen.contains($0) } ?? false }
        for index in aims.indices { aims[index].speed *= Self.memory / (Self.memory + elapsed) }
        for detection in record.detections { note(detection.disparity, of: detection.objectID, focus, elapsed) }
        note(record.ambientDisparity, of: nil, focus, elapsed)
        for index in aims.indices { aims[index].wasMissed = aims[index].object.map { !seen.contains($0) } ?? (record.ambientDisparity == nil) }
    }

    private mutating func note(_ disparity: Double?, of object: Int?, _ focus: Double, _ elapsed: Double) {
        guard let disparity else { return }
        guard let index = aims.firstIndex(where: { $0.object == object }) else {
            return aims.append(Aim(object: object, disparity: disparity))
        }
        let change = max(abs(disparity - aims[index].disparity), aims[index].wasMissed ? abs(disparity - focus) : 0)
        if elapsed > 0 { aims[index].speed = max(aims[index].speed, change / elapsed) }
        aims[index].disparity = disparity
    }

    /// The greatest speed of any aim, 1/m per second.
    var topSpeed: Double { aims.map(\.speed).max() ?? 0 }

    func aim(of state: FocusState) -> Aim? { aims.first { $0.object == state.subject } }
}
