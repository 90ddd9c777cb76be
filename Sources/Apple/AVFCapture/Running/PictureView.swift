import Foundation
import Pipeline

/// Part of a source's picture that a camera delivers, and its size: a crop about its middle, in the shape of the format.
///
/// Zoom makes the part smaller; a format of another shape cuts two sides. Nothing is ever distorted and no bars are added.
struct PictureView: Equatable, Sendable {
    /// Crop in 0…1 of the source's picture.
    let part: CGRect
    /// Size of the delivered picture in pixels.
    let size: PictureSize
    /// Whether the picture is delivered as it comes.
    let isWhole: Bool

    /// - Parameter magnification: 1 shows as much as the format's shape allows; at least 1.
    init(of source: PictureSize, as size: PictureSize, magnification: Double = 1) {
        self.size = size
        var (width, height) = (1.0, 1.0)
        let (across, down) = (source.width * size.height, size.width * source.height)
        if across > down { width = Double(down) / Double(across) } else { height = Double(across) / Double(down) }
        (width, height) = (width / max(magnification, 1), height / max(magnification, 1))
        part = CGRect(x: (1 - width) / 2, y: (1 - height) / 2, width: width, height: height)
        isWhole = source == size && magnification <= 1
    }

    func sourcePoint(_ point: CGPoint) -> CGPoint {
        CGPoint(x: part.minX + point.x * part.width, y: part.minY + point.y * part.height)
    }

    /// Returns the detection in the delivered picture; nil where too little of its box is left.
    func detection(_ seen: Detection) -> Detection? {
        guard !isWhole else { return seen }
        let box = seen.bounds
        let inside = box.intersection(part)
        guard !inside.isNull, inside.width * inside.height >= Self.smallestShare * box.width * box.height else { return nil }
        var detection = seen
        detection.bounds = CGRect(
            x: (box.minX - part.minX) / part.width, y: (box.minY - part.minY) / part.height, width: box.width / part.width,
            height: box.height / part.height)
        return detection
    }

    /// Least share of a box that must be in the picture for its object to be seen.
    private static let smallestShare = 0.4
}

extension AVCaptureDevice {
    /// Zoom at which all of a source is seen: the one that cinematic capture is pinned to, else 1. Wider there is nothing to see.
    var wholeZoom: Double { profile.formats.compactMap(\.cinematic?.minZoom).min() ?? 1 }
}
