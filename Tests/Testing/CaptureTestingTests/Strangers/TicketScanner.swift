import AVFoundation
import CoreImage
import CoreImage.CIFilterBuiltins
import UIKit

/// Scanner at an entrance: reads tickets within a frame on the screen, lights them by itself in the dark, and photographs the sheet that the code is on, flattened.
@MainActor
final class TicketScanner: NSObject {
    enum Phase: Equatable { case idle, denied, scanning, found(Ticket) }

    struct Ticket: Equatable, Sendable {
        let text: String
        let type: AVMetadataObject.ObjectType
        /// Corners on the screen, the code's own upper left first and counter-clockwise.
        let corners: [CGPoint]
        /// Box of the code on the screen.
        let box: CGRect
    }

    private(set) var phase = Phase.idle { didSet { onPhase?(phase) } }
    private(set) var sheet: UIImage?
    private(set) var isTorchLit = false
    var onPhase: ((Phase) -> Void)?
    let preview = AVCaptureVideoPreviewLayer()
    /// Frame on the screen that tickets are held into.
    var window = CGRect.zero { didSet { limit() } }

    private nonisolated let session = AVCaptureSession()
    private let codes = AVCaptureMetadataOutput()
    private nonisolated let video = AVCaptureVideoDataOutput()
    private let photos = AVCapturePhotoOutput()
    private let sessionQueue = DispatchQueue(label: "tickets.session")
    private let videoQueue = DispatchQueue(label: "tickets.video")
    private var camera: AVCaptureDevice?
    private var torch: NSKeyValueObservation?
    private var observers: [any NSObjectProtocol] = []
    /// Texts of this visit, each told once.
    private var known: Set<String> = []
    private let feedback = UINotificationFeedbackGenerator()
    private nonisolated(unsafe) var darkFrames = 0

    func start() async {
        switch AVCaptureDevice.authorizationStatus(for: .video) {
        case .authorized: break
        case .notDetermined:
            guard await AVCaptureDevice.requestAccess(for: .video) else { fallthrough }
        case .denied, .restricted:
            phase = .denied
            return
        @unknown default:
            phase = .denied
            return
        }
        do { try configure() } catch { return phase = .idle }
        feedback.prepare()
        let session = session
        await withCheckedContinuation { done in
            sessionQueue.async {
                session.startRunning()
                done.resume()
            }
        }
        limit()
        phase = .scanning
    }

    private func configure() throws {
        guard let camera = AVCaptureDevice.default(for: .video) else { throw AVError(.deviceNotConnected) }
        self.camera = camera
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        session.sessionPreset = .hd1920x1080
        let input = try AVCaptureDeviceInput(device: camera)
        guard session.canAddInput(input), session.canAddOutput(codes), session.canAddOutput(video), session.canAddOutput(photos) else {
            throw AVError(.unknown)
        }
        session.addInput(input)
        session.addOutput(codes)
        session.addOutput(video)
        session.addOutput(photos)
        codes.setMetadataObjectsDelegate(self, queue: .main)
        codes.metadataObjectTypes = [.qr, .aztec, .pdf417, .dataMatrix].filter(codes.availableMetadataObjectTypes.contains)
        video.setSampleBufferDelegate(self, queue: videoQueue)
        preview.session = session
        preview.videoGravity = .resizeAspectFill
        if let connection = preview.connection, connection.isVideoRotationAngleSupported(90) { connection.videoRotationAngle = 90 }

        try camera.lockForConfiguration()
        if camera.isFocusModeSupported(.continuousAutoFocus) { camera.focusMode = .continuousAutoFocus }
        if camera.isAutoFocusRangeRestrictionSupported { camera.autoFocusRangeRestriction = .near }
        camera.unlockForConfiguration()

        torch = camera.observe(\.isTorchActive, options: [.initial, .new]) { [weak self] _, change in
            let isLit = change.newValue ?? false
            Task { @MainActor in self?.isTorchLit = isLit }
        }
        observers = [
            NotificationCenter.default.addObserver(
                forName: AVCaptureInput.Port.formatDescriptionDidChangeNotification, object: nil, queue: .main
            ) { [weak self] _ in MainActor.assumeIsolated { self?.limit() } }
        ]
    }

