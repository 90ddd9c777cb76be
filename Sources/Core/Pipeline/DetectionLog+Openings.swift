import Foundation

extension DetectionLog {
    /// Time from the beginning of a shot within which a subject that is detected was there from the beginning, nanoseconds.
    package static let opening: Int64 = 1_000_000_000
    /// Distance from the left or the right of the picture within which somebody comes in, 0…1.
    private static let side = 0.02

    /// This log with subjects that a shot opens with detected from its first frame: detectors find somebody some frames after a cut.
    ///
    /// They are put where they were seen first, as extrapolated. Who is seen first at the left or the right edge comes in, and is left alone; as are
    /// things. A body that nobody saw, derived from a face, tells of no edge.
    public func completingOpenings() -> DetectionLog {
        var log = self
        var first = 0
        for index in entries.indices where index + 1 == entries.count || entries[index + 1].shot != entries[index].shot {
            log.completeOpening(of: first...index)
            first = index + 1
        }
        return log
    }

    private mutating func completeOpening(of shot: ClosedRange<Int>) {
        var known: [Detection] = []
        for index in shot where entries[index].time - entries[shot.lowerBound].time <= Self.opening {
            let new = entries[index].detections.filter { detection in
                detection.kind != .salientObject && !known.contains { $0.objectID == detection.objectID || $0.isOneSubject(with: detection) }
            }
            let found = new.filter { detection in !new.contains { $0.isOneSubject(with: detection) && !$0.isExtrapolated && $0.isAtSide(Self.side) } }
            for detection in found {
                var earlier = detection
                earlier.isExtrapolated = true
                for before in shot.lowerBound..<index { entries[before].detections.append(earlier) }
            }
            known += new
        }
    }
}

extension Detection {
    fileprivate func isOneSubject(with other: Detection) -> Bool { objectID == other.objectID || groupID > 0 && groupID == other.groupID }

    fileprivate func isAtSide(_ margin: Double) -> Bool { bounds.minX < margin || bounds.maxX > 1 - margin }
}
