import AVFoundation
import UIKit

/// Camera with a picture in the picture where the phone films with two cameras at once, else with one; shows frames by its own clock, meters the sound,
/// and saves power when the phone gets warm.
final class DualCamera: NSObject, @unchecked Sendable {
    enum Setup: Equatable, Sendable { case two, one, failed(String) }

    /// Receiver of a movie, or of why there is none.
    typealias Ending = @Sendable (Result<URL, any Error>) -> Void

    let display = AVSampleBufferDisplayLayer()
    private(set) var setup = Setup.failed("not set up")
    private(set) var session: AVCaptureSession
    private let filmsTwo: Bool
    private let queue = DispatchQueue(label: "dual.session")
    private let output = DispatchQueue(label: "dual.output", qos: .userInteractive)
    private var devices: [AVCaptureDevice.Position: AVCaptureDevice] = [:]
    private let back = AVCaptureVideoDataOutput()
    private let front = AVCaptureVideoDataOutput()
    private let movie = AVCaptureMovieFileOutput()
    private var timebase: CMTimebase?
    private var pressure: [NSKeyValueObservation] = []
    private var ending: Ending?
    private(set) var shown = 0
    private(set) var lastHostTime = CMTime.invalid
    private(set) var levels: [Float] = []

    override init() {
        filmsTwo = AVCaptureMultiCamSession.isMultiCamSupported
        session = filmsTwo ? AVCaptureMultiCamSession() : AVCaptureSession()
        super.init()
        display.videoGravity = .resizeAspectFill
        CMTimebaseCreateWithMasterClock(allocator: kCFAllocatorDefault, masterClock: CMClockGetHostTimeClock(), timebaseOut: &timebase)
        if let timebase {
            display.controlTimebase = timebase
            CMTimebaseSetTime(timebase, time: .zero)
            CMTimebaseSetRate(timebase, rate: 1)
        }
    }

    func start(completion: @escaping @Sendable (Setup) -> Void) {
        queue.async { [self] in
            setup = filmsTwo ? setUpTwo() : setUpOne()
            if setup == .one || setup == .two {
                watchPressure()
                session.startRunning()
            }
            completion(setup)
        }
    }

    private func setUpTwo() -> Setup {
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        for (position, output) in [(AVCaptureDevice.Position.back, back), (.front, front)] {
            guard let device = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: position),
                let input = try? AVCaptureDeviceInput(device: device), session.canAddInput(input)
            else { return .failed("no camera \(position.rawValue)") }
            session.addInputWithNoConnections(input)
            guard let port = input.ports(for: .video, sourceDeviceType: device.deviceType, sourceDevicePosition: device.position).first,
                session.canAddOutput(output)
            else { return .failed("no port") }
            session.addOutputWithNoConnections(output)
            output.setSampleBufferDelegate(self, queue: self.output)
            let connection = AVCaptureConnection(inputPorts: [port], output: output)
            guard session.canAddConnection(connection) else { return .failed("no connection") }
            session.addConnection(connection)
            connection.videoOrientation = .portrait
            if position == .front {
                connection.automaticallyAdjustsVideoMirroring = false
                connection.isVideoMirrored = true
            }
            devices[position] = device
        }
        guard session.hardwareCost <= 1, (session as? AVCaptureMultiCamSession)?.systemPressureCost ?? 0 <= 1 else { return .failed("cost") }
        return addSound() ? .two : .failed("no microphone")
    }

    private func setUpOne() -> Setup {
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        session.sessionPreset = .hd1280x720
        guard let device = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back),
            let input = try? AVCaptureDeviceInput(device: device), session.canAddInput(input)
        else { return .failed("no camera") }
        session.addInput(input)
        guard session.canAddOutput(back) else { return .failed("no output") }
        session.addOutput(back)
        back.setSampleBufferDelegate(self, queue: output)
        devices[.back] = device
        guard addSound(), session.canAddOutput(movie) else { return .failed("no sound or movie") }
        session.addOutput(movie)
        if movie.availableVideoCodecTypes.contains(.hevc), let connection = movie.connection(with: .video) {
            movie.setOutputSettings([AVVideoCodecKey: AVVideoCodecType.hevc], for: connection)
            if connection.isVideoStabilizationSupported { connection.preferredVideoStabilizationMode = .auto }
        }
        movie.maxRecordedDuration = CMTime(seconds: 60, preferredTimescale: 600)
        return .one
    }

    private func addSound() -> Bool {
        guard let microphone = AVCaptureDevice.default(for: .audio), let input = try? AVCaptureDeviceInput(device: microphone),
            session.canAddInput(input)
        else { return false }
        session.addInput(input)
        return true
    }

    /// Fewer frames as it gets warm, and all again once it is cool.
    private func watchPressure() {
        pressure = devices.values.map { device in
            device.observe(\.systemPressureState, options: [.initial, .new]) { [weak self] device, change in
                guard let self, let level = change.newValue?.level else { return }
                queue.async { self.throttle(device, level) }
            }
        }
    }

    private func throttle(_ device: AVCaptureDevice, _ level: AVCaptureDevice.SystemPressureState.Level) {
        guard (try? device.lockForConfiguration()) != nil else { return }
        defer { device.unlockForConfiguration() }
        let isHot = level == .serious || level == .critical
        device.activeVideoMinFrameDuration = isHot ? CMTime(value: 1, timescale: 20) : .invalid
        device.activeVideoMaxFrameDuration = isHot ? CMTime(value: 1, timescale: 20) : .invalid
    }

    // MARK: movies

    func record(to url: URL, ending: @escaping Ending) {
        queue.async { [self] in
            guard !movie.isRecording else { return }
            self.ending = ending
            movie.startRecording(to: url, recordingDelegate: self)
        }
    }

    func stopRecording() { queue.async { self.movie.stopRecording() } }

    /// Level of the sound that is recorded, 0 for nothing and 1 for the loudest, as a meter on the screen asks for it now and then.
    func level() -> Float {
        let channels = movie.connection(with: .audio)?.audioChannels ?? []
        let decibels = channels.map(\.averagePowerLevel).max() ?? -160
        let level = max(0, min(1, (decibels + 50) / 50))
        levels.append(level)
        return level
    }

    func stop() {
        queue.sync {
            pressure.forEach { $0.invalidate() }
            session.stopRunning()
        }
    }
}

extension DualCamera: AVCaptureVideoDataOutputSampleBufferDelegate {
    func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        guard output === back else { return }
        let time = CMSampleBufferGetPresentationTimeStamp(sampleBuffer)
        if let clock = session.synchronizationClock { lastHostTime = CMSyncConvertTime(time, from: clock, to: CMClockGetHostTimeClock()) }
        if let attachments = CMSampleBufferGetSampleAttachmentsArray(sampleBuffer, createIfNecessary: true) {
            let first = unsafeBitCast(CFArrayGetValueAtIndex(attachments, 0), to: CFMutableDictionary.self)
            CFDictionarySetValue(
                first, Unmanaged.passUnretained(kCMSampleAttachmentKey_DisplayImmediately).toOpaque(),
                Unmanaged.passUnretained(kCFBooleanTrue).toOpaque())
        }
        if display.status == .failed { display.flush() }
        guard display.isReadyForMoreMediaData else { return }
        display.enqueue(sampleBuffer)
        shown += 1
    }
}

extension DualCamera: AVCaptureFileOutputRecordingDelegate {
    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo url: URL, from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        let isWhole = (error as NSError?)?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool ?? (error == nil)
        ending?(isWhole ? .success(url) : .failure(error ?? AVError(.unknown)))
        ending = nil
    }
}
