import AVFoundation
import Accelerate

/// Camera of interviews: the guest from the back, whoever asks from the front in a corner, both in one movie with the sound of the side that is large.
final class InterviewCamera: NSObject, @unchecked Sendable {
    enum Trouble: Error, Equatable { case notSupported, missing(String), tooMuch }

    /// Parts of one side of the phone.
    private final class Side: @unchecked Sendable {
        let position: AVCaptureDevice.Position
        let video = AVCaptureVideoDataOutput()
        let audio = AVCaptureAudioDataOutput()
        let layer = AVCaptureVideoPreviewLayer()
        var input: AVCaptureDeviceInput!
        var newest: CVPixelBuffer?

        init(_ position: AVCaptureDevice.Position) { self.position = position }
    }

    /// Movie under way.
    private final class Reel: @unchecked Sendable {
        let writer: AVAssetWriter
        let video: AVAssetWriterInput
        let audio: AVAssetWriterInput
        let adaptor: AVAssetWriterInputPixelBufferAdaptor
        var hasBegun = false

        init(_ url: URL, _ videoSettings: [String: Any]?, _ audioSettings: [String: Any]?, _ size: CMVideoDimensions) throws {
            writer = try AVAssetWriter(outputURL: url, fileType: .mov)
            video = AVAssetWriterInput(mediaType: .video, outputSettings: videoSettings)
            audio = AVAssetWriterInput(mediaType: .audio, outputSettings: audioSettings)
            adaptor = AVAssetWriterInputPixelBufferAdaptor(
                assetWriterInput: video,
                sourcePixelBufferAttributes: [
                    kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA, kCVPixelBufferWidthKey as String: Int(size.width),
                    kCVPixelBufferHeightKey as String: Int(size.height),
                ])
            for input in [video, audio] {
                input.expectsMediaDataInRealTime = true
                writer.add(input)
            }
        }
    }

    let session = AVCaptureMultiCamSession()
    private let sessionQueue = DispatchQueue(label: "interview.session")
    private let dataQueue = DispatchQueue(label: "interview.data", qos: .userInitiated)
    private let sides = [Side(.back), Side(.front)]
    private var large: Side
    private var reel: Reel?
    private var tokens: [any NSObjectProtocol] = []
    private var observations: [NSKeyValueObservation] = []
    private var log: [String] = []
    private var mixed = 0

    override init() {
        large = sides[0]
        super.init()
        for side in sides { side.layer.setSessionWithNoConnection(session) }
    }

    var layers: [AVCaptureVideoPreviewLayer] { sides.map(\.layer) }
    /// Events in the order in which they came.
    var events: [String] { dataQueue.sync { log } }
    var mixedCount: Int { dataQueue.sync { mixed } }
    var devices: [AVCaptureDevice] { sides.map(\.input.device) }
    var rates: [Double] { devices.map { 1 / $0.activeVideoMinFrameDuration.seconds } }

    private func tell(_ event: String) { dataQueue.async { self.log.append(event) } }

    // MARK: setting up

