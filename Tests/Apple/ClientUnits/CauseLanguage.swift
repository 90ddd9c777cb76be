import AVFoundation
import CoreFoundation
import OSLog

// Cause 2: neighbours of the language, with AVFoundation as the only import that brings Foundation.

/// Model of a viewfinder, observed by its view.
@Observable
public final class ViewfinderModel {
    public var zoom: CGFloat = 1
    public var isHot = false
    private let log = Logger(subsystem: "unit", category: "viewfinder")

    public init() {}

    public func readHeat() {
        switch ProcessInfo.processInfo.thermalState {
        case .nominal, .fair: isHot = false
        case .serious, .critical: isHot = true
        @unknown default: isHot = true
        }
        log.info("hot: \(self.isHot)")
    }

    public func pool(width: Int, height: Int) -> CVPixelBufferPool? {
        let attributes: NSDictionary = [
            kCVPixelBufferPixelFormatTypeKey as String: NSNumber(value: kCVPixelFormatType_32BGRA),
            kCVPixelBufferWidthKey as String: NSNumber(value: width), kCVPixelBufferHeightKey as String: NSNumber(value: height),
        ]
        var pool: CVPixelBufferPool?
        CVPixelBufferPoolCreate(kCFAllocatorDefault, nil, attributes, &pool)
        return pool
    }

    public func age(since start: CFAbsoluteTime) -> CFTimeInterval { CFAbsoluteTimeGetCurrent() - start }

    public static func line(of error: NSError, after seconds: NSNumber) -> String {
        NSLog("camera: %@ after %@ s", error, seconds)
        return String(format: "%@ after %@ s: %@", error.domain, seconds, error)
    }

    public static func reason(_ error: any Error) -> AVError.Code? { (error as? AVError)?.code }
}
