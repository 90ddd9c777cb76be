import Foundation
import Pipeline

extension SceneTracker {
    /// The confirmed tracks in sight as detections, faces first, then by object.
    func report(_ picture: ReducedPicture, time: Int64) -> [Detection] {
        var detections = tracks.filter(\.life.isReported).flatMap { report($0, picture, time) }
        if let bodies {
            detections += bodies.report(picture)
            detections += bodies.reportHeads(picture) { id in detections.contains { $0.objectID == id } }
        }
        return detections.sorted { ($0.kind == .face ? 0 : 1, $0.objectID) < ($1.kind == .face ? 0 : 1, $1.objectID) }
    }

    func report(_ track: Track, _ picture: ReducedPicture, _ time: Int64) -> [Detection] {
        func detection(_ kind: Detection.Kind, _ id: Int, _ box: CGRect) -> Detection {
            Detection(
                objectID: id, groupID: track.identity.groupID, kind: kind, bounds: picture.normalized(box), confidence: track.confidence,
                disparity: track.disparity)
        }
        let body = track.bodyBox(in: picture)
        switch track.kind {
        case .thing: return [detection(.salientObject, track.identity.objectID, track.box)]
        case .cat:
            let head = detection(.catHead, track.identity.objectID, track.box)
            guard bodies == nil, let body else { return [head] }
            return [head, detection(.catBody, track.identity.bodyID, body)]
        case .person:
            var found: [Detection] = []
            if track.life.isSeen {
                var face = detection(.face, track.identity.objectID, track.box)
                face.yaw = track.pose.yaw
                face.roll = track.pose.roll < 0 ? track.pose.roll + 360 : track.pose.roll
                found.append(face)
            }
            found.append(detection(.humanHead, track.identity.headID, track.head))
            let isBodyDue = bodies == nil || time - track.born > tuning.bodyPatience
            if let body, track.measuredBody == nil, isBodyDue {
                var whole = detection(.humanBody, track.identity.bodyID, body)
                if case .person(let shape) = track.being { whole.isExtrapolated = !shape.isMeasured }
                found.append(whole)
            }
            return found
        }
    }
}
