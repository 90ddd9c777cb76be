import AVFoundation
import Foundation
import Pipeline

/// States of a session, its camera and its recording in which a call may come.
enum GraphState: String, CaseIterable {
    /// Nothing is in the session.
    case empty
    /// A cinematic camera and every output; then between begin and commit.
    case idle, batch
    case running, runningBatch, interrupted
    /// The same with a camera that has no cinematic capture.
    case plain, plainRunning
    /// Cinematic capture is enabled.
    case cinematic, cinematicRunning, recording, paused
    /// The camera was pulled out.
    case unplugged

    var isEnabled: Bool { [.cinematic, .cinematicRunning, .recording, .paused].contains(self) }
    var isBatch: Bool { [.batch, .runningBatch].contains(self) }
}

/// Properties of a graph that can be seen from outside.
struct GraphSnapshot: Equatable {
    var isRunning = false
    var isInterrupted = false
    var preset = AVCaptureSession.Preset.high
    var inputs = 0
    var outputs = 0
    var connections = 0
    var format = ""
    var fastest = CMTime.zero
    var zoom: CGFloat = 1
    var focusMode = AVCaptureDevice.FocusMode.continuousAutoFocus
    var isSupported = false
    var isEnabled = false
    var aperture: Float = 0
    var types: Set<AVMetadataObject.ObjectType> = []
    var isRecording = false
    var isPaused = false
    /// Of the connection to the video data output; nil without one.
    var angle: CGFloat?
    var isMirrored: Bool?

    mutating func endRecording() { (isRecording, isPaused) = (false, false) }
}

/// A session with everything an app has, brought into a state. Its camera never gives a frame.
final class StateRig {
    let session = AVCaptureSession()
    let device: AVCaptureDevice
    let input: AVCaptureDeviceInput
    let otherInput: AVCaptureDeviceInput
    let metadata = AVCaptureMetadataOutput()
    let video = AVCaptureVideoDataOutput()
    let movie = AVCaptureMovieFileOutput()
    let photo = AVCapturePhotoOutput()
    let preview: AVCaptureVideoPreviewLayer
    let recorder = Recorder()
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).mov")

    static var environment: CaptureEnvironment {
        var environment = CaptureEnvironment(cameras: CameraProfile.iPhone14, renderer: GlassRenderer()) { profile in
            let (width, height) = (profile.formats[0].width, profile.formats[0].height)
            return CameraFeed(source: StillSource(width: width, height: height), detector: ScriptedDetector { _ in [] })
        }
        environment.clock = .stepped(FrameStepper())
        environment.onDiagnostic = { _ in }
        environment.openMovie = { _, _ in FakeMovie() }
        return environment
    }

    init(_ state: GraphState) throws {
        func camera(_ type: AVCaptureDevice.DeviceType) throws -> AVCaptureDevice {
            guard let device = AVCaptureDevice.default(type, for: .video, position: .unspecified) else { throw AVError(.deviceNotConnected) }
            return device
        }
        device = try camera([.plain, .plainRunning].contains(state) ? .builtInWideAngleCamera : .builtInDualWideCamera)
        input = try AVCaptureDeviceInput(device: device)
        otherInput = try AVCaptureDeviceInput(device: camera(.builtInTrueDepthCamera))
        preview = AVCaptureVideoPreviewLayer()
        guard state != .empty else { return }
        session.addInput(input)
        for output in [metadata, video, movie, photo] { session.addOutput(output) }
        metadata.metadataObjectTypes = metadata.requiredMetadataObjectTypesForCinematicVideoCapture
        preview.session = session
        if state.isEnabled { input.isCinematicVideoCaptureEnabled = true }
        if ![.idle, .batch, .plain, .cinematic, .unplugged].contains(state) { session.startRunning() }
        switch state {
        case .batch, .runningBatch: session.beginConfiguration()
        case .interrupted: CaptureEnvironment.scoped?.conditions.interrupt(.videoDeviceInUseByAnotherClient)
        case .recording, .paused: movie.startRecording(to: file, recordingDelegate: recorder)
        case .unplugged: CaptureEnvironment.scoped?.conditions.disconnect(device.uniqueID)
        default: break
        }
        if state == .paused { movie.pauseRecording() }
    }

    deinit { session.end() }

    var snapshot: GraphSnapshot {
        let connection = video.connection(with: .video)
        return GraphSnapshot(
            isRunning: session.isRunning, isInterrupted: session.isInterrupted, preset: session.sessionPreset, inputs: session.inputs.count,
            outputs: session.outputs.count, connections: session.connections.count, format: device.activeFormat.description,
            fastest: device.activeVideoMinFrameDuration, zoom: device.videoZoomFactor, focusMode: device.focusMode,
            isSupported: input.isCinematicVideoCaptureSupported, isEnabled: input.isCinematicVideoCaptureEnabled,
            aperture: input.simulatedAperture, types: Set(metadata.metadataObjectTypes), isRecording: movie.isRecording,
            isPaused: movie.isRecordingPaused, angle: connection?.videoRotationAngle, isMirrored: connection?.isVideoMirrored)
    }

    /// Throws where the lock cannot be had.
    func locked(_ body: () -> Void) throws {
        try device.lockForConfiguration()
        defer { device.unlockForConfiguration() }
        body()
    }
}

extension AVCaptureSession {
    /// Closes the batches that a test left open, at most two, and stops.
    fileprivate func end() {
        _ = CaptureEnvironment.violations {
            commitConfiguration()
            commitConfiguration()
        }
        stopRunning()
    }
}

/// A camera of any size that nobody ever asks for a frame.
final class StillSource: FrameSource {
    let description: SourceDescription

    init(width: Int, height: Int) {
        description = SourceDescription(width: width, height: height, frameDuration: CMTime(value: 1, timescale: 30))
    }

    func nextFrame() throws -> Frame? { nil }
}

final class NoPhotos: NSObject, AVCapturePhotoCaptureDelegate {}
