import AVFoundation
import Accelerate
import CoreImage
import CoreImage.CIFilterBuiltins
import CoreMotion
import MobileCoreServices
import UIKit

// Cause: how the phone is held, and what becomes of a picture after it was taken.

/// Model of a level, which also tells connections how the phone is turned while the interface stays as it is.
@MainActor public final class LevelModel: ObservableObject {
    @Published public private(set) var degrees = 0.0
    @Published public private(set) var orientation = UIDeviceOrientation.portrait
    private let manager = CMMotionManager()
    private let queue = OperationQueue()

    public init() { queue.maxConcurrentOperationCount = 1 }

    public func start() {
        guard manager.isAccelerometerAvailable else { return }
        manager.accelerometerUpdateInterval = 1 / 30
        manager.startAccelerometerUpdates(to: .main) { [weak self] data, error in
            guard let data, error == nil else { return }
            let (x, y) = (data.acceleration.x, data.acceleration.y)
            MainActor.assumeIsolated { self?.take(x, y) }
        }
        if manager.isDeviceMotionAvailable {
            manager.deviceMotionUpdateInterval = 0.02
            manager.startDeviceMotionUpdates(using: .xArbitraryZVertical)
        }
    }

    public func stop() {
        if manager.isAccelerometerActive { manager.stopAccelerometerUpdates() }
        manager.stopDeviceMotionUpdates()
    }

    public var pitch: Double? { manager.deviceMotion.map { $0.attitude.pitch * 180 / .pi } }

    private func take(_ x: Double, _ y: Double) {
        degrees = atan2(x, -y) * 180 / .pi
        orientation = abs(y) < abs(x) ? (x > 0 ? .landscapeRight : .landscapeLeft) : (y > 0 ? .portraitUpsideDown : .portrait)
    }

    /// Orientation of the interface, as the first scene has it.
    public static var interface: UIInterfaceOrientation {
        let scenes = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
        return scenes.first { $0.activationState == .foregroundActive }?.interfaceOrientation ?? .unknown
    }
}

/// Scanner of pages: four corners of a photo become a page with round corners, which is kept in the library.
public final class PageScanner {
    private let context = CIContext()

    public init() {}

    /// Page between four corners, found or given.
    public func page(_ photo: CIImage, _ corners: [CGPoint]) -> CIImage? {
        let detector = CIDetector(ofType: CIDetectorTypeRectangle, context: context, options: [CIDetectorAccuracy: CIDetectorAccuracyHigh])
        let found = detector?.features(in: photo).compactMap { $0 as? CIRectangleFeature }.first
        let correction = CIFilter.perspectiveCorrection()
        correction.inputImage = photo
        correction.topLeft = found?.topLeft ?? corners[0]
        correction.topRight = found?.topRight ?? corners[1]
        correction.bottomRight = found?.bottomRight ?? corners[2]
        correction.bottomLeft = found?.bottomLeft ?? corners[3]
        guard let page = correction.outputImage else { return nil }
        let shape = CIFilter.roundedRectangleGenerator()
        (shape.extent, shape.radius, shape.color) = (page.extent, 4, .white)
        return shape.outputImage.map { page.applyingFilter("CISourceInCompositing", parameters: [kCIInputBackgroundImageKey: $0]) }
    }

    public func keep(_ page: CIImage) {
        guard let bitmap = context.createCGImage(page, from: page.extent) else { return }
        UIImageWriteToSavedPhotosAlbum(UIImage(cgImage: bitmap), nil, nil, nil)
    }
}

/// Input of a network: pixels of a frame, scaled and without alpha.
public struct NetworkInput {
    public init() {}

    public func bytes(of frame: CVPixelBuffer, side: Int) -> Data? {
        guard CVPixelBufferGetPixelFormatType(frame) == kCMPixelFormat_32BGRA else { return nil }
        CVPixelBufferLockBaseAddress(frame, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(frame, .readOnly) }
        var source = vImage_Buffer(
            data: CVPixelBufferGetBaseAddress(frame), height: vImagePixelCount(CVPixelBufferGetHeight(frame)),
            width: vImagePixelCount(CVPixelBufferGetWidth(frame)), rowBytes: CVPixelBufferGetBytesPerRow(frame))
        guard let scaled = malloc(side * side * 4), let colours = malloc(side * side * 3) else { return nil }
        defer {
            free(scaled)
            free(colours)
        }
        var small = vImage_Buffer(data: scaled, height: vImagePixelCount(side), width: vImagePixelCount(side), rowBytes: side * 4)
        var plain = vImage_Buffer(data: colours, height: vImagePixelCount(side), width: vImagePixelCount(side), rowBytes: side * 3)
        guard vImageScale_ARGB8888(&source, &small, nil, vImage_Flags(0)) == kvImageNoError,
            vImageConvert_BGRA8888toRGB888(&small, &plain, UInt32(kvImageNoFlags)) == kvImageNoError
        else { return nil }
        return Data(bytes: colours, count: side * side * 3)
    }

    /// Whether an identifier, as pickers of files give it, is one of a movie.
    public static func isMovie(_ type: String) -> Bool { type == kUTTypeMovie as String || UTTypeConformsTo(type as CFString, kUTTypeMovie) }
}
