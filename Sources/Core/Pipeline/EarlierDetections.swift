/// Detections of one subject in a frame before the one in which it was confirmed.
public struct EarlierDetections: Sendable, Equatable {
    /// Presentation time of the frame, nanoseconds.
    public var time: Int64
    /// Detections that the frame had as well, or where the object really was.
    public var detections: [Detection]

    /// Creates detections of the frame at `time`, nanoseconds.
    public init(time: Int64, detections: [Detection]) {
        self.time = time
        self.detections = detections
    }
}

extension DetectionLog.Entry {
    /// Adds what was found later to be in this frame, in the place of what bears the same number. Nobody was seen when a thing was offered by itself, so
    /// it goes where somebody was there.
    public mutating func add(_ earlier: EarlierDetections) {
        let found = Set(earlier.detections.map(\.objectID))
        detections.removeAll { $0.salience != nil || found.contains($0.objectID) }
        detections = (detections + earlier.detections).sorted {
            ($0.kind == .face ? 0 : 1, $0.objectID) < ($1.kind == .face ? 0 : 1, $1.objectID)
        }
    }
}

extension [DetectionLog.Entry] {
    /// Adds detections, each to the frame of its time; what belongs to no frame is dropped.
    public mutating func add(_ earlier: [EarlierDetections]) {
        for found in earlier {
            guard let place = lastIndex(where: { $0.time <= found.time }), self[place].time == found.time else { continue }
            self[place].add(found)
        }
    }
}
