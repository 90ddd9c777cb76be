import Foundation

extension BodyTrack {
    /// Box of the head, pixels, from the body's shape and motion; nil while neither tells, and for what has no head.
    func head(in picture: ReducedPicture) -> CGRect? {
        switch family {
        case .person: rememberedHead ?? HeadShape.box(body: box, side: headSide, in: picture)
        case .pet: petHead
        case .ball: nil
        }
    }

    /// The head where it was on the body; nil where the picture cuts it off now, or the body has another shape: of who crouches the head is elsewhere.
    private var rememberedHead: CGRect? {
        guard let headPlace, (0.75...1.33).contains(box.height / box.width / headPlace.shape) else { return nil }
        let head = box.part(headPlace.box)
        return head.midY > 0 ? head : nil
    }

    /// Taller than wide, a pet sits or comes along, the head on top. Else it is seen from the side, and the head is in front.
    private var petHead: CGRect? {
        if box.height > box.width * 1.15 {
            let side = min(0.75 * box.width, 0.45 * box.height)
            return CGRect(x: box.midX + (0.15 * headSide * box.width) - side / 2, y: box.minY, width: side, height: side)
        }
        guard abs(headSide) > 0.3 else { return nil }
        let side = min(0.4 * box.height, 0.35 * box.width)
        // Networks see the trunk rather than the whole animal: of a head, 40 % were beyond the box and a little below its top on average.
        let x = headSide > 0 ? box.maxX - 0.6 * side : box.minX - 0.4 * side
        return CGRect(x: x, y: box.minY + 0.05 * box.height, width: side, height: side)
    }

    /// Turns the head the way the animal walks: 3 % of its width a frame, for eight frames, turns it fully.
    mutating func faceWhereItGoes() {
        guard family == .pet, abs(velocity.dx) > 0.01 * box.width else { return }
        rotateHead(to: velocity.dx / (0.03 * box.width))
    }

    /// The head is the highest part: it is where the top of what has the body's disparity gathers.
    mutating func faceWhereItIsHigh(_ depth: DepthProbe) {
        guard family != .ball, let disparity, depth.isTelling(disparity) else { return }
        let top = CGRect(x: box.minX, y: box.minY, width: box.width, height: box.height / (family == .pet ? 3 : 8))
        guard let found = depth.gathering(in: top, at: disparity), (0.05...0.6).contains(found.share) else { return }
        let side = 2 * (found.x - box.midX) / box.width
        if family == .person { rotateHead(to: side) } else if abs(side) > 0.25 { rotateHead(to: side * 2) }
    }

    private mutating func rotateHead(to side: Double) { headSide += (min(max(side, -1), 1) - headSide) * 0.12 }
}

extension CGRect {
    /// Another rectangle in units of this one, 0…1 where it lies within.
    func place(of other: CGRect) -> CGRect {
        CGRect(x: (other.minX - minX) / width, y: (other.minY - minY) / height, width: other.width / width, height: other.height / height)
    }

    /// The part of this rectangle that is at a place of it.
    func part(_ place: CGRect) -> CGRect {
        CGRect(x: minX + place.minX * width, y: minY + place.minY * height, width: place.width * width, height: place.height * height)
    }
}
