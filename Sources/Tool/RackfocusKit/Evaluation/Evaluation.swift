import Foundation
import Pipeline
import Support
import Vision

/// Scores of detections against ground truth, class by class, over the labelled frames.
///
/// A detection matches an object of its class when their boxes overlap by at least `overlap` (intersection over union); matches of the last frame are
/// kept, the rest is assigned for the most overlap (CLEAR MOT). IDF1 matches identities over the whole clip instead (Ristani et al. 2016).
public struct Evaluation: Sendable {
    /// Score of one class.
    public struct Score: Sendable, Equatable {
        /// Class of the objects.
        public var kind: Detection.Kind
        /// True objects over all labelled frames.
        public var truth = 0
        /// Number of true objects that were found.
        public var found = 0
        /// Number of false positives: detections without an object.
        public var falsePositives = 0
        /// Labelled frames or pictures.
        public var frames = 0
        /// IDF1, 0…1: F1 score of identities over the whole clip.
        public var identityF1 = 0.0
        /// Identity switches: times an object was found under another ID than the last time.
        public var switches = 0
        /// Object IDs given by the detector.
        public var identities = 0
        /// Identities in the ground truth.
        public var trueIdentities = 0
        /// Share of the frames with a subject in which it has its first ID, 0…1; the mean over subjects.
        public var hold = 0.0

        /// Recall, 0…1; 1 without true objects.
        public var recall: Double { truth > 0 ? Double(found) / Double(truth) : 1 }
        /// False positives a frame; 0 without frames.
        public var falsePositivesPerFrame: Double { frames > 0 ? Double(falsePositives) / Double(frames) : 0 }
    }

    /// Scores in the order of `Detection.Kind`, of classes in the ground truth.
    public private(set) var scores: [Score] = []
    /// Labelled frames or pictures that the log has no line of, which count for nothing.
    public private(set) var unseen = 0

    /// Scores the detections of a log.
    ///
    /// - Parameters:
    ///   - size: pixels of the picture that the truth was drawn on; nil is that of the detections.
    ///   - overlap: 0…1; nil is 0.3 for faces and heads, 0.4 for everything else.
    public init(of log: DetectionLog, against truth: TruthFile, size: (width: Int, height: Int)? = nil, overlap: Double? = nil) {
        unseen = Set(truth.objects.keys).subtracting(log.entries.map(TruthFile.Place.init)).count
        let kinds = Set(truth.objects.values.joined().map(\.kind))
        for kind in Detection.Kind.allCases where kinds.contains(kind) {
            var tally = Tally(kind, overlap: overlap ?? kind.defaultOverlap)
            for entry in log.entries {
                guard let objects = truth.objects[.init(entry)] else { continue }
                let pixels = size ?? (entry.size?[0] ?? log.header.width, entry.size?[1] ?? log.header.height)
                let scale = truth.isNormalized ? (1, 1) : (Double(pixels.0), Double(pixels.1))
                tally.add(
                    objects.filter { $0.kind == kind }.map { $0.scaled(scale) }, entry.detections.filter { $0.kind == kind },
                    isPicture: entry.picture != nil)
            }
            scores.append(tally.score)
        }
    }

    /// A line for each kind, ready to print.
    public var table: String {
        let header = "kind             truth  found  recall  false  per frame   IDF1  switches  IDs (true)   hold"
        let rows = scores.map { score in
            String(
                format: "%@ %6d %6d  %6.3f %6d     %6.3f %6.3f    %6d  %3d (%d)     %5.3f",
                score.kind.rawValue.padding(toLength: 15, withPad: " ", startingAt: 0), score.truth, score.found, score.recall, score.falsePositives,
                score.falsePositivesPerFrame, score.identityF1, score.switches, score.identities, score.trueIdentities, score.hold)
        }
        return ([header] + rows).joined(separator: "\n")
    }
}

extension Detection.Kind {
    fileprivate var defaultOverlap: Double {
        switch self {
        case .face, .humanHead, .catHead, .dogHead: 0.3
        case .humanBody, .catBody, .dogBody, .salientObject: 0.4
        }
    }
}

