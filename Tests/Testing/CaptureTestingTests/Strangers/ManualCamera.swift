import AVFoundation
import UIKit

/// Camera of a screen full of sliders: lens, shutter, film speed, white balance, each followed by key-value observing and shown as it is, with a movie and
/// a flash photo beside.
final class ManualCamera: NSObject, @unchecked Sendable {
    /// Values on the screen.
    struct Panel: Equatable, Sendable {
        var focus = "", exposure = "", balance = ""
        var lens: Float = 0, iso: Float = 0, offset: Float = 0, temperature: Float = 0, tint: Float = 0
        var shutter = ""
        var isRunning = false
    }

    /// Exponent that gives short shutter times more of the slider.
    static let power = 5.0
    static let shortest = 1.0 / 1000

    let session = AVCaptureSession()
    let preview = AVCaptureVideoPreviewLayer()
    private let queue = DispatchQueue(label: "manual.session")
    private let movie = AVCaptureMovieFileOutput()
    private let photos = AVCapturePhotoOutput()
    private var input: AVCaptureDeviceInput?
    private var running: NSKeyValueObservation?
    private var observations: [NSKeyValueObservation] = []
    private var tokens: [any NSObjectProtocol] = []
    private let lock = NSLock()
    private var shown = Panel()
    private var saved: [Result<Data, any Error>] = []
    private var ended: [Result<URL, any Error>] = []
    private var settled: [String] = []

    var panel: Panel { lock.withLock { shown } }
    var pictures: [Result<Data, any Error>] { lock.withLock { saved } }
    var movies: [Result<URL, any Error>] { lock.withLock { ended } }
    /// Settings that the camera has told to be in effect, and recordings begun.
    var done: [String] { lock.withLock { settled } }
    var device: AVCaptureDevice? { input?.device }

    enum Failure: Error { case noCamera, unsupported(String) }

    func open(completion: @escaping @Sendable ((any Error)?) -> Void) {
        preview.session = session
        queue.async { [self] in
            do {
                session.beginConfiguration()
                session.sessionPreset = .high
                try put(in: .back)
                if let microphone = AVCaptureDevice.devices(for: .audio).first {
                    let sound = try AVCaptureDeviceInput(device: microphone)
                    if session.canAddInput(sound) { session.addInput(sound) }
                }
                for output in [movie, photos] where session.canAddOutput(output) { session.addOutput(output) }
                if let connection = movie.connection(with: .video), connection.isVideoStabilizationSupported {
                    connection.preferredVideoStabilizationMode = .auto
                }
                session.commitConfiguration()
                running = session.observe(\.isRunning, options: [.initial, .new]) { [weak self] _, change in
                    self?.show { $0.isRunning = change.newValue ?? false }
                }
                session.startRunning()
                completion(nil)
            } catch {
                session.commitConfiguration()
                completion(error)
            }
        }
    }

