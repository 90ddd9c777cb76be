import Pipeline

/// A frame's objects as metadata tells of them, under Apple's classes.
///
/// There is none for a person's head: face or body of its group stands for it, in focus, too. Where neither is seen, the head is told as the body.
package struct ToldObjects {
    package private(set) var detections: [Detection]
    /// The one that shows how focus holds it.
    package private(set) var subject: Int?

    package init(_ detections: [Detection], subject: Int?) {
        (self.detections, self.subject) = (detections, subject)
        guard detections.contains(where: { $0.kind == .humanHead }) else { return }
        self.detections = detections.filter { $0.kind != .humanHead || Self.standIn(for: $0, among: detections) == nil }
        guard let focused = detections.first(where: { $0.objectID == subject }), focused.kind == .humanHead else { return }
        self.subject = Self.standIn(for: focused, among: detections) ?? subject
    }

    private static func standIn(for head: Detection, among detections: [Detection]) -> Int? {
        guard head.groupID >= 0 else { return nil }
        func member(_ kind: Detection.Kind) -> Int? { detections.first { $0.groupID == head.groupID && $0.kind == kind }?.objectID }
        return member(.face) ?? member(.humanBody)
    }
}
