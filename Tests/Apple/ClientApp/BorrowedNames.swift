import AVFoundation
import AVKit
import CoreGraphics
import CoreMedia
import CoreVideo
import Foundation
import os

// Names that capture code takes from Apple's other modules.

private let logger = Logger(subsystem: "app.camera", category: "names")

/// Everything once, as an app would write it.
public enum BorrowedNames {
    public static func bufferAttributes(width: NSInteger, height: NSInteger) -> CFDictionary {
        [
            kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA, kCVPixelBufferWidthKey as String: width,
            kCVPixelBufferHeightKey as String: height, kCVPixelBufferIOSurfacePropertiesKey as String: [:] as CFDictionary,
        ] as CFDictionary
    }

    public static func makeBuffer(width: Int, height: Int) -> CVPixelBuffer? {
        var pool: CVPixelBufferPool?
        var status: CVReturn = CVPixelBufferPoolCreate(kCFAllocatorDefault, nil, bufferAttributes(width: width, height: height), &pool)
        guard status == kCVReturnSuccess, let pool else {
            logger.error("no pool: \(status, privacy: .public)")
            return nil
        }
        return autoreleasepool {
            var buffer: CVPixelBuffer?
            status = CVPixelBufferPoolCreatePixelBuffer(kCFAllocatorDefault, pool, &buffer)
            return buffer
        }
    }

    public static func code(of format: AVCaptureDevice.Format) -> FourCharCode {
        let type: OSType = CMFormatDescriptionGetMediaSubType(format.formatDescription)
        return type
    }

    public static func zoom(_ factor: NSNumber) -> CGFloat { CGFloat(truncating: factor) }
    public static func nanoseconds(_ seconds: Double) -> UInt64 { UInt64(seconds * Double(NSEC_PER_SEC)) }
    public static func upright(_ rect: CGRect, turned angle: CGFloat) -> CGRect {
        rect.applying(CGAffineTransform.identity.translatedBy(x: 0.5, y: 0.5).rotated(by: angle).translatedBy(x: -0.5, y: -0.5))
    }

    public static func movieURL(_ name: CFString) -> URL { URL.moviesDirectory.appendingPathComponent(name as String) }

    public static func freeSpace(at url: URL) throws -> Int64? {
        try url.resourceValues(forKeys: [.volumeAvailableCapacityForImportantUsageKey]).volumeAvailableCapacityForImportantUsage
    }

    public static func isFine(_ status: OSStatus) -> Bool { status == noErr }
}

// Comparing sizes is the app's own business.
extension CMVideoDimensions: Equatable, Comparable {
    public static func == (lhs: CMVideoDimensions, rhs: CMVideoDimensions) -> Bool { lhs.width == rhs.width && lhs.height == rhs.height }
    public static func < (lhs: CMVideoDimensions, rhs: CMVideoDimensions) -> Bool { lhs.width * lhs.height < rhs.width * rhs.height }
}

/// A viewfinder of an app that draws the frames of a video data output itself.
@MainActor
public final class FrameView {
    public let layer = AVSampleBufferDisplayLayer()

    public init() { layer.videoGravity = .resizeAspectFill }

    public func show(_ sample: CMSampleBuffer) {
        if layer.sampleBufferRenderer.status == .failed { layer.sampleBufferRenderer.flush() }
        if layer.sampleBufferRenderer.isReadyForMoreMediaData { layer.sampleBufferRenderer.enqueue(sample) }
    }
}
