import AVFoundation
import CoreImage
import CoreImage.CIFilterBuiltins
import Foundation
import UIKit

// A camera with filters, as a stranger writes it.

/// Shows and takes frames through a chain of filters.
final class FilterCamera: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, @unchecked Sendable {
    enum Look: String, CaseIterable {
        case none = ""
        case chrome = "CIPhotoEffectChrome"
        case noir = "CIPhotoEffectNoir"
        case sepia = "CISepiaTone"
        case vignette = "CIVignette"
    }

    let session = AVCaptureSession()
    private let output = AVCaptureVideoDataOutput()
    private let queue = DispatchQueue(label: "filters.frames", qos: .userInteractive)
    private let context = CIContext(options: [.useSoftwareRenderer: false, .cacheIntermediates: false, .name: "Filters"])
    private var pool: CVPixelBufferPool?
    private let lock = NSLock()
    private var chosen = Look.none
    private var newest: (picture: UIImage, buffer: CVPixelBuffer)?

    var look: Look {
        get { lock.withLock { chosen } }
        set { lock.withLock { chosen = newValue } }
    }
    var picture: UIImage? { lock.withLock { newest?.picture } }
    var buffer: CVPixelBuffer? { lock.withLock { newest?.buffer } }

    func start(position: AVCaptureDevice.Position = .front) throws {
        session.sessionPreset = .vga640x480
        guard let device = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: position) else { return }
        let input = try AVCaptureDeviceInput(device: device)
        if session.canAddInput(input) { session.addInput(input) }
        output.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
        output.alwaysDiscardsLateVideoFrames = true
        output.setSampleBufferDelegate(self, queue: queue)
        if session.canAddOutput(output) { session.addOutput(output) }
        if let connection = output.connection(with: .video) {
            if connection.isVideoRotationAngleSupported(90) { connection.videoRotationAngle = 90 }
            if connection.isVideoMirroringSupported {
                connection.automaticallyAdjustsVideoMirroring = false
                connection.isVideoMirrored = position == .front
            }
        }
        session.startRunning()
    }

    func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        guard let frame = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
        var image = CIImage(cvImageBuffer: frame)
        let look = self.look
        if look != .none, let filter = CIFilter(name: look.rawValue) {
            filter.setValue(image, forKey: kCIInputImageKey)
            if look == .vignette {
                filter.setValue(2, forKey: kCIInputIntensityKey)
                filter.setValue(1.5, forKey: kCIInputRadiusKey)
            }
            image = filter.outputImage ?? image
        }
        let controls = CIFilter.colorControls()
        controls.inputImage = image
        (controls.saturation, controls.brightness, controls.contrast) = (1, 0, 1.05)
        let result = (controls.outputImage ?? image).cropped(to: image.extent)
        guard let rendered = render(result, like: frame), let bitmap = context.createCGImage(result, from: result.extent) else { return }
        let picture = UIImage(cgImage: bitmap, scale: 1, orientation: .up)
        lock.withLock { newest = (picture, rendered) }
    }

    private func render(_ image: CIImage, like frame: CVPixelBuffer) -> CVPixelBuffer? {
        if pool == nil {
            let attributes: [CFString: Any] = [
                kCVPixelBufferPixelFormatTypeKey: CVPixelBufferGetPixelFormatType(frame), kCVPixelBufferWidthKey: CVPixelBufferGetWidth(frame),
                kCVPixelBufferHeightKey: CVPixelBufferGetHeight(frame), kCVPixelBufferIOSurfacePropertiesKey: [:] as CFDictionary,
            ]
            let counts = [kCVPixelBufferPoolMinimumBufferCountKey: 3] as CFDictionary
            guard CVPixelBufferPoolCreate(kCFAllocatorDefault, counts, attributes as CFDictionary, &pool) == kCVReturnSuccess else { return nil }
        }
        var buffer: CVPixelBuffer?
        guard let pool, CVPixelBufferPoolCreatePixelBuffer(nil, pool, &buffer) == kCVReturnSuccess, let buffer else { return nil }
        CVBufferPropagateAttachments(frame, buffer)
        context.render(image, to: buffer, bounds: image.extent, colorSpace: CGColorSpaceCreateDeviceRGB())
        return buffer
    }
}
