import Foundation

/// The three cascades and the four ways to look with them.
struct Cascades {
    let frontal: Cascade
    let profile: Cascade
    let cat: Cascade

    /// Debian's folder of `opencv-data`.
    static let folder = "/usr/share/opencv4/haarcascades"

    /// Widths of a box in smallest windows below which it is looked for in the enlarged picture.
    private static let smallest = 1.2

    init(folder: String) throws(VisionError) {
        frontal = try Cascade("haarcascade_frontalface_alt2", base: 20, folder: folder)
        profile = try Cascade("haarcascade_profileface", base: 20, folder: folder)
        cat = try Cascade("haarcascade_frontalcatface_extended", base: 24, folder: folder)
    }

    /// The same cascades for another thread.
    init(copying other: Cascades) throws(VisionError) {
        frontal = try Cascade(copying: other.frontal)
        profile = try Cascade(copying: other.profile)
        cat = try Cascade(copying: other.cat)
    }

    func cascade(for look: Hit.Look) -> Cascade {
        switch look {
        case .frontal: frontal
        case .left, .right: profile
        case .cat: cat
        }
    }

    /// The best hit near `box`, of nearly its size; `mirrored` asks the mirrored picture, where a real frontal face is still one.
    func bestHit(
        _ look: Hit.Look, near box: CGRect, in picture: ReducedPicture, tone: SearchPicture.Tone = .plain, neighbours: Int, mirrored: Bool = false
    ) throws(VisionError) -> Hit? {
        let cascade = cascade(for: look)
        let sizes = box.width / Double(cascade.base)
        let version = SearchPicture(scale: sizes >= 3.2 ? .half : (sizes >= Self.smallest ? .full : .enlarged), tone: tone)
        let scale = version.scale.factor
        let area = box.scaled(1.7)
        let local = CGRect(x: area.minX / scale, y: area.minY / scale, width: area.width / scale, height: area.height / scale)
        let (side, whole) = (box.width / scale, version.size(of: picture))
        let smallest = max(cascade.base, Int(side * 0.72))
        let inside = local.integral.intersection(CGRect(x: 0, y: 0, width: whole.width, height: whole.height))
        guard !inside.isNull, Int(inside.width) > smallest, Int(inside.height) > smallest else { return nil }
        let raw = try cascade.scan(
            version, local, of: picture, sizes: smallest...max(smallest, Int(side * 1.4)), step: 1.07, mirrored: (look == .right) != mirrored)
        let groups = try RawHit.grouped(raw, neighbours: neighbours, scale: scale)
        let best = groups.max { score($0, near: box) < score($1, near: box) }
        return best.map {
            var hit = Hit(look: look, box: $0.box, support: $0.weight, isNew: false)
            hit.tone = tone
            return hit
        }
    }

    private func score(_ group: (box: CGRect, weight: Int), near box: CGRect) -> Double { Double(group.weight) * (0.2 + group.box.overlap(box)) }
}
