import Foundation

/// The three cascades and the four ways to look with them.
struct Cascades {
    let frontal: Cascade
    let profile: Cascade
    let cat: Cascade

    /// Debian's folder of `opencv-data`.
    static let folder = "/usr/share/opencv4/haarcascades"

    init(folder: String) throws(VisionError) {
        frontal = try Cascade("haarcascade_frontalface_alt2", base: 20, folder: folder)
        profile = try Cascade("haarcascade_profileface", base: 20, folder: folder)
        cat = try Cascade("haarcascade_frontalcatface_extended", base: 24, folder: folder)
    }

    func cascade(for look: Hit.Look) -> Cascade {
        switch look {
        case .frontal: frontal
        case .left, .right: profile
        case .cat: cat
        }
    }

    /// The best hit near `box`, of nearly its size; `mirrored` asks the mirrored picture, where a real frontal face is still one.
    func bestHit(_ look: Hit.Look, near box: CGRect, in picture: ReducedPicture, neighbours: Int, mirrored: Bool = false) throws(VisionError) -> Hit?
    {
        let cascade = cascade(for: look)
        let coarse = box.width >= Double(cascade.base) * 3.2
        let raster = coarse ? picture.half : picture.luma
        let scale = coarse ? 2.0 : 1.0
        let area = box.scaled(1.7)
        let local = CGRect(x: area.minX / scale, y: area.minY / scale, width: area.width / scale, height: area.height / scale)
        guard let part = PixelBox(local, in: raster) else { return nil }
        let side = box.width / scale
        let smallest = max(cascade.base, Int(side * 0.72))
        guard part.width > smallest, part.height > smallest else { return nil }
        let raw = try cascade.scan(
            raster, part: part, sizes: smallest...max(smallest, Int(side * 1.4)), step: 1.07, mirrored: (look == .right) != mirrored)
        let groups = try RawHit.grouped(raw, neighbours: neighbours, scale: scale)
        let best = groups.max { score($0, near: box) < score($1, near: box) }
        return best.map { Hit(look: look, box: $0.box, weight: $0.weight, isNew: false) }
    }

    private func score(_ group: (box: CGRect, weight: Int), near box: CGRect) -> Double { Double(group.weight) * (0.2 + group.box.overlap(box)) }
}
