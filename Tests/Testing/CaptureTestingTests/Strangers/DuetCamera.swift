import AVFoundation
import CoreImage

/// Camera of a reaction: films from the back and the front at once, shows both, and puts the one into the other's corner for a movie of both.
final class DuetCamera: NSObject, @unchecked Sendable {
    enum Setup: Equatable, Sendable { case ready, notSupported, failed(String) }

    /// Side of the phone with all that belongs to it.
    private final class Side {
        let position: AVCaptureDevice.Position
        let output = AVCaptureVideoDataOutput()
        let movie = AVCaptureMovieFileOutput()
        let preview: AVCaptureVideoPreviewLayer
        var input: AVCaptureDeviceInput?
        var count = 0
        var last: CVPixelBuffer?
        var lastTime = CMTime.invalid

        init(_ position: AVCaptureDevice.Position, _ preview: AVCaptureVideoPreviewLayer) { (self.position, self.preview) = (position, preview) }
    }

    let session = AVCaptureMultiCamSession()
    let backPreview = AVCaptureVideoPreviewLayer()
    let frontPreview = AVCaptureVideoPreviewLayer()
    private let sessionQueue = DispatchQueue(label: "duet.session")
    private let dataQueue = DispatchQueue(label: "duet.data")
    private let audioOutput = AVCaptureAudioDataOutput()
    private lazy var back = Side(.back, backPreview)
    private lazy var front = Side(.front, frontPreview)
    private var microphone: AVCaptureDeviceInput?
    private var writer: AVAssetWriter?
    private var picture: AVAssetWriterInput?
    private var sound: AVAssetWriterInput?
    private var adaptor: AVAssetWriterInputPixelBufferAdaptor?
    private var isWriting = false
    private let context = CIContext()
    private var pressure: [NSKeyValueObservation] = []
    private var ended: [URL: (any Error)?] = [:]
    /// Whether the front fills the picture, and the back is in its corner.
    private var isSwapped = false

    var counts: [Int] { dataQueue.sync { [back.count, front.count] } }
    var times: [CMTime] { dataQueue.sync { [back.lastTime, front.lastTime] } }
    var finishedMovies: [URL] { dataQueue.sync { ended.filter { $0.value == nil }.map(\.key) } }
    func camera(_ position: AVCaptureDevice.Position) -> AVCaptureDevice? { (position == .back ? back : front).input?.device }

    func start() async -> Setup {
        guard AVCaptureMultiCamSession.isMultiCamSupported else { return .notSupported }
        backPreview.setSessionWithNoConnection(session)
        frontPreview.setSessionWithNoConnection(session)
        return await withCheckedContinuation { done in
            sessionQueue.async { [self] in
                session.beginConfiguration()
                var setup = Setup.ready
                do {
                    try configure(back)
                    try configure(front)
                    try configureSound()
                } catch {
                    setup = .failed("\(error)")
                }
                session.commitConfiguration()
                if setup == .ready {
                    lowerCost()
                    watchPressure()
                    session.startRunning()
                }
                done.resume(returning: setup)
            }
        }
    }

