import CoreMedia
import Foundation
import Pipeline

extension SceneTracker {
    /// Starts to follow what stands out around a point; nil when nothing does.
    mutating func addObject(at point: CGPoint, frame: Frame, disparity: DisparityMap) throws(VisionError) -> Detection? {
        let picture = try ReducedPicture(frame.image)
        guard let found = try SalientFinder(picture: picture, disparity: disparity).object(at: point) else { return nil }
        let box = picture.pixels(found.box)
        guard let pixels = PixelBox(box, in: picture.luma), pixels.width >= 8, pixels.height >= 8 else { return nil }
        var track = Track(thing: box, at: frame.presentationTime.nanoseconds)
        track.objectID = identities.object()
        track.confidence = found.confidence
        track.tracker = try ObjectTracker(picture.luma, box: pixels)
        track.appearance = try Appearance(of: box, in: picture)
        track.disparity = DepthProbe(disparity, picture: picture).median(box.scaled(0.5))
        tracks.append(track)
        return Detection(
            objectID: track.objectID, kind: .salientObject, bounds: found.box, confidence: found.confidence, disparity: track.disparity)
    }
}
