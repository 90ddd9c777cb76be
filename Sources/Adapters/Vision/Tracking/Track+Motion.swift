import Foundation

extension Track {
    /// Carries the box into the current picture: by flow where enough points agree and the same depth is there, else by its slowly fading velocity.
    mutating func predict(with flow: Flow, in picture: ReducedPicture, depth: DepthProbe) throws(VisionError) {
        agreement = 0
        guard phase != .hidden else { return coast() }
        let motion = try flow.motion(of: flowRegion(in: picture))
        guard motion.agreement >= 0.3 else { return coast() }
        let before = box
        shift(dx: motion.dx, dy: motion.dy, growth: motion.agreement > 0.5 ? min(max(motion.growth, 0.96), 1.04) : 1)
        let covered = disparity.map { depth.coverage(of: anchor, at: $0) } ?? 0
        if covered < 0.1 { recentre(depth) }
        guard phase == .candidate || (holds(depth) != nil && (covered < 0.25 || misses == 0)) else {
            // Something passes in front and would drag the track along.
            box = before
            return coast()
        }
        agreement = motion.agreement
        velocity.dx += (motion.dx - velocity.dx) * 0.3
        velocity.dy += (motion.dy - velocity.dy) * 0.3
    }

    /// The disparity of the track's place when it is still the track's own: of its core, or of what is left of a body that turned.
    func holds(_ depth: DepthProbe) -> Double? {
        guard let disparity else { return depth.median(core) }
        if kind == .person, phase != .candidate, phase == .unseen || misses > 0 {
            guard let found = depth.gathering(in: anchor, at: disparity), found.share > 0.18 else { return nil }
            return found.mean
        }
        return depth.median(core).flatMap { depth.agrees($0, disparity) ? $0 : nil }
    }

    /// 0…1: how much of a person something nearer is in front of, whatever shows beside it.
    func coverage(_ depth: DepthProbe) -> Double { kind == .person ? disparity.map { depth.coverage(of: anchor, at: $0) } ?? 0 : 0 }

    /// A turning head takes the face to its side; the person stays in the middle of what has the person's depth.
    private mutating func recentre(_ depth: DepthProbe) {
        guard kind == .person, phase == .unseen || (phase == .seen && misses > 0), let disparity else { return }
        guard let found = depth.gathering(in: anchor.scaled(1.3, 1), at: disparity), found.share > 0.1 else { return }
        box = box.offsetBy(dx: (found.x - box.midX) * 0.25, dy: 0)
    }

    private mutating func coast() {
        shift(dx: velocity.dx, dy: velocity.dy, growth: 1)
        velocity = velocity.scaled(0.97)
    }

    /// A turning head drags its own flow along; the chest below it only walks.
    private func flowRegion(in picture: ReducedPicture) -> CGRect {
        guard kind == .person, phase == .unseen || (phase == .seen && misses > 0) else { return box.scaled(0.8) }
        let chest = CGRect(x: box.midX - box.width * 0.8, y: box.minY + box.height * 1.25, width: box.width * 1.6, height: box.height * 1.6)
        let visible = chest.intersection(picture.luma.bounds)
        return visible.area > 0.4 * chest.area ? visible : box
    }

    /// Draws the box towards a hit: gently when near, so that the cascade's jitter does not show; firmly when it is off.
    mutating func correct(to hit: Hit, at time: Int64) {
        let off = max(abs(hit.box.midX - box.midX), abs(hit.box.midY - box.midY)) / box.width
        let isMeasured = hit.source == .network
        let place = isMeasured ? 0.6 : (off > 0.3 ? 0.7 : (off > 0.12 ? 0.35 : 0.15))
        let off2 = abs(hit.box.width / box.width - 1)
        let size = isMeasured ? 0.4 : (off2 > 0.35 ? 0.5 : 0.1)
        let width = box.width + (hit.box.width - box.width) * size
        let height = box.height + (hit.box.height - box.height) * size
        let x = box.midX + (hit.box.midX - box.midX) * place
        let y = box.midY + (hit.box.midY - box.midY) * place
        box = CGRect(x: x - width / 2, y: y - height / 2, width: width, height: height)
        confidence += (min(1, 0.5 + Double(hit.weight) / 40) - confidence) * 0.2
        hits += 1
        misses = 0
        lastHit = time
        lastHeld = time
        source = hit.source
        rotate(to: hit)
    }

    /// Measured angles are followed; of cascades and dlib a new look counts when it is seen twice in a row.
    private mutating func rotate(to hit: Hit) {
        roll = hit.roll ?? 0
        if hit.source == .network, let seen = hit.yaw {
            // Small steps are mostly noise, large ones a turn.
            yaw = yaw.map { $0 + (seen - $0) * (abs(seen - $0) > 12 ? 1 : 0.6) } ?? seen
            look = hit.look
            return
        }
        guard hit.look != look || hit.yaw ?? hit.look.yaw != yaw, kind == .person else {
            otherLooks = 0
            return
        }
        otherLooks += 1
        if otherLooks >= 2 || phase != .seen {
            look = hit.look
            yaw = hit.yaw ?? hit.look.yaw
            otherLooks = 0
        }
    }

    /// Share of the track's box, and of the body part under a face, that lies inside the picture, 0…1.
    func visibleShare(in picture: ReducedPicture) -> Double {
        let whole = kind == .person ? box.union(core) : box
        return whole.intersection(picture.luma.bounds).area / max(whole.area, 1)
    }
}
