import CoreVideo
import Pipeline
import Synchronization

/// Joint bilateral upsampling of refined disparity to the picture (Kopf et al., SIGGRAPH 2007): near a jump each pixel is on that side which looks like it.
public final class JointUpsampler: DisparityUpsampler {
    /// Widest map in pixels: as wide as a movie's picture usually is; a lens that has to enlarge further hardly shows it.
    public static let widestMap = 1920
    /// Upsampler of maps of a pair, which is matched at a half of their width, and of what has to keep up with a camera.
    public static var ofPairs: JointUpsampler { JointUpsampler(width: 960) }

    /// The widest map that is made, pixels; one that is wider already stays as it is.
    public let width: Int
    private let pool = Mutex(CVPixelBufferPool?.none)

    /// Creates an upsampler to maps as wide as the picture, or `width` pixels.
    public init(width: Int = widestMap) { self.width = width }

    /// `map` of `picture` (`420v`), as large as it is or `width` wide.
    public func upsampled(_ map: DisparityMap, along picture: CVPixelBuffer) throws -> DisparityMap {
        guard let target = target(for: map, of: picture) else { return map }
        let buffer = pool.withLock { pool in
            if pool.map({ ($0.width, $0.height) != target }) ?? true {
                pool = CVPixelBufferPool(width: target.width, height: target.height, pixelFormat: kCVPixelFormatType_DisparityFloat32)
            }
            return pool!.makeBuffer()
        }
        try upsample(map, along: picture, into: buffer)
        return DisparityMap(buffer: buffer, confidence: map.confidence, isMetric: map.isMetric)
    }

    /// The size of the map of a picture; nil for a map that is as large already.
    private func target(for map: DisparityMap, of picture: CVPixelBuffer) -> (width: Int, height: Int)? {
        let (size, wanted) = (picture.size, min(width, picture.size.width))
        let height = Int((Double(size.height * wanted) / Double(size.width)).rounded())
        return map.width < wanted && map.height < height ? (wanted, height) : nil
    }
}