    func setUp() async throws {
        guard AVCaptureMultiCamSession.isMultiCamSupported else { throw Trouble.notSupported }
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            sessionQueue.async { done.resume(with: Result { try self.configure() }) }
        }
    }

    private func configure() throws {
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        let found = AVCaptureDevice.DiscoverySession(deviceTypes: [.builtInWideAngleCamera], mediaType: .video, position: .unspecified)
        guard let pair = found.supportedMultiCamDeviceSets.first(where: { set in Set(set.map(\.position)) == [.back, .front] }) else {
            throw Trouble.missing("two cameras that go together")
        }
        guard let microphone = AVCaptureDevice.default(for: .audio) else { throw Trouble.missing("microphone") }
        let sound = try AVCaptureDeviceInput(device: microphone)
        session.addInputWithNoConnections(sound)
        for side in sides {
            guard let camera = pair.first(where: { $0.position == side.position }) else { throw Trouble.missing("camera") }
            try chooseFormat(of: camera, width: 1920)
            side.input = try AVCaptureDeviceInput(device: camera)
            session.addInputWithNoConnections(side.input)
            side.video.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
            side.video.alwaysDiscardsLateVideoFrames = false
            side.video.setSampleBufferDelegate(self, queue: dataQueue)
            side.audio.setSampleBufferDelegate(self, queue: dataQueue)
            guard let pictures = side.input.ports(for: .video, sourceDeviceType: camera.deviceType, sourceDevicePosition: camera.position).first,
                let beam = sound.ports(for: .audio, sourceDeviceType: microphone.deviceType, sourceDevicePosition: side.position).first
            else { throw Trouble.missing("port") }
            session.addOutputWithNoConnections(side.video)
            session.addOutputWithNoConnections(side.audio)
            let video = AVCaptureConnection(inputPorts: [pictures], output: side.video)
            let preview = AVCaptureConnection(inputPort: pictures, videoPreviewLayer: side.layer)
            for connection in [video, preview, AVCaptureConnection(inputPorts: [beam], output: side.audio)] {
                guard session.canAddConnection(connection) else { throw Trouble.missing("connection") }
                session.addConnection(connection)
            }
            video.videoRotationAngle = 90
            for connection in [video, preview] {
                connection.automaticallyAdjustsVideoMirroring = false
                connection.isVideoMirrored = side.position == .front
            }
        }
        try lowerCosts()
        observe()
    }

    /// Takes the largest format that goes with another camera and is at most so wide, and 30 frames a second.
    private func chooseFormat(of camera: AVCaptureDevice, width: Int32) throws {
        let formats = camera.formats.filter { $0.isMultiCamSupported && $0.formatDescription.dimensions.width <= width }
        guard let format = formats.max(by: { $0.formatDescription.dimensions.width < $1.formatDescription.dimensions.width }) else {
            throw Trouble.missing("format")
        }
        try camera.lockForConfiguration()
        defer { camera.unlockForConfiguration() }
        camera.activeFormat = format
        let second = format.videoSupportedFrameRateRanges.contains { $0.minFrameRate <= 30 && $0.maxFrameRate >= 30 }
        guard second else { return }
        camera.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 30)
        camera.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: 30)
    }

    /// Makes the corner smaller first, then the other picture.
    private func lowerCosts() throws {
        for width: Int32 in [1280, 640] {
            for side in sides.reversed() where session.hardwareCost > 1 || session.systemPressureCost > 1 {
                try chooseFormat(of: side.input.device, width: width)
            }
        }
        guard session.hardwareCost <= 1, session.systemPressureCost <= 1 else { throw Trouble.tooMuch }
    }

    private func observe() {
        let center = NotificationCenter.default
        tokens = [
            center.addObserver(forName: AVCaptureSession.wasInterruptedNotification, object: session, queue: nil) { [weak self] note in
                let reason = (note.userInfo?[AVCaptureSessionInterruptionReasonKey] as? NSNumber)
                    .flatMap { AVCaptureSession.InterruptionReason(rawValue: $0.intValue) }
                self?.tell("interrupted \(reason.map { "\($0.rawValue)" } ?? "")")
                Task { await self?.end() }
            },
            center.addObserver(forName: AVCaptureSession.interruptionEndedNotification, object: session, queue: nil) { [weak self] _ in
                self?.tell("back")
            },
            center.addObserver(forName: AVCaptureSession.runtimeErrorNotification, object: session, queue: nil) { [weak self] note in
                self?.tell("error \((note.userInfo?[AVCaptureSessionErrorKey] as? AVError)?.code.rawValue ?? 0)")
            },
        ]
        observations = sides.map { side in
            side.input.device.observe(\.systemPressureState, options: .new) { [weak self] _, change in
                guard let self, let level = change.newValue?.level else { return }
                sessionQueue.async { self.slowDown(side, level) }
            }
        }
        observations.append(
            session.observe(\.isRunning, options: .new) { [weak self] _, change in self?.tell(change.newValue == true ? "runs" : "stands") })
    }

    private func slowDown(_ side: Side, _ level: AVCaptureDevice.SystemPressureState.Level) {
        guard level == .serious || level == .critical, reel == nil, (try? side.input.device.lockForConfiguration()) != nil else { return }
        side.input.device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 15)
        side.input.device.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: 15)
        side.input.device.unlockForConfiguration()
    }

    func start() async { await onSession { self.session.startRunning() } }
    func stop() async { await onSession { self.session.stopRunning() } }

    /// Takes pictures of half the width for the corner from now on.
    func shrinkCorner() async { await onSession { try? self.chooseFormat(of: self.sides[1].input.device, width: 960) } }

    private func onSession(_ work: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { done in
            sessionQueue.async {
                work()
                done.resume()
            }
        }
    }

    func swap() { dataQueue.async { self.large = self.large === self.sides[0] ? self.sides[1] : self.sides[0] } }

    // MARK: movie

    func begin(_ url: URL) async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            dataQueue.async {
                done.resume(
                    with: Result {
                        let size = self.sides[0].input.device.activeFormat.formatDescription.dimensions
                        self.reel = try Reel(
                            url, self.sides[0].video.recommendedVideoSettingsForAssetWriter(writingTo: .mov),
                            self.sides[0].audio.recommendedAudioSettingsForAssetWriter(writingTo: .mov),
                            CMVideoDimensions(width: size.height, height: size.width))
                    })
            }
        }
    }

    @discardableResult
    func end() async -> AVAssetWriter.Status? {
        await withCheckedContinuation { done in
            dataQueue.async {
                guard let reel = self.reel, reel.hasBegun else { return done.resume(returning: nil) }
                self.reel = nil
                reel.video.markAsFinished()
                reel.audio.markAsFinished()
                reel.writer.finishWriting {
                    self.tell("movie \(reel.writer.status.rawValue)")
                    done.resume(returning: reel.writer.status)
                }
            }
        }
    }

    /// Copies a picture, and scales another into its lower right quarter of the width.
    private func mix(_ whole: CVPixelBuffer, _ small: CVPixelBuffer, _ pool: CVPixelBufferPool) -> CVPixelBuffer? {
        var made: CVPixelBuffer?
        guard CVPixelBufferPoolCreatePixelBuffer(nil, pool, &made) == kCVReturnSuccess, let made else { return nil }
        CVPixelBufferLockBaseAddress(made, [])
        for buffer in [whole, small] { CVPixelBufferLockBaseAddress(buffer, .readOnly) }
        defer {
            CVPixelBufferUnlockBaseAddress(made, [])
            for buffer in [whole, small] { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
        }
        func view(_ buffer: CVPixelBuffer) -> vImage_Buffer {
            vImage_Buffer(
                data: CVPixelBufferGetBaseAddress(buffer), height: vImagePixelCount(CVPixelBufferGetHeight(buffer)),
                width: vImagePixelCount(CVPixelBufferGetWidth(buffer)), rowBytes: CVPixelBufferGetBytesPerRow(buffer))
        }
        var (target, source, other) = (view(made), view(whole), view(small))
        guard vImageScale_ARGB8888(&source, &target, nil, 0) == kvImageNoError, let base = target.data else { return nil }
        let (width, height) = (Int(target.width) / 4, Int(target.height) / 4)
        let offset = (Int(target.height) - height) * target.rowBytes + (Int(target.width) - width) * 4
        var place = vImage_Buffer(data: base + offset, height: vImagePixelCount(height), width: vImagePixelCount(width), rowBytes: target.rowBytes)
        guard vImageScale_ARGB8888(&other, &place, nil, 0) == kvImageNoError else { return nil }
        return made
    }
}

