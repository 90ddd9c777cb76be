import Foundation
import Pipeline

extension SceneTracker {
    /// The confirmed tracks as detections, faces first, then by object.
    func report(_ picture: ReducedPicture, time: Int64) -> [Detection] {
        var detections: [Detection] = []
        for track in tracks where track.phase == .seen || track.phase == .unseen {
            func add(_ kind: Detection.Kind, id: Int, box: CGRect, yaw: Double? = nil, roll: Double? = nil) {
                detections.append(
                    Detection(
                        objectID: id, groupID: track.groupID, kind: kind, bounds: picture.normalized(box), yaw: yaw, roll: roll,
                        confidence: track.confidence, disparity: track.disparity))
            }
            switch track.kind {
            case .cat:
                add(.catHead, id: track.objectID, box: track.box)
                if bodies == nil, let body = track.pet.box(head: track.box) { add(.catBody, id: track.bodyID, box: body) }
            case .thing: add(.salientObject, id: track.objectID, box: track.box)
            case .person:
                if track.phase == .seen {
                    add(.face, id: track.objectID, box: track.box, yaw: track.yaw, roll: track.roll < 0 ? track.roll + 360 : track.roll)
                }
                add(.humanHead, id: track.headID, box: track.head)
                if track.measuredBody == nil, bodies == nil || time - track.born > tuning.bodyPatience {
                    add(.humanBody, id: track.bodyID, box: track.body.box(face: track.box, in: picture))
                }
            }
        }
        if let bodies {
            detections += bodies.report(picture)
            detections += bodies.reportHeads(picture) { id in detections.contains { $0.objectID == id } }
        }
        return detections.sorted { ($0.kind == .face ? 0 : 1, $0.objectID) < ($1.kind == .face ? 0 : 1, $1.objectID) }
    }
}