    private struct Problem: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    private func configure(_ side: Side) throws {
        guard let camera = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: side.position) else {
            throw Problem("no camera")
        }
        let input = try AVCaptureDeviceInput(device: camera)
        guard session.canAddInput(input) else { throw Problem("no input") }
        session.addInputWithNoConnections(input)
        side.input = input
        guard let port = input.ports(for: .video, sourceDeviceType: camera.deviceType, sourceDevicePosition: side.position).first else {
            throw Problem("no port")
        }
        guard session.canAddOutput(side.output), session.canAddOutput(side.movie) else { throw Problem("no output") }
        session.addOutputWithNoConnections(side.output)
        session.addOutputWithNoConnections(side.movie)
        side.output.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: Int(kCVPixelFormatType_32BGRA)]
        side.output.setSampleBufferDelegate(self, queue: dataQueue)
        for output in [side.output, side.movie] as [AVCaptureOutput] {
            let connection = AVCaptureConnection(inputPorts: [port], output: output)
            guard session.canAddConnection(connection) else { throw Problem("no connection") }
            session.addConnection(connection)
            if connection.isVideoRotationAngleSupported(90) { connection.videoRotationAngle = 90 }
            connection.automaticallyAdjustsVideoMirroring = false
            connection.isVideoMirrored = side.position == .front
        }
        let connection = AVCaptureConnection(inputPort: port, videoPreviewLayer: side.preview)
        guard session.canAddConnection(connection) else { throw Problem("no preview") }
        session.addConnection(connection)
        connection.automaticallyAdjustsVideoMirroring = false
        connection.isVideoMirrored = side.position == .front
        side.preview.videoGravity = .resizeAspectFill
    }

    private func configureSound() throws {
        guard let device = AVCaptureDevice.default(for: .audio) else { throw Problem("no microphone") }
        let input = try AVCaptureDeviceInput(device: device)
        guard session.canAddInput(input) else { throw Problem("no sound") }
        session.addInputWithNoConnections(input)
        microphone = input
        guard let backPort = input.ports(for: .audio, sourceDeviceType: device.deviceType, sourceDevicePosition: .back).first,
            let frontPort = input.ports(for: .audio, sourceDeviceType: device.deviceType, sourceDevicePosition: .front).first
        else { throw Problem("no sides of the microphone") }
        guard session.canAddOutput(audioOutput) else { throw Problem("no output of sound") }
        session.addOutputWithNoConnections(audioOutput)
        audioOutput.setSampleBufferDelegate(self, queue: dataQueue)
        for connection in [
            AVCaptureConnection(inputPorts: [backPort], output: audioOutput), AVCaptureConnection(inputPorts: [backPort], output: back.movie),
            AVCaptureConnection(inputPorts: [frontPort], output: front.movie),
        ] {
            guard session.canAddConnection(connection) else { throw Problem("no connection of sound") }
            session.addConnection(connection)
        }
    }

    /// Chooses smaller formats, then fewer frames, until the phone can do it.
    private func lowerCost() {
        for side in [front, back] where session.hardwareCost > 1 || session.systemPressureCost > 1 {
            guard let camera = side.input?.device else { continue }
            let width = CMVideoFormatDescriptionGetDimensions(camera.activeFormat.formatDescription).width
            let smaller = camera.formats.last {
                $0.isMultiCamSupported && CMVideoFormatDescriptionGetDimensions($0.formatDescription).width < width
            }
            if let format = smaller, (try? camera.lockForConfiguration()) != nil {
                camera.activeFormat = format
                camera.unlockForConfiguration()
            }
            side.input?.videoMinFrameDurationOverride = CMTime(value: 1, timescale: 20)
        }
    }

    private func watchPressure() {
        pressure = [back, front].compactMap { side in
            side.input?.device.observe(\.systemPressureState, options: [.new]) { [weak self, input = side.input] device, _ in
                let isHot = [.serious, .critical].contains(device.systemPressureState.level)
                self?.sessionQueue.async { input?.videoMinFrameDurationOverride = isHot ? CMTime(value: 1, timescale: 15) : .invalid }
            }
        }
    }

    /// Cost of the session: of the hardware, and of the system's pressure.
    var costs: (hardware: Float, pressure: Float) { sessionQueue.sync { (session.hardwareCost, session.systemPressureCost) } }

    /// Lets a camera rest, or go on.
    func setEnabled(_ isEnabled: Bool, _ position: AVCaptureDevice.Position) {
        sessionQueue.sync {
            for port in (position == .back ? back : front).input?.ports ?? [] where port.mediaType == .video { port.isEnabled = isEnabled }
        }
    }

    /// Takes a camera out of the session.
    func remove(_ position: AVCaptureDevice.Position) {
        sessionQueue.sync { if let input = (position == .back ? back : front).input { session.removeInput(input) } }
    }

    /// Takes smaller pictures of a camera.
    func shrink(_ position: AVCaptureDevice.Position) {
        sessionQueue.sync {
            guard let camera = camera(position), let small = camera.formats.last(where: \.isMultiCamSupported),
                (try? camera.lockForConfiguration()) != nil
            else { return }
            camera.activeFormat = small
            camera.unlockForConfiguration()
        }
    }

    func swap() { dataQueue.async { self.isSwapped.toggle() } }

    // MARK: a file for each camera

    func recordEach(to folder: URL) {
        sessionQueue.async { [self] in
            back.movie.startRecording(to: folder.appendingPathComponent("back.mov"), recordingDelegate: self)
            front.movie.startRecording(to: folder.appendingPathComponent("front.mov"), recordingDelegate: self)
        }
    }

    func stopEach() { sessionQueue.async { [self] in [back, front].forEach { $0.movie.stopRecording() } } }

    // MARK: one of both

    func begin(to url: URL) {
        dataQueue.async { [self] in
            guard let writer = try? AVAssetWriter(outputURL: url, fileType: .mov) else { return }
            let picture = AVAssetWriterInput(
                mediaType: .video, outputSettings: back.output.recommendedVideoSettingsForAssetWriter(writingTo: .mov))
            let sound = AVAssetWriterInput(mediaType: .audio, outputSettings: audioOutput.recommendedAudioSettingsForAssetWriter(writingTo: .mov))
            for input in [picture, sound] {
                input.expectsMediaDataInRealTime = true
                if writer.canAdd(input) { writer.add(input) }
            }
            adaptor = AVAssetWriterInputPixelBufferAdaptor(
                assetWriterInput: picture,
                sourcePixelBufferAttributes: [kCVPixelBufferPixelFormatTypeKey as String: Int(kCVPixelFormatType_32BGRA)])
            (self.writer, self.picture, self.sound, isWriting) = (writer, picture, sound, false)
        }
    }

    func end() async -> AVAssetWriter.Status? {
        await withCheckedContinuation { done in
            dataQueue.async { [self] in
                guard let writer, isWriting else { return done.resume(returning: nil) }
                isWriting = false
                picture?.markAsFinished()
                sound?.markAsFinished()
                self.writer = nil
                writer.finishWriting { done.resume(returning: writer.status) }
            }
        }
    }

    private func compose(_ whole: CVPixelBuffer, _ corner: CVPixelBuffer) -> CVPixelBuffer? {
        let (width, height) = (CVPixelBufferGetWidth(whole), CVPixelBufferGetHeight(whole))
        var result: CVPixelBuffer?
        guard CVPixelBufferCreate(kCFAllocatorDefault, width, height, kCVPixelFormatType_32BGRA, nil, &result) == kCVReturnSuccess, let result else {
            return nil
        }
        let small = CIImage(cvPixelBuffer: corner).transformed(by: CGAffineTransform(scaleX: 0.25, y: 0.25))
            .transformed(by: CGAffineTransform(translationX: CGFloat(width) * 0.7, y: CGFloat(height) * 0.05))
        context.render(small.composited(over: CIImage(cvPixelBuffer: whole)), to: result)
        return result
    }

    func stop() {
        pressure.forEach { $0.invalidate() }
        sessionQueue.sync { session.stopRunning() }
    }
}

