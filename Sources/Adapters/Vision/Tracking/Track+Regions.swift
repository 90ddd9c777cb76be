import Foundation

/// Regions of the picture that belong to a track, in pixels of the reduced picture.
extension Track {
    /// Region whose appearance and depth identify the track: head and upper body of a person, the box of anything else.
    var anchor: CGRect { kind == .person ? anchor(of: box) : box }

    /// Anchor that the track would have with another box.
    func anchor(of box: CGRect) -> CGRect {
        guard kind == .person else { return box }
        return CGRect(x: box.midX - box.width * 1.1, y: box.minY - box.height * 0.2, width: box.width * 2.2, height: box.height * 3.1)
    }

    /// A person's head around the face.
    var head: CGRect { HeadShape.box(face: box, roll: pose.roll) }

    /// Region whose median disparity is the track's: the middle of its box, or of the body where a face is not seen.
    var core: CGRect {
        guard kind == .person, !life.isCandidate, !life.isSeen || isMissed else { return box.scaled(0.5) }
        return CGRect(x: box.midX - box.width * 0.4, y: box.minY + box.height * 0.4, width: box.width * 0.8, height: box.height * 1.8)
    }

    /// Region whose flow carries the box: a turning head drags its own flow along; the chest below it only walks.
    func flowRegion(in picture: ReducedPicture) -> CGRect {
        guard isCarriedPerson else { return box.scaled(0.8) }
        let chest = CGRect(x: box.midX - box.width * 0.8, y: box.minY + box.height * 1.25, width: box.width * 1.6, height: box.height * 1.6)
        let visible = chest.intersection(picture.luma.bounds)
        return visible.area > 0.4 * chest.area ? visible : box
    }

    /// Share of the track's box, and of the body part under a face, that lies inside the picture, 0…1.
    func visibleShare(in picture: ReducedPicture) -> Double {
        let whole = kind == .person ? box.union(core) : box
        return whole.intersection(picture.luma.bounds).area / max(whole.area, 1)
    }
}
