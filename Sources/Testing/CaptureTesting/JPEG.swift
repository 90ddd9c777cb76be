import AVFCapture
import CPixelLoops
import CoreVideo
import Foundation
import JPEGFiles
import Pipeline
import Support

/// JPEG file of a picture with its properties as EXIF data.
enum JPEG {
    /// Encodes a `420v` picture, its pixels as the camera saw them; how it is to be turned stands in the EXIF data.
    static func data(_ picture: CVPixelBuffer, _ photo: PhotoDescription) throws -> Data {
        let image = PictureConverter().convert(picture, to: kCVPixelFormatType_32BGRA, rotation: 0, isMirrored: false).plane(0)
        let (width, height) = (image.width, image.height)
        var pixels = Data(count: 3 * width * height)
        pixels.withUnsafeMutableBytes { pixels in
            guard let pixels = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            for y in 0..<height { CPixelLoops_arrange(image.row(y), 4, [2, 1, 0], 3, pixels + 3 * y * width, width) }
        }
        let data = try Picture(width: width, height: height, components: 3, bytes: pixels).jpeg(quality: 90)
        return EXIFPlace.insert(photo.exif(width: width, height: height), into: data, .jpeg)
    }
}