extension DuetCamera: AVCaptureVideoDataOutputSampleBufferDelegate, AVCaptureAudioDataOutputSampleBufferDelegate {
    func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        let time = CMSampleBufferGetPresentationTimeStamp(sampleBuffer)
        if output === audioOutput {
            if isWriting, sound?.isReadyForMoreMediaData == true { sound?.append(sampleBuffer) }
            return
        }
        let side = output === back.output ? back : front
        guard connection.inputPorts.first?.sourceDevicePosition == side.position, let buffer = CMSampleBufferGetImageBuffer(sampleBuffer) else {
            return
        }
        (side.last, side.lastTime) = (buffer, time)
        side.count += 1
        let (whole, corner) = isSwapped ? (front, back) : (back, front)
        guard side === whole, let writer, let small = corner.last else { return }
        if !isWriting {
            guard writer.startWriting() else { return self.writer = nil }
            writer.startSession(atSourceTime: time)
            isWriting = true
        }
        if picture?.isReadyForMoreMediaData == true, let both = compose(buffer, small) { adaptor?.append(both, withPresentationTime: time) }
    }
}

extension DuetCamera: AVCaptureFileOutputRecordingDelegate {
    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL, from connections: [AVCaptureConnection], error: (any Error)?
    ) { dataQueue.async { self.ended[outputFileURL] = .some(error) } }
}
