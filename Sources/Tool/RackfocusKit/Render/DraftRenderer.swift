import AVFoundation
import CoreVideo
import Optics
import Pipeline

/// Renderer of a draft: pictures and maps are made smaller, then go through the lens, whose circle of confusion shrinks with them.
final class DraftRenderer: BokehRenderer {
    /// Longest side of a draft's pictures in pixels.
    static let longestSide = 640

    private let renderer: any BokehRenderer
    private let size: PictureSize
    private let converter = PictureConverter()

    /// - Parameters:
    ///   - renderer: lens.
    ///   - source: description of the pictures as they come.
    init(_ renderer: any BokehRenderer, of source: SourceDescription) {
        self.renderer = renderer
        size = Self.size(of: source)
    }

    /// Size of a draft of pictures: even, at most as large as they are.
    static func size(of source: SourceDescription) -> PictureSize {
        let scale = min(1, Double(longestSide) / Double(max(source.width, source.height)))
        func side(_ length: Int) -> Int { max(2, Int((Double(length) * scale / 2).rounded()) * 2) }
        return PictureSize(width: side(source.width), height: side(source.height))
    }

    /// A picture in the draft's size; itself where it has that.
    func reduced(_ image: CVPixelBuffer) -> CVPixelBuffer {
        guard image.size != (size.width, size.height) else { return image }
        let result = converter.resample(image, width: size.width, height: size.height)
        CVBufferPropagateAttachments(image, result)
        PictureCopies.count(.fitting, of: result)
        return result
    }

    private func reduced(_ map: DisparityMap) -> DisparityMap {
        let (width, height) = (min(map.width, size.width), min(map.height, size.height))
        guard (width, height) != (map.width, map.height) else { return map }
        let whole = CGRect(x: 0, y: 0, width: 1, height: 1)
        return DisparityMap(
            buffer: DepthConverter.sample(map.buffer, as: Float.self, part: whole, width: width, height: height),
            confidence: map.confidence.map { DepthConverter.sample($0, as: UInt8.self, part: whole, width: width, height: height) },
            isMetric: map.isMetric)
    }

    private func reduced(_ circle: CircleOfConfusion, of image: CVPixelBuffer) -> CircleOfConfusion {
        var circle = circle
        circle.diameterPerDisparity *= Double(size.width) / Double(image.size.width)
        return circle
    }

    func render(_ image: CVPixelBuffer, disparity: DisparityMap, circle: CircleOfConfusion) throws -> CVPixelBuffer {
        try renderer.render(reduced(image), disparity: reduced(disparity), circle: reduced(circle, of: image))
    }

    func begin(_ image: CVPixelBuffer, disparity: DisparityMap, circle: CircleOfConfusion) throws -> PendingPicture {
        try renderer.begin(reduced(image), disparity: reduced(disparity), circle: reduced(circle, of: image))
    }

    func prepare(for image: CVPixelBuffer, disparity: DisparityMap) throws {
        try renderer.prepare(for: reduced(image), disparity: reduced(disparity))
    }
}
