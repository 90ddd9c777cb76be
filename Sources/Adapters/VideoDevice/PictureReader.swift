import CoreVideo
import Pipeline

/// Reader of the driver's pictures: one pass from its memory to a `420v` buffer of BT.709.
///
/// NV12, NV21, YU12, YV12, YUYV and UYVY are read as they are; libv4lconvert decodes everything else (JPEG, Bayer, RGB) to YU12 first.
final class PictureReader {
    /// Picture in the driver's memory.
    struct Source {
        var pixelFormat: FourCC
        var width: Int
        var height: Int
        /// Bytes from one row to the next, of each plane of memory; 0 where the rows are packed.
        var strides: [Int]
        /// Planes of memory, one for most formats.
        var planes: [UnsafeRawBufferPointer]
    }

    private let path: String
    private let conversion: YCbCrConversion
    private let pool: CVPixelBufferPool
    private var decoder: OddFormatDecoder?

    /// - Parameter path: node of the camera, for errors.
    init(_ format: StreamFormat, path: String) throws(VideoDeviceError) {
        self.path = path
        let isDecoded = !Self.isReadDirectly(format.pixelFormat)
        // JPEG's components are those of JFIF: BT.601 in full range. libv4lconvert makes BT.601 in video range of RGB.
        let isJPEG = [.mjpeg, .jpeg].contains(format.pixelFormat)
        conversion =
            isJPEG
            ? YCbCrConversion(from: .bt601, isFullRange: true)
            : isDecoded ? YCbCrConversion(from: .bt601, isFullRange: false) : YCbCrConversion(from: format.matrix, isFullRange: format.isFullRange)
        pool = CVPixelBufferPool(width: format.width, height: format.height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        decoder = isDecoded ? try OddFormatDecoder(format, path: path) : nil
    }

    /// Whether pictures of a format can be made into `420v`.
    static func canRead(_ format: FourCC) -> Bool { isReadDirectly(format) || OddFormatDecoder.canDecode(format) }

    private static func isReadDirectly(_ format: FourCC) -> Bool {
        [.nv12, .nv12Planes, .nv21, .yuv420, .yvu420, .yuyv, .uyvy].contains(format)
    }

    /// Returns the picture in a buffer of its own; nil for one that is cut short or damaged.
    func read(_ source: Source) -> CVPixelBuffer? {
        guard let decoder else { return convert(source) }
        return decoder.withDecoded(source) { convert($0) } ?? nil
    }

    private func convert(_ source: Source) -> CVPixelBuffer? {
        guard let samples = YCbCrConversion.Samples(source) else { return nil }
        let picture = pool.makeBuffer()
        conversion.convert(samples, into: picture)
        PictureCopies.count(.conversion, of: picture)
        return picture
    }
}

extension YCbCrConversion.Samples where Code == UInt8 {
    /// Nil where the memory does not hold the whole picture.
    init?(_ source: PictureReader.Source) {
        let (width, height) = (source.width, source.height)
        guard let first = source.planes.first, let base = first.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
        let isPacked = [.yuyv, .uyvy].contains(source.pixelFormat)
        let stride = max(source.strides.first ?? 0, isPacked ? 2 * width : width)
        guard !isPacked else {
            guard first.count >= stride * (height - 1) + 2 * width else { return nil }
            let (y, cb, cr) = source.pixelFormat == .yuyv ? (base, base + 1, base + 3) : (base + 1, base, base + 2)
            self.init(y: y, cb: cb, cr: cr, lumaStep: 2, chromaStep: 4, lumaStride: stride, chromaStride: stride, isTall: true)
            return
        }
        let isInterleaved = [.nv12, .nv12Planes, .nv21].contains(source.pixelFormat)
        let hasOwnPlane = source.planes.count > 1
        let chroma = hasOwnPlane ? source.planes[1] : UnsafeRawBufferPointer(rebasing: first.dropFirst(stride * height))
        let pitch = hasOwnPlane && source.strides.count > 1 && source.strides[1] > 0 ? source.strides[1] : isInterleaved ? stride : stride / 2
        let (rows, rowBytes) = (height / 2, isInterleaved ? width : width / 2)
        let needed = isInterleaved ? pitch * (rows - 1) + rowBytes : pitch * (2 * rows - 1) + rowBytes
        guard first.count >= stride * (height - 1) + width, chroma.count >= needed,
            let start = chroma.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return nil }
        let second = start + (isInterleaved ? 1 : pitch * rows)
        let isReversed = [.nv21, .yvu420].contains(source.pixelFormat)
        self.init(
            y: base, cb: isReversed ? second : start, cr: isReversed ? start : second, chromaStep: isInterleaved ? 2 : 1, lumaStride: stride,
            chromaStride: pitch)
    }
}
