import CoreMedia
import Foundation
import Pipeline

extension SceneTracker {
    /// Completes what a frame reports: with the sharpness and light inside every box, and in footage with what draws the eye where nobody is.
    mutating func completed(_ seen: [Detection], of frame: Frame, picture: ReducedPicture) throws(VisionError) -> [Detection] {
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
