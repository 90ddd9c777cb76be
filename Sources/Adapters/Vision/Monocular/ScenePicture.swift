import CoreMedia
import CoreVideo
import Foundation
import Pipeline

/// Picture of plain video, reduced, and how it moved since the ones before: what its pixels tell before anybody says who is in it.
struct ScenePicture: Sendable {
    /// Presentation time, nanoseconds.
    let time: Int64
    /// Luma as large as the map, at most 640 wide.
    let guide: Raster
    /// Luma, and CIE Lab, at the size of masks.
    let (luma, tones): (Raster, Raster)
    /// CIE Lab, twice as large where the map is.
    let detail: Raster
    /// Flow to the picture before, and seconds since then; nil for the first.
    let (flow, elapsed): (DenseFlow?, Double?)
    /// Evidence of motion against the camera's; nil for the first.
    let motion: SoftMask?
}

/// Motion from picture to picture, in the order in which they come.
private struct PictureCourse {
    private var motion = ResidualMotion()
    private(set) var last: (luma: Raster, time: Int64)?

    /// Flow to the picture before, seconds since then, and evidence of motion; nil for the first.
    mutating func next(_ luma: Raster, at time: Int64) throws(VisionError) -> (flow: DenseFlow?, elapsed: Double?, motion: SoftMask?) {
        let flow: DenseFlow? = if let last { try DenseFlow(from: luma, to: last.luma) } else { nil }
        let elapsed = last.map { Double(time - $0.time) * 1e-9 }
        last = (luma, time)
        try motion.step(luma, at: time, flow: flow)
        return (flow, elapsed, motion.evidence)
    }
}

/// Pictures of a shot in the opposite order, some of them: their times go on to the first one's as those before it would.
struct ReversedPictures {
    private let (start, step): (Int64, Int64)
    private var course = PictureCourse()

    /// - Parameters:
    ///   - start: time of the shot's first picture, which is one of them, nanoseconds.
    ///   - step: least time between two others, nanoseconds.
    init(from start: Int64, step: Int64) { (self.start, self.step) = (start, step) }

    /// Takes in a picture that comes before the last one in the shot; nil where it is passed over.
    mutating func next(_ picture: ScenePicture) throws(VisionError) -> ScenePicture? {
        let time = 2 * start - picture.time
        if let last = course.last, picture.time > start, time - last.time < step { return nil }
        let (flow, elapsed, motion) = try course.next(picture.luma, at: time)
        return ScenePicture(
            time: time, guide: picture.guide, luma: picture.luma, tones: picture.tones, detail: picture.detail, flow: flow,
            elapsed: elapsed, motion: motion)
    }
}

/// Pictures of a shot of plain video, in order.
struct ScenePictures {
    /// Of the map, and pixels of the picture that masks are made on.
    private static let (mapWidth, pixels) = (640, 14_400.0)

    private var course = PictureCourse()

    /// Takes in the next frame's picture.
    mutating func next(_ frame: Frame) throws(VisionError) -> ScenePicture {
        let (size, time) = (frame.image.size, frame.presentationTime.nanoseconds)
        let width = min(Self.mapWidth, size.width)
        let height = max(1, Int((Double(size.height) * Double(width) / Double(size.width)).rounded()))
        let guide = try Raster(lumaOf: frame.image, width: width, height: height)
        let scale = min((Self.pixels / Double(width * height)).squareRoot(), 1)
        let (columns, rows) = (max(Int((Double(width) * scale).rounded()), 1), max(Int((Double(height) * scale).rounded()), 1))
        let small = Raster(width: columns, height: rows)
        try small.fill(reducing: guide.image)

        let (flow, elapsed, motion) = try course.next(small, at: time)
        let detail = try Self.tones(of: frame.image, along: guide, width: min(2 * columns, width), height: min(2 * rows, height))
        return ScenePicture(
            time: time, guide: guide, luma: small, tones: try Self.tones(of: frame.image, along: guide, width: columns, height: rows),
            detail: detail, flow: flow, elapsed: elapsed, motion: motion)
    }

    /// CIE Lab of a picture whose luma is `guide`, at another size.
    private static func tones(of picture: CVPixelBuffer, along guide: Raster, width: Int, height: Int) throws(VisionError) -> Raster {
        let plane = picture.plane(1)
        let chroma = Raster(width: width, height: height, channels: 2)
        try chroma.fill(reducing: plane.image(width: plane.width, height: plane.height, channels: 2))
        return try Raster.bgr(luma: guide, chroma: chroma, width: width, height: height).lab()
    }
}
