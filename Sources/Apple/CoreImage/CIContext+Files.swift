import CoreVideo
import Foundation
import ImageIO

/// Pictures as files.
extension CIContext {
    /// Encodes a picture's extent as JPEG with its properties, by default at ImageIO's quality; nil for an empty or infinite one. What is
    /// transparent is black.
    public func jpegRepresentation(
        of image: CIImage, colorSpace: CGColorSpace, options: [CIImageRepresentationOption: Any] = [:]
    ) -> Data? { file(of: image, "public.jpeg", colorSpace, options) }

    /// Encodes a picture's extent as PNG; nil for an empty or infinite one. Files have 8 bits a component, whatever the format.
    public func pngRepresentation(
        of image: CIImage, format: CIFormat, colorSpace: CGColorSpace, options: [CIImageRepresentationOption: Any] = [:]
    ) -> Data? { file(of: image, "public.png", colorSpace, options) }

    /// Returns nil, as for a picture that cannot be encoded: there is no encoder of HEIC.
    public func heifRepresentation(
        of image: CIImage, format: CIFormat, colorSpace: CGColorSpace, options: [CIImageRepresentationOption: Any] = [:]
    ) -> Data? { nil }

    /// Writes a picture's extent as JPEG. Throws `CocoaError` where there is nothing to encode, and Foundation's errors.
    public func writeJPEGRepresentation(
        of image: CIImage, to url: URL, colorSpace: CGColorSpace, options: [CIImageRepresentationOption: Any] = [:]
    ) throws { try write(jpegRepresentation(of: image, colorSpace: colorSpace, options: options), to: url) }

    /// Writes a picture's extent as PNG. Throws `CocoaError` where there is nothing to encode, and Foundation's errors.
    public func writePNGRepresentation(
        of image: CIImage, to url: URL, format: CIFormat, colorSpace: CGColorSpace, options: [CIImageRepresentationOption: Any] = [:]
    ) throws { try write(pngRepresentation(of: image, format: format, colorSpace: colorSpace, options: options), to: url) }

    private func write(_ file: Data?, to url: URL) throws {
        guard let file else {
            let reason = "a picture without pixels or without bounds makes no file"
            throw CocoaError(.fileWriteUnknown, userInfo: [NSURLErrorKey: url, NSLocalizedDescriptionKey: reason])
        }
        try file.write(to: url, options: .atomic)
    }

    private func file(of image: CIImage, _ type: String, _ space: CGColorSpace, _ options: [CIImageRepresentationOption: Any]) -> Data? {
        let file = NSMutableData()
        guard let bitmap = createCGImage(image, from: image.extent, format: .RGBA8, colorSpace: space.model == .rgb ? space : nil),
            let destination = CGImageDestinationCreateWithData(file, type as CFString, 1, nil)
        else { return nil }
        let quality = CIImageRepresentationOption(rawValue: kCGImageDestinationLossyCompressionQuality as String)
        var properties = image.properties
        properties[kCGImageDestinationLossyCompressionQuality as String] = options[quality]
        CGImageDestinationAddImage(destination, bitmap, properties as CFDictionary)
        return CGImageDestinationFinalize(destination) ? file as Data : nil
    }
}
