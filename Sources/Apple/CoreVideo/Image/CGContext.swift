import Foundation

/// Bitmap in memory, filled by the app itself, or by drawing pictures, paths and lines along them. Nothing writes text or draws gradients.
///
/// The origin of drawing is the lower left corner, that of memory the top row. As on Apple's systems access is not synchronized: a writer makes sure that nobody reads.
public final class CGContext: @unchecked Sendable {
    /// First byte of the top row; valid as long as the context.
    public let data: UnsafeMutableRawPointer?
    /// Width in pixels.
    public let width: Int
    /// Height in rows.
    public let height: Int
    /// Bits of one component.
    public let bitsPerComponent: Int
    /// Bits of one pixel.
    public let bitsPerPixel: Int
    /// Stride of a row in bytes.
    public let bytesPerRow: Int
    /// Meaning of the components.
    public let colorSpace: CGColorSpace?
    /// Alpha, byte order and number type of the pixels.
    public let bitmapInfo: CGBitmapInfo
    private let ownsMemory: Bool
    /// State of drawing, and the states put aside by `saveGState()`.
    var drawing = Drawing()
    var saved: [Drawing] = []
    /// Path under way, in pixels from the lower left corner.
    var outline = CGMutablePath()

    /// Makes a bitmap in the app's memory, or without `data` in zeroed memory of its own; nil where the sizes contradict each other.
    ///
    /// Components have 8, 16 or 32 bits. A stride of 0 leaves it to the context, unless the memory is the app's.
    public init?(
        data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int, bytesPerRow: Int, space: CGColorSpace, bitmapInfo: UInt32
    ) {
        let info = CGBitmapInfo(rawValue: bitmapInfo)
        guard width > 0, height > 0, width <= 1 << 20, height <= 1 << 20, [8, 16, 32].contains(bitsPerComponent),
            let alpha = CGImageAlphaInfo(rawValue: info.intersection(.alphaInfoMask).rawValue)
        else { return nil }
        // As Core Graphics, which fills no context of three packed components and none of colours not multiplied by alpha.
        let components: Int
        switch (space.model, alpha) {
        case (.monochrome, .none), (_, .alphaOnly): components = 1
        case (.rgb, .premultipliedLast), (.rgb, .premultipliedFirst), (.rgb, .noneSkipLast), (.rgb, .noneSkipFirst): components = 4
        default: return nil
        }
        let used = width * components * bitsPerComponent / 8
        let stride = bytesPerRow == 0 && data == nil ? (used + 63) & ~63 : bytesPerRow
        guard stride >= used, stride <= 1 << 30 else { return nil }
        self.data = data ?? calloc(height, stride)
        guard self.data != nil else { return nil }
        ownsMemory = data == nil
        self.width = width
        self.height = height
        self.bitsPerComponent = bitsPerComponent
        bitsPerPixel = components * bitsPerComponent
        self.bytesPerRow = stride
        colorSpace = space
        self.bitmapInfo = info
    }

    deinit {
        if ownsMemory { free(data) }
    }

    /// Alpha of the pixels and its place.
    public var alphaInfo: CGImageAlphaInfo { CGImageAlphaInfo(rawValue: bitmapInfo.intersection(.alphaInfoMask).rawValue) ?? .none }

    /// Returns a copy of the bitmap as it is now.
    public func makeImage() -> CGImage? {
        guard let data, let colorSpace else { return nil }
        let used = width * bitsPerPixel / 8
        // The last row of an app's memory may end with its pixels.
        guard let provider = CGDataProvider(data: Data(bytes: data, count: bytesPerRow * (height - 1) + used) as CFData) else { return nil }
        return CGImage(
            width: width, height: height, bitsPerComponent: bitsPerComponent, bitsPerPixel: bitsPerPixel, bytesPerRow: bytesPerRow,
            space: colorSpace, bitmapInfo: bitmapInfo, provider: provider, decode: nil, shouldInterpolate: true, intent: .defaultIntent)
    }
}
