import AVFoundation
import CoreImage
import CoreImage.CIFilterBuiltins
import CoreMedia

// Cause 6: Core Image between the camera and the preview.

/// Renderer of a look, as a video filter of an app keeps one.
public final class LookRenderer {
    private let context = CIContext(options: [.workingColorSpace: NSNull(), .cacheIntermediates: false])
    private let matrix = CIFilter(name: "CIColorMatrix")
    private var pool: CVPixelBufferPool?
    public private(set) var isPrepared = false

    public init() {}

    public func prepare(with description: CMFormatDescription, retainedBuffers: Int) {
        let size = CMVideoFormatDescriptionGetDimensions(description)
        let attributes: [String: Any] = [
            kCVPixelBufferPixelFormatTypeKey as String: UInt(kCVPixelFormatType_32BGRA), kCVPixelBufferWidthKey as String: Int(size.width),
            kCVPixelBufferHeightKey as String: Int(size.height),
        ]
        let rules = [kCVPixelBufferPoolMinimumBufferCountKey as String: retainedBuffers]
        CVPixelBufferPoolCreate(kCFAllocatorDefault, rules as NSDictionary, attributes as NSDictionary, &pool)
        isPrepared = pool != nil
    }

    /// The frame without its red.
    public func render(_ frame: CVPixelBuffer) -> CVPixelBuffer? {
        guard let matrix, let pool else { return nil }
        matrix.setValue(CIImage(cvImageBuffer: frame), forKey: kCIInputImageKey)
        matrix.setValue(CIVector(x: 0, y: 0, z: 0, w: 0), forKey: "inputRVector")
        var target: CVPixelBuffer?
        CVPixelBufferPoolCreatePixelBuffer(kCFAllocatorDefault, pool, &target)
        guard let target, let output = matrix.value(forKey: kCIOutputImageKey) as? CIImage else { return nil }
        context.render(output, to: target, bounds: output.extent, colorSpace: CGColorSpaceCreateDeviceRGB())
        return target
    }

    /// Thumbnail of the frame, turned upright, softened and cropped square.
    public func thumbnail(_ frame: CVPixelBuffer, side: CGFloat) -> CGImage? {
        let upright = CIImage(cvPixelBuffer: frame).oriented(.right)
        let blur = CIFilter.gaussianBlur()
        blur.inputImage = upright.clampedToExtent()
        blur.radius = 1
        let scale = side / min(upright.extent.width, upright.extent.height)
        guard let soft = blur.outputImage?.cropped(to: upright.extent) else { return nil }
        let small = soft.transformed(by: CGAffineTransform(scaleX: scale, y: scale))
        return context.createCGImage(small, from: CGRect(x: 0, y: 0, width: side, height: side))
    }

    public func jpeg(_ frame: CVPixelBuffer) -> Data? {
        context.jpegRepresentation(of: CIImage(cvPixelBuffer: frame), colorSpace: CGColorSpace(name: CGColorSpace.sRGB)!)
    }
}
