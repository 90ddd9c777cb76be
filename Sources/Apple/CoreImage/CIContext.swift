import CoreVideo
import Foundation
import ImageIO
import Metal
import Support

/// Renderer of pictures, on the processor.
open class CIContext: NSObject, @unchecked Sendable {
    /// Space that filters work in: linear sRGB; nil where colours stay as they are stored.
    public let workingColorSpace: CGColorSpace?
    private let isOutputLinear: Bool

    /// Makes a context.
    public override convenience init() { self.init(options: nil) }

    /// Makes a context; the two colour spaces count, other options are ignored.
    public init(options: [CIContextOption: Any]?) {
        workingColorSpace = options?[.workingColorSpace] is NSNull ? nil : CGColorSpace(name: CGColorSpace.extendedLinearSRGB)
        isOutputLinear = (options?[.outputColorSpace] as? CGColorSpace).map(Self.isLinear) ?? false
        super.init()
    }

    /// Makes a context for Metal's device, which takes no part in the work.
    public convenience init(mtlDevice device: any MTLDevice, options: [CIContextOption: Any]? = nil) { self.init(options: options) }

    /// Makes a context for a queue of Metal, which takes no part in the work.
    public convenience init(mtlCommandQueue commandQueue: any MTLCommandQueue, options: [CIContextOption: Any]? = nil) {
        self.init(options: options)
    }

    /// Drops what is kept: nothing.
    open func clearCaches() {}
    /// Greatest size of a picture to be rendered, pixels.
    open func inputImageMaximumSize() -> CGSize { CGSize(width: 16384, height: 16384) }
    /// Greatest size of a rendering, pixels.
    open func outputImageMaximumSize() -> CGSize { CGSize(width: 16384, height: 16384) }

    /// Renders the part of a picture that lies over the buffer, whose lower left corner is the origin. Pixels without a picture become clear.
    open func render(_ image: CIImage, to buffer: CVPixelBuffer) {
        let bounds = CGRect(x: 0, y: 0, width: CVPixelBufferGetWidth(buffer), height: CVPixelBufferGetHeight(buffer))
        render(image, to: buffer, bounds: bounds, colorSpace: CGColorSpace(name: CGColorSpace.sRGB))
    }

    /// Renders a rectangle of a picture to the upper left of the buffer: BGRA, RGBA, ARGB, grey, `420v` or `420f`; traps for another format, by name.
    ///
    /// Without a space pixels are those that filters work on.
    open func render(_ image: CIImage, to buffer: CVPixelBuffer, bounds: CGRect, colorSpace: CGColorSpace?) {
        var region = PixelRegion(bounds)
        region.maxX = min(region.maxX, region.minX + CVPixelBufferGetWidth(buffer))
        region.minY = max(region.minY, region.maxY - CVPixelBufferGetHeight(buffer))
        let encoder = encoder(image, region, colorSpace, else: false)
        let format: CIFormat
        switch CVPixelBufferGetPixelFormatType(buffer) {
        case kCVPixelFormatType_32BGRA: format = .BGRA8
        case kCVPixelFormatType_32RGBA: format = .RGBA8
        case kCVPixelFormatType_32ARGB: format = .ARGB8
        case kCVPixelFormatType_OneComponent8: format = .L8
        case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: return encoder.write(region, to: buffer, isFull: false)
        case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: return encoder.write(region, to: buffer, isFull: true)
        case let other:
            let name = String(fourCharacterCode: other)
            preconditionFailure("Core Image renders to no buffers of the pixel format \(name.debugDescription); see Coverage.md")
        }
        let plane = buffer.plane(0)
        encoder.write(region, to: plane.base, bytesPerRow: plane.bytesPerRow, format)
    }

    /// Renders a rectangle of a picture to memory, the top row first. Without a space pixels are those that filters work on.
    open func render(
        _ image: CIImage, toBitmap data: UnsafeMutableRawPointer, rowBytes: Int, bounds: CGRect, format: CIFormat, colorSpace: CGColorSpace?
    ) {
        let region = PixelRegion(bounds)
        precondition(format.bytesPerPixel > 0, "Core Image renders no format number \(format.rawValue); see Coverage.md")
        precondition(rowBytes >= region.width * format.bytesPerPixel, "Core Image: \(rowBytes) bytes are no row of \(region.width) pixels")
        encoder(image, region, colorSpace, else: false).write(region, to: data, bytesPerRow: rowBytes, format)
    }

    /// Renders the part of a picture within a rectangle as a bitmap of sRGB; nil for an empty or infinite one.
    open func createCGImage(_ image: CIImage, from fromRect: CGRect) -> CGImage? {
        createCGImage(image, from: fromRect, format: .RGBA8, colorSpace: nil)
    }

    /// Renders the part of a picture within a rectangle as a bitmap; nil for an empty or infinite one, and for a format without a name.
    open func createCGImage(_ image: CIImage, from fromRect: CGRect, format: CIFormat, colorSpace: CGColorSpace?) -> CGImage? {
        let part = fromRect.integral.intersection(image.extent)
        let region = PixelRegion(part)
        guard !region.isEmpty, !part.isInfinite, region.width <= 1 << 16, region.height <= 1 << 16, format.bytesPerPixel > 0 else { return nil }
        let stride = region.width * format.bytesPerPixel
        var bytes = Data(count: stride * region.height)
        let encoder = encoder(image, region, colorSpace, else: true)
        bytes.withUnsafeMutableBytes { encoder.write(region, to: $0.baseAddress!, bytesPerRow: stride, format) }
        let alpha: CGImageAlphaInfo = format == .L8 ? .none : [.RGBA8, .RGBAf, .RGBAh].contains(format) ? .premultipliedLast : .premultipliedFirst
        var info = CGBitmapInfo(rawValue: alpha.rawValue)
        if format == .BGRA8 { info.insert(.byteOrder32Little) }
        if format == .RGBAf { info.formUnion([.floatComponents, kCGBitmapByteOrder32Host]) }
        if format == .RGBAh { info.formUnion([.floatComponents, kCGBitmapByteOrder16Host]) }
        let usual = format == .L8 ? CGColorSpaceCreateDeviceGray() : CGColorSpace(name: CGColorSpace.sRGB) ?? CGColorSpaceCreateDeviceRGB()
        guard let provider = CGDataProvider(data: bytes as CFData) else { return nil }
        let depth = format == .RGBAf ? 32 : format == .RGBAh ? 16 : 8
        return CGImage(
            width: region.width, height: region.height, bitsPerComponent: depth, bitsPerPixel: 8 * format.bytesPerPixel, bytesPerRow: stride,
            space: colorSpace ?? usual, bitmapInfo: info, provider: provider, decode: nil, shouldInterpolate: true, intent: .defaultIntent)
    }

    static func isLinear(_ space: CGColorSpace) -> Bool {
        [CGColorSpace.linearSRGB, CGColorSpace.extendedLinearSRGB, CGColorSpace.linearGray, CGColorSpace.extendedLinearDisplayP3].contains(space.name)
    }

    private func encoder(_ image: CIImage, _ region: PixelRegion, _ space: CGColorSpace?, else isUsual: Bool) -> TileEncoder {
        let isWorkLinear = workingColorSpace != nil
        let isCoded = space.map { !Self.isLinear($0) } ?? (isUsual && !isOutputLinear)
        return TileEncoder(tile: image.tile(region, isLinear: isWorkLinear), isCoded: isWorkLinear && isCoded)
    }
}
