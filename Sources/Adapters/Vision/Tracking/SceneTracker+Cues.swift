import CoreMedia
import Foundation
import Pipeline

extension SceneTracker {
    /// Detections with the sharpness and light inside every box, and in footage a salient thing where nobody is seen.
    mutating func addingCues(to seen: [Detection], of frame: Frame, picture: ReducedPicture) throws(VisionError) -> [Detection] {
        guard frame.shot != nil else { return PictureCues(picture).added(to: seen) }
        var identities = identities
        try conspicuous.step(picture, time: frame.presentationTime.nanoseconds, isAnybodySeen: !seen.isEmpty) { identities.object() }
        self.identities = identities
        let thing = conspicuous.offer.map { offer in
            Detection(objectID: offer.objectID, kind: .salientObject, bounds: offer.box, confidence: offer.salience, salience: offer.salience)
        }
        return PictureCues(picture).added(to: seen + [thing].compactMap { $0 })
    }
}
