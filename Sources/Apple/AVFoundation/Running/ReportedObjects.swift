import Pipeline

/// A frame's objects as metadata reports them, under Apple's classes.
///
/// Apple has no class for a person's head: face or body of its group stands for it, in focus, too; without either it is reported as the body. A thing
/// that the detector offers by itself is not reported: Apple's salient objects appear when they are tapped.
package struct ReportedObjects {
    package private(set) var detections: [Detection]
    /// Object that is reported in focus; nil for none.
    package private(set) var subject: Int?

    package init(_ detections: [Detection], subject: Int?) {
        (self.detections, self.subject) = (detections, subject)
        if detections.contains(where: { $0.salience != nil }) {
            self.detections = detections.filter { $0.salience == nil }
            if detections.contains(where: { $0.objectID == subject && $0.salience != nil }) { self.subject = nil }
        }
        guard detections.contains(where: { $0.kind == .humanHead }) else { return }
        self.detections = self.detections.filter { $0.kind != .humanHead || Self.standIn(for: $0, among: detections) == nil }
        guard let focused = detections.first(where: { $0.objectID == subject }), focused.kind == .humanHead else { return }
        self.subject = Self.standIn(for: focused, among: detections) ?? subject
    }

    private static func standIn(for head: Detection, among detections: [Detection]) -> Int? {
        guard head.groupID >= 0 else { return nil }
        func member(_ kind: Detection.Kind) -> Int? { detections.first { $0.groupID == head.groupID && $0.kind == kind }?.objectID }
        return member(.face) ?? member(.humanBody)
    }
}
