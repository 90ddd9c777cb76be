import Foundation

/// A bitmap: bytes, their layout and the meaning of their components. Immutable.
public final class CGImage: @unchecked Sendable {
    /// Width in pixels.
    public let width: Int
    /// Height in rows.
    public let height: Int
    /// Bits of one component.
    public let bitsPerComponent: Int
    /// Bits of one pixel, unused ones included.
    public let bitsPerPixel: Int
    /// Stride of a row in bytes.
    public let bytesPerRow: Int
    /// Meaning of the components; nil for a mask, which none is here.
    public let colorSpace: CGColorSpace?
    /// Alpha, byte order and number type of the pixels.
    public let bitmapInfo: CGBitmapInfo
    /// Bytes of the picture, from its first row on.
    public let dataProvider: CGDataProvider?
    /// Whether a device may smooth the enlarged picture; kept without effect.
    public let shouldInterpolate: Bool
    /// Treatment of colours that a device does not have; kept without effect.
    public let renderingIntent: CGColorRenderingIntent

    /// Makes a picture of a provider's bytes, from the top row on; nil where sizes contradict each other or bytes are missing. `decode` is ignored.
    public init?(
        width: Int, height: Int, bitsPerComponent: Int, bitsPerPixel: Int, bytesPerRow: Int, space: CGColorSpace, bitmapInfo: CGBitmapInfo,
        provider: CGDataProvider, decode: UnsafePointer<CGFloat>?, shouldInterpolate: Bool, intent: CGColorRenderingIntent
    ) {
        guard width > 0, height > 0, [1, 2, 4, 5, 8, 10, 16, 32].contains(bitsPerComponent), bitsPerPixel > 0,
            CGImageAlphaInfo(rawValue: bitmapInfo.intersection(.alphaInfoMask).rawValue) != nil,
            bitsPerPixel >= bitsPerComponent * Self.components(space, bitmapInfo)
        else { return nil }
        let rowBytes = (width.multipliedReportingOverflow(by: bitsPerPixel), bytesPerRow.multipliedReportingOverflow(by: height - 1))
        guard !rowBytes.0.overflow, !rowBytes.1.overflow else { return nil }
        let used = (rowBytes.0.partialValue + 7) / 8
        guard bytesPerRow >= used, provider.bytes.count - used >= rowBytes.1.partialValue else { return nil }
        self.width = width
        self.height = height
        self.bitsPerComponent = bitsPerComponent
        self.bitsPerPixel = bitsPerPixel
        self.bytesPerRow = bytesPerRow
        colorSpace = space
        self.bitmapInfo = bitmapInfo
        dataProvider = provider
        self.shouldInterpolate = shouldInterpolate
        renderingIntent = intent
    }

    /// Components of a pixel that have bits of their own.
    private static func components(_ space: CGColorSpace, _ info: CGBitmapInfo) -> Int {
        switch CGImageAlphaInfo(rawValue: info.intersection(.alphaInfoMask).rawValue) {
        case .alphaOnly: 1
        case .none?, nil: space.numberOfComponents
        default: space.numberOfComponents + 1
        }
    }

    /// Alpha of the pixels and its place.
    public var alphaInfo: CGImageAlphaInfo { CGImageAlphaInfo(rawValue: bitmapInfo.intersection(.alphaInfoMask).rawValue) ?? .none }
    /// Order of the bytes of the pixels.
    public var byteOrderInfo: CGImageByteOrderInfo {
        CGImageByteOrderInfo(rawValue: bitmapInfo.intersection(.byteOrderMask).rawValue) ?? .orderDefault
    }
    /// Whether the picture is a stencil; never here.
    public var isMask: Bool { false }

    /// Returns the part within `rect`, in pixels from the top left, rounded outwards; nil where that lies outside.
    public func cropping(to rect: CGRect) -> CGImage? {
        let part = rect.integral.intersection(CGRect(x: 0, y: 0, width: width, height: height))
        guard !part.isNull, part.width >= 1, part.height >= 1, bitsPerPixel % 8 == 0, let bytes = dataProvider?.bytes else { return nil }
        let start = Int(part.minY) * bytesPerRow + Int(part.minX) * bitsPerPixel / 8
        guard let colorSpace, let provider = CGDataProvider(data: Data(bytes.dropFirst(start)) as CFData) else { return nil }
        return CGImage(
            width: Int(part.width), height: Int(part.height), bitsPerComponent: bitsPerComponent, bitsPerPixel: bitsPerPixel,
            bytesPerRow: bytesPerRow, space: colorSpace, bitmapInfo: bitmapInfo, provider: provider, decode: nil,
            shouldInterpolate: shouldInterpolate, intent: renderingIntent)
    }

    /// Returns a picture of the same pixels.
    public func copy() -> CGImage? { colorSpace.flatMap(copy(colorSpace:)) }

    /// Returns a picture of the same bytes with another meaning; nil for a space of another number of components.
    public func copy(colorSpace: CGColorSpace) -> CGImage? {
        guard let dataProvider, colorSpace.numberOfComponents == self.colorSpace?.numberOfComponents else { return nil }
        return CGImage(
            width: width, height: height, bitsPerComponent: bitsPerComponent, bitsPerPixel: bitsPerPixel, bytesPerRow: bytesPerRow,
            space: colorSpace, bitmapInfo: bitmapInfo, provider: dataProvider, decode: nil, shouldInterpolate: shouldInterpolate,
            intent: renderingIntent)
    }
}

extension CGImage {
    /// Makes a picture of a `BGRA` buffer by copying its pixels; nil for another format.
    package static func make(_ buffer: CVPixelBuffer) -> CGImage? {
        guard buffer.pixelFormat == kCVPixelFormatType_32BGRA else { return nil }
        let plane = buffer.plane(0)
        let data = Data(bytes: plane.base, count: plane.bytesPerRow * plane.height)
        guard let provider = CGDataProvider(data: data as CFData) else { return nil }
        return CGImage(
            width: plane.width, height: plane.height, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: plane.bytesPerRow,
            space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: [.byteOrder32Little, CGBitmapInfo(rawValue: CGImageAlphaInfo.noneSkipFirst.rawValue)],
            provider: provider, decode: nil, shouldInterpolate: true, intent: .defaultIntent)
    }
}
