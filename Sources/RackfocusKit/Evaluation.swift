import Foundation
import Pipeline
import Vision

/// How well detections agree with the truth, kind by kind, over the frames that the truth labels.
///
/// A detection finds an object of its kind when their boxes overlap by at least `overlap` (intersection over union); who found whom in the
/// last frame goes on, the rest is paired for the most overlap. IDF1 pairs identities over the whole clip instead (Ristani et al. 2016).
public struct Evaluation: Sendable {
    public struct Score: Sendable, Equatable {
        public var kind: Detection.Kind
        /// True objects over all labelled frames, and how many of them were found.
        public var truth = 0
        public var found = 0
        /// Detections of nothing, and the frames or pictures they were counted in.
        public var falsePositives = 0
        public var frames = 0
        public var identityF1 = 0.0
        /// How often an object was found under another number than the last time.
        public var switches = 0
        /// Numbers given, and objects there were.
        public var identities = 0
        public var trueIdentities = 0
        /// 0…1: of the frames in which a subject is there, those in which it has the number it was given first; the mean over subjects.
        public var hold = 0.0

        public var recall: Double { truth > 0 ? Double(found) / Double(truth) : 1 }
        public var falsePositivesPerFrame: Double { frames > 0 ? Double(falsePositives) / Double(frames) : 0 }
    }

    public private(set) var scores: [Score] = []

    /// - Parameters:
    ///   - size: pixels of the picture that the truth was drawn on; nil is that of the detections.
    ///   - overlap: 0…1; nil is 0.3 for faces and heads, 0.4 for everything else.
    public init(of log: DetectionLog, against truth: TruthFile, size: (width: Int, height: Int)? = nil, overlap: Double? = nil) {
        let kinds = Set(truth.objects.values.joined().map(\.kind))
        for kind in Detection.Kind.allCases where kinds.contains(kind) {
            var tally = Tally(kind, overlap: overlap ?? kind.defaultOverlap)
            for entry in log.entries {
                let place = entry.picture.map(TruthFile.Place.picture) ?? .frame(entry.frame)
                guard let objects = truth.objects[place] else { continue }
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
        // What must be found goes before what may.
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
