import CoreVideo
import Foundation

/// Properties of the bitmaps that a renderer makes.
open class UIGraphicsImageRendererFormat: NSObject {
    /// Pixels of a point; default 1, as there is no screen.
    open var scale: CGFloat = 1
    /// Whether the bitmap has no alpha; default false.
    open var opaque = false
    /// Makes the usual format.
    public class func `default`() -> UIGraphicsImageRendererFormat { UIGraphicsImageRendererFormat() }
    /// Makes the usual format.
    public override init() {}
}

/// Bitmap that is being drawn into.
open class UIGraphicsImageRendererContext: NSObject {
    /// The bitmap, whose origin is the upper left corner.
    public let cgContext: CGContext
    /// Properties of the bitmap.
    public let format: UIGraphicsImageRendererFormat

    fileprivate init(_ context: CGContext, _ format: UIGraphicsImageRendererFormat) { (cgContext, self.format) = (context, format) }

    /// Picture of everything drawn so far.
    open var currentImage: UIImage { UIImage.drawn(cgContext, scale: format.scale) ?? UIImage() }

    /// Fills a rectangle with the colour that is set.
    open func fill(_ rect: CGRect) { cgContext.fill(rect) }
    /// Fills a rectangle, blended in a mode.
    open func fill(_ rect: CGRect, blendMode: CGBlendMode) {
        cgContext.saveGState()
        cgContext.setBlendMode(blendMode)
        cgContext.fill(rect)
        cgContext.restoreGState()
    }
    /// Draws the outline of a rectangle.
    open func stroke(_ rect: CGRect) { cgContext.stroke(rect) }
    /// Draws within a rectangle alone from now on.
    open func clip(to rect: CGRect) { cgContext.clip(to: rect) }
}

/// Maker of pictures that are drawn.
open class UIGraphicsImageRenderer: NSObject {
    private let size: CGSize
    /// Properties of the bitmaps.
    public let format: UIGraphicsImageRendererFormat

    /// Makes a renderer of pictures of this size in points.
    public init(size: CGSize, format: UIGraphicsImageRendererFormat) { (self.size, self.format) = (size, format) }
    /// Makes a renderer of pictures of this size in points and the usual format.
    public convenience init(size: CGSize) { self.init(size: size, format: .default()) }

    /// Makes a picture of what the closure draws; 0 × 0 for an empty size.
    open func image(actions: (UIGraphicsImageRendererContext) -> Void) -> UIImage {
        guard let context = CGContext.bitmap(of: size, scale: format.scale, isOpaque: format.opaque) else { return UIImage() }
        let renderer = UIGraphicsImageRendererContext(context, format)
        UIGraphicsPushContext(context)
        defer { UIGraphicsPopContext() }
        actions(renderer)
        return renderer.currentImage
    }

    /// Makes a JPEG file of what the closure draws.
    open func jpegData(withCompressionQuality compressionQuality: CGFloat, actions: (UIGraphicsImageRendererContext) -> Void) -> Data {
        image(actions: actions).jpegData(compressionQuality: compressionQuality) ?? Data()
    }

    /// Makes a PNG file of what the closure draws.
    open func pngData(actions: (UIGraphicsImageRendererContext) -> Void) -> Data { image(actions: actions).pngData() ?? Data() }
}

/// Contexts that are being drawn into on this thread, the newest last.
private enum Contexts {
    private final class Stack { var contexts: [CGContext] = [] }
    private static let key = "com.rackfocus.uikit.contexts"

    static var all: [CGContext] {
        get { (Thread.current.threadDictionary[key] as? Stack)?.contexts ?? [] }
        set {
            let stack = Thread.current.threadDictionary[key] as? Stack ?? Stack()
            stack.contexts = newValue
            Thread.current.threadDictionary[key] = stack
        }
    }
}

/// Draws into a context from here on, on this thread, until it is taken away again. Its origin is to be the upper left corner.
public func UIGraphicsPushContext(_ context: CGContext) { Contexts.all.append(context) }
/// Draws into the context before again.
public func UIGraphicsPopContext() { _ = Contexts.all.popLast() }
/// Returns the context that is drawn into on this thread; nil without one.
public func UIGraphicsGetCurrentContext() -> CGContext? { Contexts.all.last }

