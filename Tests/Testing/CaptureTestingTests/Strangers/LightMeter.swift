import AVFoundation
import ImageIO

/// Exposure meter over a camera: follows what automatic exposure chooses, smooths it, and lights the scene where it gets dark.
final class LightMeter: NSObject, @unchecked Sendable {
    /// Measurement of the camera at one moment.
    struct Reading: Equatable, Sendable {
        var iso: Double
        var shutter: Double
        var aperture: Double
        var offset: Double

        /// Exposure value at ISO 100; nil before the camera has measured anything.
        var ev100: Double? {
            guard iso > 0, shutter > 0, shutter.isFinite, aperture > 0 else { return nil }
            return log2(aperture * aperture / shutter) - log2(iso / 100) + offset
        }
    }

    /// Called with every reading, on the main queue.
    var onReading: (@Sendable (Reading) -> Void)?

    let session = AVCaptureSession()
    private let queue = DispatchQueue(label: "meter.session")
    private let frames = DispatchQueue(label: "meter.frames", qos: .utility)
    private var observations: [NSKeyValueObservation] = []
    private var device: AVCaptureDevice?
    private var smoothed: Double?
    private(set) var brightness: Double?
    private(set) var exifISO: Int?
    private(set) var isSteady = false
    /// Whether the torch follows the light.
    var lightsTorch = true

    enum Failure: Error { case noCamera, notAllowed }

    func start() async throws {
        guard await AVCaptureDevice.requestAccess(for: .video) else { throw Failure.notAllowed }
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            queue.async { done.resume(with: Result { try self.configure() }) }
        }
    }

    private func configure() throws {
        guard let device = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back) ?? .default(for: .video) else {
            throw Failure.noCamera
        }
        self.device = device
        let input = try AVCaptureDeviceInput(device: device)
        session.beginConfiguration()
        session.sessionPreset = .vga640x480
        if session.canAddInput(input) { session.addInput(input) }
        let output = AVCaptureVideoDataOutput()
        output.alwaysDiscardsLateVideoFrames = true
        output.setSampleBufferDelegate(self, queue: frames)
        if session.canAddOutput(output) { session.addOutput(output) }
        session.commitConfiguration()
        watch(device)
        session.startRunning()
    }

    private func watch(_ device: AVCaptureDevice) {
        let settled: @Sendable (AVCaptureDevice) -> Void = { [weak self] in
            self?.isSteady = !$0.isAdjustingExposure && !$0.isAdjustingFocus && !$0.isAdjustingWhiteBalance
        }
        observations = [
            device.observe(\.exposureTargetOffset, options: [.initial, .new]) { [weak self] device, _ in self?.read(device) },
            device.observe(\.iso, options: .new) { [weak self] device, _ in self?.read(device) },
            device.observe(\.lensAperture, options: .new) { [weak self] device, _ in self?.read(device) },
            device.observe(\.isAdjustingExposure, options: [.initial, .new]) { device, _ in settled(device) },
            device.observe(\.isAdjustingFocus, options: [.initial, .new]) { device, _ in settled(device) },
            device.observe(\.isAdjustingWhiteBalance, options: [.initial, .new]) { device, _ in settled(device) },
        ]
    }

    private func read(_ device: AVCaptureDevice) {
        let reading = Reading(
            iso: Double(device.iso), shutter: CMTimeGetSeconds(device.exposureDuration), aperture: Double(device.lensAperture),
            offset: Double(device.exposureTargetOffset))
        DispatchQueue.main.async { [weak self] in self?.onReading?(reading) }
    }

    /// Value that stands on the dial.
    var dial: String { String(format: "%.1f", frames.sync { smoothed } ?? 0) }

    // MARK: what the user turns

    /// Holds the exposure at a shutter speed and a film speed, within what the camera has.
    func hold(shutter: Double, iso: Float) throws {
        try configure { device in
            let format = device.activeFormat
            let wanted = CMTimeMakeWithSeconds(shutter, preferredTimescale: 1_000_000_000)
            let duration = CMTimeMaximum(format.minExposureDuration, CMTimeMinimum(format.maxExposureDuration, wanted))
            device.setExposureModeCustom(duration: duration, iso: max(format.minISO, min(format.maxISO, iso)), completionHandler: nil)
        }
    }

    /// Goes back to automatic exposure, with a bias in EV.
    func release(bias: Float = 0) throws {
        try configure { device in
            if device.isExposureModeSupported(.continuousAutoExposure) { device.exposureMode = .continuousAutoExposure }
            device.setExposureTargetBias(max(device.minExposureTargetBias, min(device.maxExposureTargetBias, bias)))
        }
    }

    /// Follows the fingers of a pinch.
    func pinch(scale: CGFloat, from start: CGFloat, isOver: Bool) throws {
        try configure { device in
            let factor = max(device.minAvailableVideoZoomFactor, min(device.maxAvailableVideoZoomFactor, start * scale))
            if device.isRampingVideoZoom { device.cancelVideoZoomRamp() }
            if isOver { device.ramp(toVideoZoomFactor: factor, withRate: 8) } else { device.videoZoomFactor = factor }
        }
    }

    private func configure(_ body: (AVCaptureDevice) -> Void) throws {
        try queue.sync {
            guard let device else { throw Failure.noCamera }
            try device.lockForConfiguration()
            defer { device.unlockForConfiguration() }
            body(device)
        }
    }
}

extension LightMeter: AVCaptureVideoDataOutputSampleBufferDelegate {
    func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        guard
            let exif = CMGetAttachment(sampleBuffer, key: kCGImagePropertyExifDictionary, attachmentModeOut: nil) as? [CFString: Any],
            let value = exif[kCGImagePropertyExifBrightnessValue] as? Double
        else { return }
        brightness = value
        exifISO = (exif[kCGImagePropertyExifISOSpeedRatings] as? [Int])?.first
        smoothed = smoothed.map { $0 * 0.8 + value * 0.2 } ?? value
        guard lightsTorch, let device, device.hasTorch, device.isTorchAvailable else { return }
        let isLit = device.torchMode == .on
        guard !isLit && value < -1 || isLit && value > 4, (try? device.lockForConfiguration()) != nil else { return }
        if isLit { device.torchMode = .off } else { try? device.setTorchModeOn(level: AVCaptureDevice.maxAvailableTorchLevel) }
        device.unlockForConfiguration()
    }
}