    private func limit() {
        guard !window.isEmpty, !preview.bounds.isEmpty else { return }
        codes.rectOfInterest = preview.metadataOutputRectConverted(fromLayerRect: window)
    }

    /// Takes the next ticket.
    func next() { phase = .scanning }

    func stop() {
        observers.forEach(NotificationCenter.default.removeObserver)
        torch?.invalidate()
        setTorch(0)
        sessionQueue.sync { session.stopRunning() }
        phase = .idle
    }

    // MARK: light

    func setTorch(_ level: Float) {
        guard let camera, camera.hasTorch, camera.isTorchAvailable else { return }
        do {
            try camera.lockForConfiguration()
            defer { camera.unlockForConfiguration() }
            if level > 0 { try camera.setTorchModeOn(level: min(level, AVCaptureDevice.maxAvailableTorchLevel)) } else { camera.torchMode = .off }
        } catch {
            isTorchLit = false
        }
    }

    // MARK: sheet

    /// Photographs what the last ticket is on, cut out and flattened.
    func photograph() async throws -> UIImage? {
        guard case .found(let ticket) = phase, ticket.corners.count == 4 else { return nil }
        let taker = SheetTaker()
        let data = try await taker.take(with: photos)
        guard let picture = CIImage(data: data, options: [.applyOrientationProperty: true]) else { return nil }
        let size = picture.extent.size
        // From the screen to the upright picture, whose origin is below.
        let places = ticket.corners.map { corner in
            let device = preview.captureDevicePointConverted(fromLayerPoint: corner)
            return CGPoint(x: (1 - device.y) * size.width, y: (1 - device.x) * size.height)
        }
        let filter = CIFilter.perspectiveCorrection()
        filter.inputImage = picture
        (filter.topLeft, filter.bottomLeft, filter.bottomRight, filter.topRight) = (places[0], places[1], places[2], places[3])
        guard let flat = filter.outputImage, let image = CIContext().createCGImage(flat, from: flat.extent) else { return nil }
        sheet = UIImage(cgImage: image)
        return sheet
    }
}

extension TicketScanner: AVCaptureMetadataOutputObjectsDelegate {
    nonisolated func metadataOutput(
        _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject], from connection: AVCaptureConnection
    ) {
        MainActor.assumeIsolated {
            guard phase == .scanning else { return }
            for object in metadataObjects {
                guard let code = preview.transformedMetadataObject(for: object) as? AVMetadataMachineReadableCodeObject,
                    let text = code.stringValue, !known.contains(text)
                else { continue }
                known.insert(text)
                feedback.notificationOccurred(.success)
                phase = .found(Ticket(text: text, type: code.type, corners: code.corners, box: code.bounds))
                return
            }
        }
    }
}

extension TicketScanner: AVCaptureVideoDataOutputSampleBufferDelegate {
    nonisolated func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        let attachments = CMCopyDictionaryOfAttachments(
            allocator: kCFAllocatorDefault, target: sampleBuffer, attachmentMode: kCMAttachmentMode_ShouldPropagate)
        guard let properties = attachments as? [String: Any], let exif = properties[kCGImagePropertyExifDictionary as String] as? [String: Any],
            let brightness = exif[kCGImagePropertyExifBrightnessValue as String] as? Double
        else { return }
        darkFrames = brightness < -2 ? darkFrames + 1 : 0
        guard darkFrames == 10 else { return }
        DispatchQueue.main.async { self.setTorch(0.6) }
    }
}

/// Receiver of the photo of a sheet.
private final class SheetTaker: NSObject, AVCapturePhotoCaptureDelegate, @unchecked Sendable {
    private var continuation: CheckedContinuation<Data, any Error>?

    @MainActor
    func take(with output: AVCapturePhotoOutput) async throws -> Data {
        defer { withExtendedLifetime(self) {} }
        return try await withCheckedThrowingContinuation { continuation in
            self.continuation = continuation
            output.connection(with: .video)?.videoRotationAngle = 90
            output.capturePhoto(with: AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg]), delegate: self)
        }
    }

    func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?) {
        if let data = photo.fileDataRepresentation() {
            continuation?.resume(returning: data)
        } else {
            continuation?.resume(throwing: error ?? AVError(.unknown))
        }
        continuation = nil
    }
}
