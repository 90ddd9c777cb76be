import CoreMedia
import Foundation
import Pipeline

extension SceneTracker {
    /// Detections with the sharpness and light inside every box, and in footage a salient thing where nobody is seen.
    mutating func addingCues(to seen: [Detection], of frame: Frame, picture: ReducedPicture) throws(VisionError) -> [Detection] {
        guard frame.shot != nil else { return PictureCues(picture).added(to: seen) }
        try conspicuous.step(picture, time: frame.presentationTime.nanoseconds, seen: seen, identities: &identities)
        let thing = conspicuous.offer.map { offer in
            Detection(
                objectID: offer.objectID, groupID: offer.groupID, kind: .salientObject, bounds: offer.box, confidence: offer.salience,
                salience: offer.salience)
        }
        return PictureCues(picture).added(to: seen + [thing].compactMap { $0 })
    }
}
