import AVFoundation
import CoreGraphics

// Cause 3: paths and drawing into bitmaps, as overlays, thumbnails and scanners' viewfinders need them.

/// Region of a viewfinder in which an app looks for codes.
public struct ScanRegion {
    public let outline: CGPath
    public init(in rect: CGRect) { outline = CGPath(roundedRect: rect, cornerWidth: 8, cornerHeight: 8, transform: nil) }

    public func holds(_ corners: [CGPoint]) -> Bool {
        let shape = CGMutablePath()
        shape.addLines(between: corners)
        shape.closeSubpath()
        return !shape.isEmpty && outline.boundingBoxOfPath.contains(shape.boundingBox) && corners.allSatisfy { outline.contains($0) }
    }

    /// Kinds of the outline's elements, as a view would follow them.
    public var kinds: [CGPathElementType] {
        var kinds: [CGPathElementType] = []
        outline.applyWithBlock { kinds.append($0.pointee.type) }
        return kinds
    }
}

/// Pictures that an app makes of those it has.
public enum Sketches {
    /// The picture, as large as fits into the side, on black.
    public static func thumbnail(of image: CGImage, side: Int) -> CGImage? {
        let info = CGImageAlphaInfo.noneSkipLast.rawValue
        guard
            let context = CGContext(
                data: nil, width: side, height: side, bitsPerComponent: 8, bytesPerRow: 0, space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: info)
        else { return nil }
        context.setFillColor(CGColor(gray: 0, alpha: 1))
        context.fill(CGRect(x: 0, y: 0, width: side, height: side))
        context.interpolationQuality = .high
        let size = CGSize(width: image.width, height: image.height)
        context.draw(image, in: AVMakeRect(aspectRatio: size, insideRect: CGRect(x: 0, y: 0, width: side, height: side)))
        return context.makeImage()
    }

    /// Draws a disc over a pixel buffer, counted from its top as metadata are.
    public static func mark(_ place: CGPoint, radius: CGFloat, on buffer: CVPixelBuffer) {
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        let (width, height) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer))
        let info = kCGBitmapByteOrder32Host.rawValue | CGImageAlphaInfo.noneSkipFirst.rawValue
        guard
            let context = CGContext(
                data: CVPixelBufferGetBaseAddress(buffer), width: width, height: height, bitsPerComponent: 8,
                bytesPerRow: CVPixelBufferGetBytesPerRow(buffer), space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: info)
        else { return }
        context.translateBy(x: 0, y: CGFloat(height))
        context.scaleBy(x: 1, y: -1)
        context.saveGState()
        context.setFillColor(red: 1, green: 0.8, blue: 0, alpha: 1)
        context.fillEllipse(in: CGRect(x: place.x - radius, y: place.y - radius, width: 2 * radius, height: 2 * radius))
        context.restoreGState()
    }
}
