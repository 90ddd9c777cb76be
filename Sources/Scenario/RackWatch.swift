import AVFoundation
import Focus
import Foundation
import Pipeline

/// Watches that the line of focus is smooth: no leap, no speed that its rack or its subject does not explain, no running past the aim.
struct RackWatch: Sendable {
    private let brake: Double
    private var last: (time: Int64, focus: Double, speed: Double, rack: Rack?)?
    /// The rack under way, how fast focus was when it began, and what the subject's disparity has been since.
    private var start: (rack: Rack, speed: Double, low: Double, high: Double)?
    /// The subject's disparity in the last frame it was seen in, and how fast that has changed lately; 1/m and 1/m per second.
    private var subject: (id: Int, disparity: Double)?
    private var subjectSpeed = 0.0
    /// What noise of the disparity may do, 1/m and 1/m per second.
    private static let (slack, speedSlack) = (0.02, 0.5)

    init(_ tuning: FocusTuning) { brake = Double(tuning.brake) / 1e9 }

    /// What the frame breaks, in words; `isNext` when no frame is missing since the last.
    mutating func observe(_ record: FrameRecord, isNext: Bool) -> [String] {
        let (time, state) = (record.time, record.state)
        defer { follow(record) }
        guard let last, isNext, time > last.time else {
            start = nil
            self.last = (time, state.focusDisparity, 0, state.rack)
            return []
        }
        let elapsed = Double(time - last.time) / 1e9
        let speed = (state.focusDisparity - last.focus) / elapsed
        if let rack = state.rack, rack.start != start?.rack.start || rack.to != start?.rack.to {
            start = (rack, last.speed, min(rack.from, rack.to), max(rack.from, rack.to))
        }
        var broken: [String] = []
        let limit = limit(of: last.rack, state.rack, carried: abs(start?.speed ?? last.speed))
        if abs(speed) > limit {
            broken.append("focus moved at \(Self.rounded(speed)) 1/m per second, and nothing explains more than \(Self.rounded(limit))")
        }
        if state.rack != nil, let start, let past = overshoot(state.focusDisparity, start) {
            let way = "from \(Self.rounded(start.rack.from)) to \(Self.rounded(start.rack.to)) 1/m"
            broken.append("a rack \(way) ran past its aim by \(Self.rounded(past)) 1/m")
        }
        if state.rack == nil { start = nil }
        self.last = (time, state.focusDisparity, speed, state.rack)
        return broken
    }

    /// A quintic from rest to rest is at most 1.875 times as fast as the straight line; it adds to what was there when it began.
    private func limit(of last: Rack?, _ now: Rack?, carried: Double) -> Double {
        func speed(_ rack: Rack?) -> Double { rack.map { 1.9 * abs($0.to - $0.from) / max(Double($0.duration) / 1e9, 1e-3) } ?? 0 }
        return 1.05 * max(speed(last), speed(now)) + 1.5 * carried + 2 * subjectSpeed + Self.speedSlack
    }

    /// How far focus is outside what it left, what it aims at, and where that went; nil where that is allowed. It may coast before it turns
    /// round (0.2 · speed · length of the rack) and past its aim while it brakes (0.2 · speed · `brake`).
    private func overshoot(_ focus: Double, _ start: (rack: Rack, speed: Double, low: Double, high: Double)) -> Double? {
        let length = Double(start.rack.duration) / 1e9
        let isTowards = (start.rack.to - start.rack.from) * start.speed > 0
        let coasting = 0.2 * 1.5 * abs(start.speed) * (isTowards ? max(brake, 0) : length)
        let past = max(start.low - focus, focus - start.high) - coasting - Self.slack - 2 * subjectSpeed * length * 0.2
        return past > 0 ? past : nil
    }

    /// Remembers the subject in focus.
    private mutating func follow(_ record: FrameRecord) {
        subjectSpeed *= 0.9
        guard let id = record.state.subject, let disparity = record.focused?.disparity else { return subject = nil }
        if let subject, subject.id == id, let last {
            // 30 frames a second, or whatever the clip has, are near enough to one another for the greatest step to count.
            subjectSpeed = max(subjectSpeed, abs(disparity - subject.disparity) * framesPerSecond(last.time, record))
        }
        subject = (id, disparity)
        if let rack = start { start = (rack.rack, rack.speed, min(rack.low, disparity), max(rack.high, disparity)) }
    }

    private func framesPerSecond(_ time: Int64, _ record: FrameRecord) -> Double {
        record.frame.index > 0 && record.time > 0 ? Double(record.frame.index) * 1e9 / Double(record.time) : 30
    }

    private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
