import CoreVideo
import Foundation

/// Pictures by name, and those made of others.
extension UIImage {
    /// Decodes a picture among the app's resources, PNG or JPEG, by its name with or without an extension; nil for none. There are no asset catalogues.
    public convenience init?(named name: String) {
        let paths = ["", "png", "jpg", "jpeg"].lazy.compactMap { Bundle.main.path(forResource: name, ofType: $0.isEmpty ? nil : $0) }
        guard let path = paths.first else { return nil }
        self.init(contentsOfFile: path)
    }

    /// Nil: there are no symbols of the system's.
    public convenience init?(systemName name: String) { return nil }

    /// Returns the picture as it is meant to be drawn: in its own colours or as a mask; kept.
    public func withRenderingMode(_ renderingMode: RenderingMode) -> UIImage {
        let image = turned(imageOrientation)
        image.renderingMode = renderingMode
        return image
    }

    /// Way of drawing a picture in a view.
    public enum RenderingMode: Int, Sendable {
        /// As the view likes.
        case automatic = 0
        /// In its own colours.
        case alwaysOriginal = 1
        /// As a mask, in the view's colour.
        case alwaysTemplate = 2
    }

    /// Returns the picture in one colour, as opaque as it is.
    public func withTintColor(_ color: UIColor) -> UIImage {
        made(size) { rect in
            draw(in: rect)
            UIGraphicsGetCurrentContext()?.setBlendMode(.sourceIn)
            color.setFill()
            UIRectFill(rect)
        }
    }

    /// Returns the picture in one colour, as opaque as it is; the way of drawing is kept.
    public func withTintColor(_ color: UIColor, renderingMode: RenderingMode) -> UIImage {
        withTintColor(color).withRenderingMode(renderingMode)
    }

    /// Returns the picture mirrored left to right by its orientation; that of one mirrored already is the plain one.
    public func withHorizontallyFlippedOrientation() -> UIImage {
        let mirrored: Orientation =
            switch imageOrientation {
            case .up: .upMirrored
            case .down: .downMirrored
            case .left: .rightMirrored
            case .right: .leftMirrored
            case .upMirrored: .up
            case .downMirrored: .down
            case .leftMirrored: .right
            case .rightMirrored: .left
            }
        return turned(mirrored)
    }

    /// Returns a picture of the same pixels or the same recipe, turned another way.
    private func turned(_ orientation: Orientation) -> UIImage {
        if let cgImage { return UIImage(cgImage: cgImage, scale: scale, orientation: orientation) }
        return ciImage.map { UIImage(ciImage: $0, scale: scale, orientation: orientation) } ?? UIImage()
    }

    /// Returns the picture upright, as small as fits a size in points in its own shape; nil for a picture without pixels and an empty size.
    public func preparingThumbnail(of size: CGSize) -> UIImage? {
        guard cgImage != nil, size.width > 0, size.height > 0 else { return nil }
        let share = min(1, size.width / self.size.width, size.height / self.size.height)
        return made(CGSize(width: (self.size.width * share).rounded(), height: (self.size.height * share).rounded())) { draw(in: $0) }
    }

    /// Returns the picture upright, as small as fits a size; nil as `preparingThumbnail(of:)`.
    public func byPreparingThumbnail(ofSize size: CGSize) async -> UIImage? { preparingThumbnail(of: size) }

    /// Hands on the picture upright, as small as fits a size; nil as `preparingThumbnail(of:)`.
    public func prepareThumbnail(of size: CGSize, completionHandler: @escaping @Sendable (UIImage?) -> Void) {
        DispatchQueue.global().async { [self] in completionHandler(preparingThumbnail(of: size)) }
    }

    /// Returns the picture, decoded; it always is. Nil for one without pixels.
    public func preparingForDisplay() -> UIImage? { cgImage == nil ? nil : self }

    /// Returns the picture, decoded; it always is. Nil for one without pixels.
    public func byPreparingForDisplay() async -> UIImage? { preparingForDisplay() }

    /// Nil: nothing encodes HEIC.
    public func heicData() -> Data? { nil }

    private func made(_ size: CGSize, _ draw: (CGRect) -> Void) -> UIImage {
        let format = UIGraphicsImageRendererFormat()
        format.scale = scale
        return UIGraphicsImageRenderer(size: size, format: format).image { _ in draw(CGRect(origin: .zero, size: size)) }
    }
}
