import Focus
import Foundation
import Pipeline
import Support

/// Score of focus against what a person would choose: the share of time with the right subject in focus, and changes of subject a minute.
///
/// The focus engine runs over recorded detections, as it does live; no picture is decoded. A subject in focus is right when at least half of its face,
/// head or body lies in the box of the truth. Where the truth is a face or a head, half of the smaller of the two boxes is enough, and the body below
/// it is right, too. A subject that is missed for a moment counts where it was seen last.
public struct SubjectEvaluation: Sendable {
    /// Score of one span of the truth.
    public struct Score: Sendable, Equatable {
        /// The span.
        public var span: SubjectTruth.Span
        /// Seconds of its frames with a known truth.
        public var seconds = 0.0
        /// Seconds of these with the right subject in focus.
        public var right = 0.0
    }

    /// Scores of the spans, in order.
    public private(set) var scores: [Score]
    /// Changes from one person or thing to another within a shot; its parts are one, and the first of a shot is no change.
    public private(set) var changes = 0
    /// Seconds of the whole log.
    public private(set) var length = 0.0
    /// Shots that open with a known truth.
    public private(set) var openings = 0
    /// Longest time from the start of such a shot to its first frame with the right subject, seconds; the shot's length where there is none.
    public private(set) var latestOpening = 0.0

    /// Seconds with a known truth.
    public var seconds: Double { scores.reduce(0) { $0 + $1.seconds } }
    /// Share of these with the right subject in focus, 0…1; 1 where nothing is known.
    public var share: Double { seconds > 0 ? scores.reduce(0) { $0 + $1.right } / seconds : 1 }
    /// Changes of subject a minute.
    public var changesPerMinute: Double { length > 0 ? Double(changes) * 60 / length : 0 }

    /// Replays the detections of a log and scores focus.
    ///
    /// - Parameters:
    ///   - objects: the truth that holds the numbers of `truth`; objects are interpolated between labelled frames.
    ///   - size: pixels of the picture that `objects` was drawn on; nil is that of the log.
    public init(
        of log: DetectionLog, against truth: SubjectTruth, objects: TruthFile? = nil, size: (width: Int, height: Int)? = nil,
        tuning: FocusTuning = FocusTuning()
    ) {
        let boxes = objects.map { SubjectBoxes($0, size: size ?? (log.header.width, log.header.height)) }
        scores = truth.spans.map { Score(span: $0) }
        let usual = Double(log.header.frameDuration[0]) / Double(log.header.frameDuration[1])
        var engine = FocusEngine(tuning: tuning)
        var opening = Opening()
        var shot: Int?
        var inFocus: [Detection] = []
        for (index, entry) in log.entries.enumerated() {
            if index == 0 || entry.shot != shot {
                engine = FocusEngine(tuning: tuning, opensShot: entry.shot != nil)
                (shot, inFocus) = (entry.shot, [])
                close(opening)
                opening = Opening()
            }
            let state = engine.step(at: entry.time, detections: entry.detections, requests: [], ambientDisparity: entry.disparity?.median).state
            let duration = index + 1 < log.entries.count ? Double(log.entries[index + 1].time - entry.time) / 1e9 : usual
            let next = entry.detections.parts(ofObject: state.subject)
            if let one = next.first, let other = inFocus.first, !one.isPart(of: other) { changes += 1 }
            if !next.isEmpty { inFocus = next }
            let time = Double(entry.time) / 1e9
            let verdict = scores.firstIndex { $0.span.start <= time && time < $0.span.end }.flatMap { place in
                Self.isRight(state.subject == nil ? [] : inFocus, scores[place].span, at: time, frame: entry.frame, boxes).map { (place, $0) }
            }
            if let (place, isRight) = verdict {
                scores[place].seconds += duration
                if isRight { scores[place].right += duration }
            }
            opening.add(verdict?.1, lasting: duration)
            length += duration
        }
        close(opening)
    }

    private mutating func close(_ opening: Opening) {
        guard opening.isKnown else { return }
        openings += 1
        latestOpening = max(latestOpening, opening.wait)
    }

    /// Whether a subject (its parts; none: nothing in focus) is right; nil where the truth of the frame is not known.
    private static func isRight(_ inFocus: [Detection], _ span: SubjectTruth.Span, at time: Double, frame: Int, _ boxes: SubjectBoxes?) -> Bool? {
        var isKnown = false
        for choice in span.choices {
            switch choice {
            case .nobody:
                isKnown = true
                if inFocus.allSatisfy({ $0.kind == .salientObject }) { return true }
            case .box(let from, let to):
                isKnown = true
                let box = from.moved(to: to, by: (time - span.start) / (span.end - span.start))
                if inFocus.contains(where: { $0.bounds.onPicture.lies(in: box) }) { return true }
            case .object(let id):
                guard let object = boxes?.object(id, at: frame) else { continue }
                isKnown = true
                if inFocus.contains(where: object.isSeen) { return true }
            }
        }
        return isKnown ? false : nil
    }