    private func put(in position: AVCaptureDevice.Position) throws {
        guard let device = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: position) else { throw Failure.noCamera }
        let new = try AVCaptureDeviceInput(device: device)
        if let input { session.removeInput(input) }
        guard session.canAddInput(new) else {
            if let input { session.addInput(input) }
            throw Failure.noCamera
        }
        session.addInput(new)
        input = new
        observe(device)
    }

    private func observe(_ device: AVCaptureDevice) {
        observations = [
            device.observe(\.focusMode, options: [.initial, .new]) { [weak self] device, _ in
                self?.show { $0.focus = ["locked", "auto", "continuous"][device.focusMode.rawValue] }
            },
            device.observe(\.lensPosition, options: [.initial, .new]) { [weak self] device, change in
                self?.show { $0.lens = change.newValue ?? device.lensPosition }
            },
            device.observe(\.exposureMode, options: [.initial, .old, .new]) { [weak self] device, change in
                self?.show { $0.exposure = ["locked", "auto", "continuous", "custom"][device.exposureMode.rawValue] }
                // From custom exposure back: the frame rate is the format's again.
                if change.oldValue == .custom, change.newValue != .custom, (try? device.lockForConfiguration()) != nil {
                    device.activeVideoMinFrameDuration = .invalid
                    device.activeVideoMaxFrameDuration = .invalid
                    device.unlockForConfiguration()
                }
            },
            device.observe(\.exposureDuration, options: [.initial, .new]) { [weak self] device, _ in
                let seconds = CMTimeGetSeconds(device.exposureDuration)
                self?.show { $0.shutter = seconds < 1 ? "1/\(Int((1 / seconds).rounded()))" : String(format: "%.2f", seconds) }
            },
            device.observe(\.iso, options: [.initial, .new]) { [weak self] device, _ in self?.show { $0.iso = device.iso } },
            device.observe(\.exposureTargetOffset, options: [.initial, .new]) { [weak self] device, _ in
                self?.show { $0.offset = device.exposureTargetOffset }
            },
            device.observe(\.whiteBalanceMode, options: [.initial, .new]) { [weak self] device, _ in
                self?.show { $0.balance = ["locked", "auto", "continuous"][device.whiteBalanceMode.rawValue] }
            },
            device.observe(\.deviceWhiteBalanceGains, options: [.initial, .new]) { [weak self] device, _ in
                let values = device.temperatureAndTintValues(for: device.deviceWhiteBalanceGains)
                self?.show { ($0.temperature, $0.tint) = (values.temperature, values.tint) }
            },
        ]
        tokens.forEach(NotificationCenter.default.removeObserver)
        tokens = [
            NotificationCenter.default.addObserver(
                forName: AVCaptureDevice.subjectAreaDidChangeNotification, object: device, queue: nil
            ) { [weak self] _ in
                self?.focus(.continuousAutoFocus, .continuousAutoExposure, at: CGPoint(x: 0.5, y: 0.5), monitors: false)
            },
            NotificationCenter.default.addObserver(forName: AVCaptureSession.runtimeErrorNotification, object: session, queue: nil) { [weak self] in
                guard let self, ($0.userInfo?[AVCaptureSessionErrorKey] as? AVError)?.code == .mediaServicesWereReset else { return }
                queue.async { self.session.startRunning() }
            },
        ]
    }

    private func show(_ change: (inout Panel) -> Void) { lock.withLock { change(&shown) } }
    private func note(_ text: String) { lock.withLock { settled.append(text) } }

    // MARK: sliders

    private func set(_ body: @escaping @Sendable (AVCaptureDevice) throws -> Void) {
        queue.async { [self] in
            guard let device = input?.device else { return note("no camera") }
            do {
                try device.lockForConfiguration()
                defer { device.unlockForConfiguration() }
                try body(device)
            } catch {
                note("\(error)")
            }
        }
    }

    func tap(at point: CGPoint) {
        let place = preview.captureDevicePointConverted(fromLayerPoint: point)
        guard device?.focusMode != .locked, device?.exposureMode != .custom else { return }
        focus(.continuousAutoFocus, .continuousAutoExposure, at: place, monitors: true)
    }

    private func focus(_ focus: AVCaptureDevice.FocusMode, _ exposure: AVCaptureDevice.ExposureMode, at point: CGPoint, monitors: Bool) {
        set { device in
            if device.isFocusPointOfInterestSupported, device.isFocusModeSupported(focus) {
                device.focusPointOfInterest = point
                device.focusMode = focus
            }
            if device.isExposurePointOfInterestSupported, device.isExposureModeSupported(exposure) {
                device.exposurePointOfInterest = point
                device.exposureMode = exposure
            }
            device.isSubjectAreaChangeMonitoringEnabled = monitors
        }
    }

    func slide(lens position: Float) {
        set { [self] device in
            guard device.isLockingFocusWithCustomLensPositionSupported else { throw Failure.unsupported("lens") }
            device.setFocusModeLocked(lensPosition: position) { time in self.note("lens \(time.isNumeric)") }
        }
    }

    /// Shutter by a slider of 0…1.
    func slide(shutter value: Double) {
        set { [self] device in
            let format = device.activeFormat
            let (low, high) = (max(CMTimeGetSeconds(format.minExposureDuration), Self.shortest), CMTimeGetSeconds(format.maxExposureDuration))
            let seconds = pow(value, Self.power) * (high - low) + low
            device.setExposureModeCustom(
                duration: CMTimeMakeWithSeconds(seconds, preferredTimescale: 1_000_000_000), iso: AVCaptureDevice.currentISO
            ) { _ in self.note("shutter") }
        }
    }

    func slide(iso value: Float) {
        set { [self] device in
            let format = device.activeFormat
            let iso = format.minISO + value * (format.maxISO - format.minISO)
            device.setExposureModeCustom(duration: AVCaptureDevice.currentExposureDuration, iso: iso) { _ in self.note("iso") }
        }
    }

    func slide(bias: Float) { set { device in device.setExposureTargetBias(bias, completionHandler: nil) } }

    func slide(temperature: Float, tint: Float) {
        set { [self] device in
            guard device.isLockingWhiteBalanceWithCustomDeviceGainsSupported else { throw Failure.unsupported("gains") }
            let gains = device.deviceWhiteBalanceGains(for: .init(temperature: temperature, tint: tint))
            device.setWhiteBalanceModeLocked(with: Self.limited(gains, to: device.maxWhiteBalanceGain)) { _ in self.note("balance") }
        }
    }

    func lockOnGray() {
        set { device in
            let gains = Self.limited(device.grayWorldDeviceWhiteBalanceGains, to: device.maxWhiteBalanceGain)
            device.setWhiteBalanceModeLocked(with: gains, completionHandler: nil)
        }
    }

    func automatic() {
        set { device in
            if device.isFocusModeSupported(.continuousAutoFocus) { device.focusMode = .continuousAutoFocus }
            if device.isExposureModeSupported(.continuousAutoExposure) { device.exposureMode = .continuousAutoExposure }
            if device.isWhiteBalanceModeSupported(.continuousAutoWhiteBalance) { device.whiteBalanceMode = .continuousAutoWhiteBalance }
        }
    }

    private static func limited(_ gains: AVCaptureDevice.WhiteBalanceGains, to most: Float) -> AVCaptureDevice.WhiteBalanceGains {
        var gains = gains
        gains.redGain = max(1, min(most, gains.redGain))
        gains.greenGain = max(1, min(most, gains.greenGain))
        gains.blueGain = max(1, min(most, gains.blueGain))
        return gains
    }

    // MARK: buttons

    func changeCamera(completion: @escaping @Sendable (AVCaptureDevice.Position?) -> Void) {
        queue.async { [self] in
            session.beginConfiguration()
            try? put(in: input?.device.position == .back ? .front : .back)
            session.commitConfiguration()
            completion(input?.device.position)
        }
    }

    func shoot() {
        queue.async { [self] in
            let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
            if input?.device.hasFlash == true, photos.supportedFlashModes.contains(.auto) {
                settings.flashMode = input?.device.exposureMode == .custom ? .off : .auto
            }
            if let angle = preview.connection?.videoRotationAngle { photos.connection(with: .video)?.videoRotationAngle = angle }
            photos.capturePhoto(with: settings, delegate: self)
        }
    }

    func toggleRecording(to url: URL) {
        queue.async { [self] in
            guard !movie.isRecording else { return movie.stopRecording() }
            if let angle = preview.connection?.videoRotationAngle { movie.connection(with: .video)?.videoRotationAngle = angle }
            movie.startRecording(to: url, recordingDelegate: self)
        }
    }

    func close() { queue.sync { session.stopRunning() } }
}

extension ManualCamera: AVCapturePhotoCaptureDelegate, AVCaptureFileOutputRecordingDelegate {
    func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?) {
        let result: Result<Data, any Error> =
            error.map { .failure($0) } ?? photo.fileDataRepresentation().map { .success($0) } ?? .failure(AVError(.unknown))
        lock.withLock { saved.append(result) }
    }

    func fileOutput(_ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, from connections: [AVCaptureConnection]) { note("film") }

    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL, from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        let isWhole = (error as NSError?)?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool ?? (error == nil)
        lock.withLock { ended.append(isWhole ? .success(outputFileURL) : .failure(error ?? AVError(.unknown))) }
    }
}
