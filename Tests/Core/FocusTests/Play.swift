import Focus
import Foundation
import Pipeline

/// Somebody in a test's world: what a perfect detector would see of them, as functions of time in seconds.
struct Actor {
    var id: Int
    var group = -1
    var kind = Detection.Kind.face
    var depth: (Double) -> Double = { _ in 2 }
    var center: (Double) -> CGPoint = { _ in CGPoint(x: 0.5, y: 0.4) }
    /// Side of the box at one metre; it shrinks with distance.
    var side = 0.28
    /// The box itself, in place of centre, side and depth.
    var box: ((Double) -> CGRect)?
    var yaw: (Double) -> Double? = { _ in nil }
    var confidence = 1.0
    var isSeen: (Double) -> Bool = { _ in true }
    var disparityNoise: (Int) -> Double = { _ in 0 }

    func detection(frame: Int, at time: Double) -> Detection? {
        guard isSeen(time) else { return nil }
        let (depth, center) = (depth(time), center(time))
        let (width, height) = (side / depth * 0.8, side / depth * 1.2)
        return Detection(
            objectID: id, groupID: group, kind: kind,
            bounds: box?(time) ?? CGRect(x: center.x - width / 2, y: center.y - height / 2, width: width, height: height), yaw: yaw(time),
            confidence: confidence, disparity: 1 / depth + disparityNoise(frame))
    }
}

/// A played scene: the engine's answer to every frame.
struct Play {
    struct Moment {
        var time: Double
        var step: FocusStep
    }

    var moments: [Moment] = []

    /// Plays at 30 frames a second; a request acts in the first frame at or after its time.
    init(
        _ length: Double, _ actors: [Actor], requests: [(Double, FocusRequest)] = [], tuning: FocusTuning = FocusTuning(),
        ambient: (Double) -> Double? = { _ in 0.2 }, framesPerSecond: Double = 30
    ) {
        var engine = FocusEngine(tuning: tuning)
        var open = requests[...]
        for frame in 0..<Int(length * framesPerSecond) {
            let time = Double(frame) / framesPerSecond
            let now = open.prefix { $0.0 <= time + 1e-9 }
            open = open.dropFirst(now.count)
            let step = engine.step(
                at: Int64(frame) * 1_000_000_000 / Int64(framesPerSecond),
                detections: actors.compactMap { $0.detection(frame: frame, at: time) }, requests: now.map(\.1),
                ambientDisparity: ambient(time))
            moments.append(Moment(time: time, step: step))
        }
    }

    var decisions: [FocusDecision] { moments.flatMap(\.step.decisions) }
    /// Each decision as `subject mode why`.
    var focusSequence: [String] { decisions.map { "\($0.subject.map(String.init) ?? "-") \($0.mode) \($0.why)" } }
    var disparities: [Double] { moments.map(\.step.state.focusDisparity) }

    func state(at time: Double) -> FocusState { moments.last { $0.time <= time + 1e-9 }!.step.state }
    /// Time of the decision number `index`, in seconds; not a number where there are fewer.
    func time(of index: Int) -> Double { index < decisions.count ? Double(decisions[index].time) / 1e9 : .nan }
    var refused: [FocusRequest] { moments.flatMap(\.step.refused) }
}

/// From `a` to `b` between two times, linearly.
func ramp(_ a: Double, _ b: Double, from start: Double, to end: Double) -> (Double) -> Double {
    { time in a + (b - a) * min(max((time - start) / (end - start), 0), 1) }
}

func during(_ ranges: Range<Double>...) -> (Double) -> Bool { { time in ranges.contains { $0.contains(time) } } }

/// Looks into the camera except during `range`.
func looksAway(_ range: Range<Double>) -> (Double) -> Double? { { range.contains($0) ? 120 : 5 } }

func nearly(_ a: Double, _ b: Double, _ tolerance: Double) -> Bool { abs(a - b) <= tolerance }
