import AVFoundation
import Foundation
import UIKit

// A scanner, as a stranger writes it.

/// Looks for codes within a window of the preview.
final class CodeScanner: NSObject, AVCaptureMetadataOutputObjectsDelegate {
    let session = AVCaptureSession()
    let preview = AVCaptureVideoPreviewLayer()
    private let output = AVCaptureMetadataOutput()
    private var seen = Set<String>()
    var onCode: ((String, AVMetadataObject.ObjectType, [CGPoint]) -> Void)?
    var device: AVCaptureDevice?
    var isTorchOn: Bool {
        get { device?.torchMode == .on }
        set {
            guard let device, device.hasTorch, device.isTorchAvailable, (try? device.lockForConfiguration()) != nil else { return }
            defer { device.unlockForConfiguration() }
            if newValue { try? device.setTorchModeOn(level: 0.5) } else { device.torchMode = .off }
        }
    }
    var window: CGRect { output.rectOfInterest }

    static let kinds: [AVMetadataObject.ObjectType] = [.qr, .ean13, .ean8, .code128, .pdf417, .aztec, .dataMatrix, .upce]

    func start() throws {
        guard let device = AVCaptureDevice.default(for: .video) else { throw AVError(.deviceNotConnected) }
        self.device = device
        let input = try AVCaptureDeviceInput(device: device)
        session.beginConfiguration()
        session.sessionPreset = device.supportsSessionPreset(.hd1920x1080) ? .hd1920x1080 : .high
        if session.canAddInput(input) { session.addInput(input) }
        if session.canAddOutput(output) {
            session.addOutput(output)
            output.setMetadataObjectsDelegate(self, queue: DispatchQueue.main)
            output.metadataObjectTypes = Self.kinds.filter { output.availableMetadataObjectTypes.contains($0) }
        }
        session.commitConfiguration()
        preview.session = session
        preview.videoGravity = .resizeAspectFill
        preview.connection?.videoOrientation = .portrait
        try zoomForSmallCodes(device, size: 20)
        session.startRunning()
    }

    func limit(to rect: CGRect) { output.rectOfInterest = preview.metadataOutputRectConverted(fromLayerRect: rect) }

    private func zoomForSmallCodes(_ device: AVCaptureDevice, size: Float) throws {
        let nearest = Float(device.minimumFocusDistance)
        guard nearest != -1 else { return }
        let angle = device.activeFormat.videoFieldOfView / 2 * .pi / 180
        let distance = size / 0.6 / tan(angle) / 2
        guard distance < nearest else { return }
        try device.lockForConfiguration()
        device.videoZoomFactor = CGFloat(min(nearest / distance, Float(device.activeFormat.videoMaxZoomFactor)))
        if device.isAutoFocusRangeRestrictionSupported { device.autoFocusRangeRestriction = .near }
        if device.isFocusPointOfInterestSupported { device.focusPointOfInterest = CGPoint(x: 0.5, y: 0.5) }
        device.unlockForConfiguration()
    }

    func metadataOutput(_ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject], from connection: AVCaptureConnection) {
        for case let code as AVMetadataMachineReadableCodeObject in metadataObjects {
            guard let text = code.stringValue, !text.isEmpty, seen.insert(text).inserted else { continue }
            let shown = preview.transformedMetadataObject(for: code) as? AVMetadataMachineReadableCodeObject
            DispatchQueue.main.async { UINotificationFeedbackGenerator().notificationOccurred(.success) }
            onCode?(text, code.type, shown?.corners ?? [])
        }
    }
}
