import Pipeline

/// A frame's objects as metadata reports them, under Apple's classes.
///
/// Apple has no class for a person's head: face or body of its group stands for it, in focus, too; without either it is reported as the body. A thing
/// that the detector offers by itself is not reported: Apple's salient objects appear when they are tapped. Nor is an extrapolated body, which a tap
/// beside somebody would hit.
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
        guard detections.contains(where: { $0.kind == .humanHead || $0.isExtrapolated }) else { return }
        let seen = self.detections.filter { !$0.isExtrapolated }
        self.detections = seen.filter { $0.kind != .humanHead || Self.standIn(for: $0, among: seen) == nil }
        guard let focused = detections.first(where: { $0.objectID == subject }) else { return }
        if focused.kind == .humanHead { self.subject = Self.standIn(for: focused, among: seen) ?? subject }
        if focused.isExtrapolated { self.subject = Self.standIn(for: focused, among: seen) ?? Self.member(.humanHead, of: focused, among: seen) }
    }

    private static func standIn(for part: Detection, among detections: [Detection]) -> Int? {
        member(.face, of: part, among: detections) ?? member(.humanBody, of: part, among: detections)
    }

    /// Object ID of a kind in the group of a part; nil where there is none.
    private static func member(_ kind: Detection.Kind, of part: Detection, among detections: [Detection]) -> Int? {
        guard part.groupID >= 0 else { return nil }
        return detections.first { $0.groupID == part.groupID && $0.kind == kind }?.objectID
    }
}
