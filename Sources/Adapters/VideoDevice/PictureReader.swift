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
        guard let samples = Samples(source) else { return nil }
        let picture = pool.makeBuffer()
        conversion.convert(samples, into: picture)
        PictureCopies.count(.conversion, of: picture)
        return picture
    }
}

/// Places of the components of a YCbCr picture with 8 bits each.
struct Samples {
    typealias Bytes = UnsafePointer<UInt8>
    /// First luma, first blue-difference and first red-difference sample.
    let (y, cb, cr): (Bytes, Bytes, Bytes)
    /// Bytes from a sample to the next of its row: of luma, and of chroma.
    let (lumaStep, chromaStep): (Int, Int)
    /// Bytes from a row to the next.
    let (lumaStride, chromaStride): (Int, Int)
    /// Whether every row has chroma of its own (4:2:2).
    let isTall: Bool

    /// Nil where the memory does not hold the whole picture.
    init?(_ source: PictureReader.Source) {
        let (width, height) = (source.width, source.height)
        guard let first = source.planes.first, let base = first.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
        let isPacked = [.yuyv, .uyvy].contains(source.pixelFormat)
        let stride = max(source.strides.first ?? 0, isPacked ? 2 * width : width)
        lumaStride = stride
        guard !isPacked else {
            guard first.count >= stride * (height - 1) + 2 * width else { return nil }
            let isYUYV = source.pixelFormat == .yuyv
            (y, cb, cr) = isYUYV ? (base, base + 1, base + 3) : (base + 1, base, base + 2)
            (lumaStep, chromaStep, chromaStride, isTall) = (2, 4, stride, true)
            return
        }
        (y, lumaStep, isTall) = (base, 1, false)
        let isInterleaved = [.nv12, .nv12Planes, .nv21].contains(source.pixelFormat)
        let hasOwnPlane = source.planes.count > 1
        let chroma = hasOwnPlane ? source.planes[1] : UnsafeRawBufferPointer(rebasing: first.dropFirst(stride * height))
        let pitch = hasOwnPlane && source.strides.count > 1 && source.strides[1] > 0 ? source.strides[1] : isInterleaved ? stride : stride / 2
        let (rows, rowBytes) = (height / 2, isInterleaved ? width : width / 2)
        let needed = isInterleaved ? pitch * (rows - 1) + rowBytes : pitch * (2 * rows - 1) + rowBytes
        guard first.count >= stride * (height - 1) + width, chroma.count >= needed,
            let start = chroma.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return nil }
        chromaStride = pitch
        if isInterleaved {
            chromaStep = 2
            (cb, cr) = source.pixelFormat == .nv21 ? (start + 1, start) : (start, start + 1)
        } else {
            chromaStep = 1
            let second = start + pitch * rows
            (cb, cr) = source.pixelFormat == .yvu420 ? (second, start) : (start, second)
        }
    }
}
