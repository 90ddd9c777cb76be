import Foundation

extension BodyTrack {
    /// Where a pet's head is by the shape of its body and where it goes; nil while nobody can tell, and for all who are no pets.
    ///
    /// Taller than wide, it sits or comes along, the head on top. Else it is seen from the side, and the head is in front.
    var head: CGRect? {
        guard family == .pet else { return nil }
        if box.height > box.width * 1.15 {
            let side = min(0.75 * box.width, 0.45 * box.height)
            return CGRect(x: box.midX + (0.15 * facing * box.width) - side / 2, y: box.minY, width: side, height: side)
        }
        guard abs(facing) > 0.3 else { return nil }
        let side = min(0.55 * box.height, 0.45 * box.width)
        // A nose goes before the box, which follows.
        return CGRect(x: facing > 0 ? box.maxX - 0.85 * side : box.minX - 0.15 * side, y: box.minY, width: side, height: side)
    }

    /// Who walks, walks ahead: 3 % of its width a frame, eight frames long, settle it.
    mutating func faceWhereItGoes() {
        guard family == .pet, abs(velocity.dx) > 0.01 * box.width else { return }
        turn(to: velocity.dx / (0.03 * box.width))
    }

    /// The head is the highest part: it is where the upper third of what has the body's disparity gathers.
    mutating func faceWhereItIsHigh(_ depth: DepthProbe) {
        guard family == .pet, let disparity, depth.isTelling(disparity) else { return }
        let upper = CGRect(x: box.minX, y: box.minY, width: box.width, height: box.height / 3)
        guard let found = depth.gathering(in: upper, at: disparity), (0.05...0.6).contains(found.share) else { return }
        let side = 2 * (found.x - box.midX) / box.width
        if abs(side) > 0.25 { turn(to: side * 2) }
    }

    private mutating func turn(to side: Double) { facing += (min(max(side, -1), 1) - facing) * 0.12 }
}
