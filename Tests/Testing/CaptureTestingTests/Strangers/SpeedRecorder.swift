import AVFoundation
import CoreImage
import CoreImage.CIFilterBuiltins

/// Recorder of slow motion and of time lapse: takes the fastest or the slowest pictures, gives them other times and a look, and writes them.
final class SpeedRecorder: NSObject, @unchecked Sendable {
    enum Mode: Equatable, Sendable {
        /// Played `factor` times as slow as it was filmed.
        case slow(factor: Int32)
        /// A picture each `interval` seconds, played at 30 a second.
        case lapse(interval: Double)
    }

    enum Failure: Error { case noCamera, noFormat, writer((any Error)?) }

    let session = AVCaptureSession()
    let size = CGSize(width: 320, height: 180)
    private let output = AVCaptureVideoDataOutput()
    private let queue = DispatchQueue(label: "speed.queue")
    private let context = CIContext(options: [.workingColorSpace: NSNull(), .cacheIntermediates: false])
    private let mode: Mode
    private var device: AVCaptureDevice?
    private var writer: AVAssetWriter?
    private var input: AVAssetWriterInput?
    private var adaptor: AVAssetWriterInputPixelBufferAdaptor?
    private var first: CMTime?
    private var taken = 0
    private(set) var durations: Set<Double> = []

    init(_ mode: Mode) { self.mode = mode }

    /// Format of the most pictures a second, the largest of these up to 1080p.
    static func fastest(of device: AVCaptureDevice) -> (format: AVCaptureDevice.Format, range: AVFrameRateRange)? {
        var best: (format: AVCaptureDevice.Format, range: AVFrameRateRange)?
        for format in device.formats where CMVideoFormatDescriptionGetDimensions(format.formatDescription).height <= 1080 {
            for range in format.videoSupportedFrameRateRanges {
                guard let old = best else {
                    best = (format, range)
                    continue
                }
                let new = CMVideoFormatDescriptionGetDimensions(format.formatDescription)
                let known = CMVideoFormatDescriptionGetDimensions(old.format.formatDescription)
                if range.maxFrameRate > old.range.maxFrameRate || range.maxFrameRate == old.range.maxFrameRate && new.width > known.width {
                    best = (format, range)
                }
            }
        }
        return best
    }

    func start() throws {
        guard let device = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back) else { throw Failure.noCamera }
        self.device = device
        let input = try AVCaptureDeviceInput(device: device)
        session.beginConfiguration()
        guard session.canAddInput(input), session.canAddOutput(output) else { throw Failure.noFormat }
        session.addInput(input)
        output.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: Int(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)]
        output.setSampleBufferDelegate(self, queue: queue)
        session.addOutput(output)
        output.connection(with: .video)?.preferredVideoStabilizationMode = .off
        // Ahead of the rate, which a new input resets.
        session.commitConfiguration()
        try device.lockForConfiguration()
        defer { device.unlockForConfiguration() }
        switch mode {
        case .slow:
            guard let (format, range) = Self.fastest(of: device) else { throw Failure.noFormat }
            device.activeFormat = format
            device.activeVideoMinFrameDuration = range.minFrameDuration
            device.activeVideoMaxFrameDuration = range.minFrameDuration
        case .lapse:
            device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 10)
            device.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: 10)
            if device.isExposureModeSupported(.locked) { device.exposureMode = .locked }
        }
    }

    var rate: Double { device.map { 1 / CMTimeGetSeconds($0.activeVideoMinFrameDuration) } ?? 0 }

    func record(to url: URL) throws {
        try queue.sync {
            try? FileManager.default.removeItem(at: url)
            let writer = try AVAssetWriter(url: url, fileType: .mov)
            var settings = output.recommendedVideoSettings(forVideoCodecType: .h264, assetWriterOutputFileType: .mov) ?? [:]
            settings[AVVideoWidthKey] = size.width
            settings[AVVideoHeightKey] = size.height
            guard writer.canApply(outputSettings: settings, forMediaType: .video) else { throw Failure.writer(nil) }
            let input = AVAssetWriterInput(mediaType: .video, outputSettings: settings)
            input.expectsMediaDataInRealTime = true
            let attributes: [String: Any] = [
                kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA, kCVPixelBufferWidthKey as String: size.width,
                kCVPixelBufferHeightKey as String: size.height, kCVPixelBufferIOSurfacePropertiesKey as String: [:] as [String: Any],
            ]
            adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input, sourcePixelBufferAttributes: attributes)
            guard writer.canAdd(input) else { throw Failure.writer(nil) }
            writer.add(input)
            guard writer.startWriting() else { throw Failure.writer(writer.error) }
            writer.startSession(atSourceTime: .zero)
            (self.writer, self.input, first, taken) = (writer, input, nil, 0)
        }
    }

    func finish() async throws -> URL {
        guard let writer, let input else { throw Failure.writer(nil) }
        queue.sync { self.input = nil }
        input.markAsFinished()
        await writer.finishWriting()
        guard writer.status == .completed else { throw Failure.writer(writer.error) }
        return writer.outputURL
    }
}

extension SpeedRecorder: AVCaptureVideoDataOutputSampleBufferDelegate {
    func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        durations.insert(CMTimeGetSeconds(CMSampleBufferGetDuration(sampleBuffer)))
        guard let input, let adaptor, let picture = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
        let time = CMSampleBufferGetPresentationTimeStamp(sampleBuffer)
        let start = first ?? time
        first = start
        let passed = CMTimeSubtract(time, start)
        let moved: CMTime
        switch mode {
        case .slow(let factor): moved = CMTimeMultiply(passed, multiplier: factor)
        case .lapse(let interval):
            guard CMTimeGetSeconds(passed) >= Double(taken) * interval - 0.001 else { return }
            moved = CMTime(value: CMTimeValue(taken), timescale: 30)
        }
        guard input.isReadyForMoreMediaData, let pool = adaptor.pixelBufferPool else { return }
        var drawn: CVPixelBuffer?
        guard CVPixelBufferPoolCreatePixelBuffer(kCFAllocatorDefault, pool, &drawn) == kCVReturnSuccess, let drawn else { return }
        context.render(look(picture), to: drawn, bounds: CGRect(origin: .zero, size: size), colorSpace: CGColorSpaceCreateDeviceRGB())
        if adaptor.append(drawn, withPresentationTime: moved) { taken += 1 }
    }

    private func look(_ picture: CVPixelBuffer) -> CIImage {
        let image = CIImage(cvPixelBuffer: picture)
        let scale = size.width / image.extent.width
        let filter = CIFilter.colorControls()
        filter.inputImage = image.transformed(by: CGAffineTransform(scaleX: scale, y: scale))
        filter.saturation = 0
        filter.contrast = 1.1
        let mark = CIImage(color: CIColor(red: 1, green: 1, blue: 1)).cropped(to: CGRect(x: 8, y: 8, width: 24, height: 8))
        return mark.composited(over: filter.outputImage ?? image)
    }
}