/// Draws into a bitmap of this size in points from here on, on this thread; a scale of 0 is 1, as there is no screen.
public func UIGraphicsBeginImageContextWithOptions(_ size: CGSize, _ opaque: Bool, _ scale: CGFloat) {
    let scale = scale == 0 ? 1 : scale
    if let context = CGContext.bitmap(of: size, scale: scale, isOpaque: opaque, leastSide: 1) { UIGraphicsPushContext(context) }
}

/// Draws into a bitmap of this size in pixels from here on, on this thread.
public func UIGraphicsBeginImageContext(_ size: CGSize) { UIGraphicsBeginImageContextWithOptions(size, false, 1) }
/// Ends the bitmap that is drawn into.
public func UIGraphicsEndImageContext() { UIGraphicsPopContext() }
/// Returns a picture of what was drawn into the bitmap, a point a pixel; nil without one.
public func UIGraphicsGetImageFromCurrentImageContext() -> UIImage? { UIGraphicsGetCurrentContext().flatMap { UIImage.drawn($0, scale: 1) } }

extension CGContext {
    /// A bitmap of a size in points, each side at least so many pixels, whose origin is the upper left corner; nil for an empty one.
    fileprivate static func bitmap(of size: CGSize, scale: CGFloat, isOpaque: Bool, leastSide: Int = 0) -> CGContext? {
        func pixels(_ side: CGFloat) -> Int { max(leastSide, Int((side * scale).rounded(.up))) }
        let (width, height) = (pixels(size.width), pixels(size.height))
        let alpha: CGImageAlphaInfo = isOpaque ? .noneSkipLast : .premultipliedLast
        guard width > 0, height > 0,
            let context = CGContext(
                data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 0, space: CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: alpha.rawValue)
        else { return nil }
        context.translateBy(x: 0, y: CGFloat(height))
        context.scaleBy(x: scale, y: -scale)
        return context
    }
}

extension UIImage {
    fileprivate static func drawn(_ context: CGContext, scale: CGFloat) -> UIImage? {
        context.makeImage().map { UIImage(cgImage: $0, scale: scale, orientation: .up) }
    }

    /// Draws the picture, as turned, into a rectangle of the context of this thread; does nothing without one.
    public func draw(in rect: CGRect) {
        guard let context = UIGraphicsGetCurrentContext(), let cgImage else { return }
        context.saveGState()
        defer { context.restoreGState() }
        context.translateBy(x: rect.minX, y: rect.maxY)
        context.scaleBy(x: 1, y: -1)
        // From here the origin is the rectangle's lower left corner; the stored picture goes where it belongs in it.
        let (isMirrored, quarters) = imageOrientation.turn
        let stored = quarters % 2 == 0 ? rect.size : CGSize(width: rect.height, height: rect.width)
        context.translateBy(x: rect.width / 2, y: rect.height / 2)
        context.rotate(by: -CGFloat(quarters) * .pi / 2)
        if isMirrored { context.scaleBy(x: -1, y: 1) }
        context.draw(cgImage, in: CGRect(x: -stored.width / 2, y: -stored.height / 2, width: stored.width, height: stored.height))
    }

    /// Draws the picture, as turned, into a rectangle, blended in a mode and with an opacity of 0…1.
    public func draw(in rect: CGRect, blendMode: CGBlendMode, alpha: CGFloat) {
        guard let context = UIGraphicsGetCurrentContext() else { return }
        context.saveGState()
        context.setBlendMode(blendMode)
        context.setAlpha(alpha)
        draw(in: rect)
        context.restoreGState()
    }

    /// Draws the picture with its upper left corner at a point, blended in a mode and with an opacity of 0…1.
    public func draw(at point: CGPoint, blendMode: CGBlendMode, alpha: CGFloat) {
        draw(in: CGRect(origin: point, size: size), blendMode: blendMode, alpha: alpha)
    }

    /// Draws the picture with its upper left corner at a point.
    public func draw(at point: CGPoint) { draw(in: CGRect(origin: point, size: size)) }
}

extension UIColor {
    /// Sets the colour of fills in the context of this thread.
    public func setFill() { UIGraphicsGetCurrentContext()?.setFillColor(cgColor) }
    /// Sets the colour of lines in the context of this thread.
    public func setStroke() { UIGraphicsGetCurrentContext()?.setStrokeColor(cgColor) }
    /// Sets the colour of fills and of lines in the context of this thread.
    public func set() {
        setFill()
        setStroke()
    }
}

/// Fills a rectangle with the colour that is set in the context of this thread.
public func UIRectFill(_ rect: CGRect) { UIGraphicsGetCurrentContext()?.fill(rect) }