extension InterviewCamera: AVCaptureVideoDataOutputSampleBufferDelegate, AVCaptureAudioDataOutputSampleBufferDelegate {
    func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        if output === large.audio {
            if let reel, reel.hasBegun, reel.audio.isReadyForMoreMediaData { reel.audio.append(sampleBuffer) }
            return
        }
        guard let side = sides.first(where: { $0.video === output }), let picture = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
        side.newest = picture
        guard side === large, let reel, let small = sides.first(where: { $0 !== side })?.newest else { return }
        let time = CMSampleBufferGetPresentationTimeStamp(sampleBuffer)
        if !reel.hasBegun {
            guard reel.writer.startWriting() else { return self.reel = nil }
            reel.writer.startSession(atSourceTime: time)
            reel.hasBegun = true
        }
        guard reel.video.isReadyForMoreMediaData, let pool = reel.adaptor.pixelBufferPool, let both = mix(picture, small, pool),
            reel.adaptor.append(both, withPresentationTime: time)
        else { return }
        mixed += 1
    }

    func captureOutput(_ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        guard let side = sides.first(where: { $0.video === output }) else { return }
        let reason = CMGetAttachment(sampleBuffer, key: kCMSampleBufferAttachmentKey_DroppedFrameReasonInfo, attachmentModeOut: nil) as? String
        log.append("lost \(side.position.rawValue) \(reason ?? "")")
    }
}