extension TruthFile.Object {
    fileprivate func scaled(_ size: (width: Double, height: Double)) -> Self {
        var copy = self
        copy.box = CGRect(x: box.minX / size.width, y: box.minY / size.height, width: box.width / size.width, height: box.height / size.height)
        return copy
    }
}

/// The count of one kind, frame after frame.
private struct Tally {
    private(set) var counted: Evaluation.Score
    private let overlap: Double
    /// The number each true identity was found under first, and last.
    private var first: [Int: Int] = [:]
    private var last: [Int: Int] = [:]
    private var presence: [Int: Int] = [:]
    private var held: [Int: Int] = [:]
    /// Frames in which a true identity and a given one lie on each other.
    private var together: [Int: [Int: Int]] = [:]
    private var reported: [Int: Int] = [:]
    /// Still pictures share no identities.
    private var pictures = 0

    init(_ kind: Detection.Kind, overlap: Double) {
        counted = Evaluation.Score(kind: kind)
        self.overlap = overlap
    }

    mutating func add(_ objects: [TruthFile.Object], _ detections: [Detection], isPicture: Bool) {
        if isPicture { pictures += 1 }
        func identity(_ id: Int) -> Int { id + pictures << 32 }
        let fits = objects.map { object in detections.map { detection in object.box.overlap(detection.bounds) } }
        var pairs = [Int?](repeating: nil, count: objects.count)
        var taken = Set<Int>()
        for (index, object) in objects.enumerated() {
            guard let id = last[identity(object.id)], let before = detections.firstIndex(where: { identity($0.objectID) == id }) else { continue }
            if fits[index][before] >= overlap, taken.insert(before).inserted { pairs[index] = before }
        }
        // Required objects are matched before optional ones.
        for required in [true, false] {
            let open = objects.indices.filter { pairs[$0] == nil && objects[$0].isRequired == required }
            let costs = open.map { index in
                detections.indices.map { fits[index][$0] >= overlap && !taken.contains($0) ? 1 - fits[index][$0] : nil as Double? }
            }
            for (index, found) in zip(open, Assignment.solve(costs, columns: detections.count)) {
                if let found { taken.insert(found) }
                pairs[index] = found
            }
        }
        counted.frames += 1
        var excused = Set<Int>()
        for (index, object) in objects.enumerated() {
            let id = identity(object.id)
            if !object.isRequired {
                for (place, fit) in fits[index].enumerated() where fit >= overlap && !pairs.contains(place) { excused.insert(place) }
                if let place = pairs[index] { excused.insert(place) }
                continue
            }
            counted.truth += 1
            presence[id, default: 0] += 1
            for (place, fit) in fits[index].enumerated() where fit >= overlap {
                together[id, default: [:]][identity(detections[place].objectID), default: 0] += 1
            }
            guard let place = pairs[index] else { continue }
            counted.found += 1
            let given = identity(detections[place].objectID)
            if let before = last[id], before != given { counted.switches += 1 }
            last[id] = given
            if first[id] == nil { first[id] = given }
            if first[id] == given { held[id, default: 0] += 1 }
        }
        for (place, detection) in detections.enumerated() where !excused.contains(place) {
            reported[identity(detection.objectID), default: 0] += 1
            if !pairs.contains(place) { counted.falsePositives += 1 }
        }
    }

    var score: Evaluation.Score {
        var score = counted
        let (truths, given) = (presence.keys.sorted(), reported.keys.sorted())
        (score.identities, score.trueIdentities) = (given.count, truths.count)
        let costs = truths.map { id in given.map { -Double(together[id]?[$0] ?? 0) as Double? } }
        let agreed = zip(truths, Assignment.solve(costs, columns: given.count)).reduce(0) { sum, pair in
            sum + (pair.1.flatMap { together[pair.0]?[given[$0]] } ?? 0)
        }
        let all = score.truth + reported.values.reduce(0, +)
        score.identityF1 = all > 0 ? 2 * Double(agreed) / Double(all) : 1
        let holds = truths.map { Double(held[$0] ?? 0) / Double(presence[$0] ?? 1) }
        score.hold = holds.isEmpty ? 1 : holds.reduce(0, +) / Double(holds.count)
        return score
    }
}
