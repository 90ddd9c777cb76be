import AVFoundation

/// Pulse meter: a finger on the lens, lit by the torch, whose redness the meter follows at a steady exposure.
final class PulseMeter: NSObject, @unchecked Sendable {
    struct Sample: Sendable {
        let time: CMTime
        /// Means of the colours, 0…255.
        let red, green, blue: Double
    }

    enum Failure: Error { case noCamera, noFormat, torch }

    let session = AVCaptureSession()
    private let frames = DispatchQueue(label: "pulse.frames", qos: .userInteractive)
    private let output = AVCaptureVideoDataOutput()
    private let lock = NSLock()
    private var taken: [Sample] = []
    private(set) var device: AVCaptureDevice?

    var samples: [Sample] { lock.withLock { taken } }

    /// Beats per minute, from the times at which the brightness rises through its mean; nil before there are three.
    var beatsPerMinute: Double? {
        let samples = samples
        guard !samples.isEmpty else { return nil }
        let mean = samples.reduce(0) { $0 + $1.green } / Double(samples.count)
        let rises = zip(samples, samples.dropFirst()).filter { $0.green < mean && $1.green >= mean }.map { $1.time.seconds }
        guard rises.count >= 3, let first = rises.first, let last = rises.last else { return nil }
        return 60 * Double(rises.count - 1) / (last - first)
    }

    func start(framesPerSecond: Double) throws {
        guard let device = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back) else { throw Failure.noCamera }
        self.device = device
        session.beginConfiguration()
        session.sessionPreset = .inputPriority
        let input = try AVCaptureDeviceInput(device: device)
        guard session.canAddInput(input) else { throw Failure.noCamera }
        session.addInput(input)
        output.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: NSNumber(value: kCVPixelFormatType_32BGRA)]
        output.alwaysDiscardsLateVideoFrames = true
        output.setSampleBufferDelegate(self, queue: frames)
        guard session.canAddOutput(output) else { throw Failure.noCamera }
        session.addOutput(output)
        session.commitConfiguration()
        // The smallest format that is fast enough.
        let fitting = device.formats.filter { format in
            format.videoSupportedFrameRateRanges.contains { ($0.minFrameRate...$0.maxFrameRate).contains(framesPerSecond) }
        }
        let format = fitting.min {
            let (a, b) = (CMVideoFormatDescriptionGetDimensions($0.formatDescription), CMVideoFormatDescriptionGetDimensions($1.formatDescription))
            return Int(a.width) * Int(a.height) < Int(b.width) * Int(b.height)
        }
        guard let format else { throw Failure.noFormat }
        session.startRunning()
        try device.lockForConfiguration()
        defer { device.unlockForConfiguration() }
        device.activeFormat = format
        let duration = CMTime(seconds: 1 / framesPerSecond, preferredTimescale: 600)
        device.activeVideoMinFrameDuration = duration
        device.activeVideoMaxFrameDuration = duration
        guard device.hasTorch, device.isTorchModeSupported(.on) else { throw Failure.torch }
        try device.setTorchModeOn(level: 0.5)
    }

    /// Holds exposure and colours as they are.
    func hold() throws {
        guard let device else { return }
        try device.lockForConfiguration()
        defer { device.unlockForConfiguration() }
        if device.isExposureModeSupported(.locked) { device.exposureMode = .locked }
        if device.isWhiteBalanceModeSupported(.locked) { device.whiteBalanceMode = .locked }
        if device.isFocusModeSupported(.locked) { device.focusMode = .locked }
        lock.withLock { taken = [] }
    }

    func stop() {
        session.stopRunning()
        guard let device, (try? device.lockForConfiguration()) != nil else { return }
        if device.torchMode != .off { device.torchMode = .off }
        device.unlockForConfiguration()
    }
}

extension PulseMeter: AVCaptureVideoDataOutputSampleBufferDelegate {
    func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        guard let buffer = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
        CVPixelBufferLockBaseAddress(buffer, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
        guard let base = CVPixelBufferGetBaseAddress(buffer)?.assumingMemoryBound(to: UInt8.self) else { return }
        let (width, height, row) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer), CVPixelBufferGetBytesPerRow(buffer))
        var sums = (red: 0, green: 0, blue: 0)
        var count = 0
        for y in stride(from: 0, to: height, by: 8) {
            for x in stride(from: 0, to: width, by: 8) {
                let pixel = base + y * row + 4 * x
                sums = (sums.red + Int(pixel[2]), sums.green + Int(pixel[1]), sums.blue + Int(pixel[0]))
                count += 1
            }
        }
        let time = CMSampleBufferGetPresentationTimeStamp(sampleBuffer)
        let sample = Sample(
            time: time, red: Double(sums.red) / Double(count), green: Double(sums.green) / Double(count), blue: Double(sums.blue) / Double(count))
        lock.withLock { taken.append(sample) }
    }
}