    /// Score in words: the total, then a line for each span.
    public var table: String {
        let total = String(
            format: "right subject %.3f of %.2f s, %.1f changes a minute (%d in %.2f s)", share, seconds, changesPerMinute, changes, length)
        let wait = openings.counted("shot") + String(format: " \(openings == 1 ? "opens" : "open") with it after at most %.2f s", latestOpening)
        let first = openings == 0 ? "no shot opens where the truth is known" : wait
        let rows = scores.map { score in
            let share = score.seconds > 0 ? String(format: "%.3f", score.right / score.seconds) : "    -"
            return String(format: "%8.2f %8.2f  %@  %@", score.span.start, score.span.end, share, score.span.text)
        }
        return ([total, first] + rows).joined(separator: "\n")
    }
}

/// Wait from the start of a shot for its right subject.
private struct Opening {
    /// Whether the truth of its first frame is known.
    private(set) var isKnown = false
    /// Seconds before the first right frame.
    private(set) var wait = 0.0
    private var (isOver, isFirst) = (false, true)

    mutating func add(_ isRight: Bool?, lasting duration: Double) {
        if isFirst { (isKnown, isFirst) = (isRight != nil, false) }
        if isRight == true { isOver = true }
        if !isOver { wait += duration }
    }
}

/// Boxes of the truth's objects in any frame, interpolated between labelled ones.
private struct SubjectBoxes {
    struct Object {
        var kind: Detection.Kind
        var box: CGRect

        /// Whether a detection is this object or another part of the same being.
        func isSeen(as detection: Detection) -> Bool {
            let bounds = detection.bounds.onPicture
            guard kind.isHeadLike else { return bounds.lies(in: box) }
            if detection.kind.isHeadLike || detection.kind == .salientObject {
                return bounds.lies(in: box) || box.lies(in: bounds)
            }
            let neck = bounds.insetBy(dx: 0, dy: -box.height)
            return (bounds.minX...bounds.maxX).contains(box.midX) && (neck.minY...bounds.midY).contains(box.midY)
        }
    }

    private var frames: [Int: [(frame: Int, object: Object)]] = [:]

    init(_ truth: TruthFile, size: (width: Int, height: Int)) {
        let scale = truth.isNormalized ? (1, 1) : (Double(size.width), Double(size.height))
        for (place, objects) in truth.objects {
            guard case .frame(let frame) = place else { continue }
            for object in objects {
                let (x, y, width, height) = (object.box.minX, object.box.minY, object.box.width, object.box.height)
                let box = CGRect(x: x / scale.0, y: y / scale.1, width: width / scale.0, height: height / scale.1)
                frames[object.id, default: []].append((frame, Object(kind: object.kind, box: box)))
            }
        }
        for id in frames.keys { frames[id]!.sort { ($0.frame, $0.object.kind.rawValue) < ($1.frame, $1.object.kind.rawValue) } }
    }

    /// The object in a frame, of several classes the first; nil before its first and after its last label.
    func object(_ id: Int, at frame: Int) -> Object? {
        guard let labels = frames[id], let after = labels.first(where: { $0.frame >= frame }) else { return nil }
        if after.frame == frame { return after.object }
        guard let before = labels.last(where: { $0.frame < frame && $0.object.kind == after.object.kind }) else { return nil }
        let share = Double(frame - before.frame) / Double(after.frame - before.frame)
        return Object(kind: after.object.kind, box: before.object.box.moved(to: after.object.box, by: share))
    }
}

extension [Detection] {
    /// Everything that is one subject with an object; empty when the object is not there.
    fileprivate func parts(ofObject objectID: Int?) -> [Detection] {
        guard let object = first(where: { $0.objectID == objectID }) else { return [] }
        return [object] + filter { $0.objectID != object.objectID && $0.isPart(of: object) }
    }
}

extension Detection {
    /// Whether two detections, of one frame or two, are one subject.
    fileprivate func isPart(of other: Detection) -> Bool { objectID == other.objectID || groupID > 0 && groupID == other.groupID }
}

extension Detection.Kind {
    fileprivate var isHeadLike: Bool {
        switch self {
        case .face, .humanHead, .catHead, .dogHead: true
        case .humanBody, .catBody, .dogBody, .salientObject: false
        }
    }
}

extension CGRect {
    /// Its part inside the picture.
    fileprivate var onPicture: CGRect { intersection(CGRect(x: 0, y: 0, width: 1, height: 1)) }

    /// Whether at least half of it lies in another box.
    fileprivate func lies(in box: CGRect) -> Bool {
        let shared = intersection(box)
        guard !isNull, !shared.isNull else { return false }
        return shared.width * shared.height >= 0.5 * width * height
    }

    /// On the way to another box, 0…1 of it.
    fileprivate func moved(to other: CGRect, by share: Double) -> CGRect {
        func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * share }
        return CGRect(
            x: mix(minX, other.minX), y: mix(minY, other.minY), width: mix(width, other.width), height: mix(height, other.height))
    }
}
