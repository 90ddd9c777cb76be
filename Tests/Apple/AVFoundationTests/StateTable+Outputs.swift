import AVFoundation
import Foundation

private func invalid(_ reason: String) -> (CaptureEnvironment.Violation.Name, String) { (.invalidArgument, reason) }
private let settings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]

extension GraphCall {
    //  empty  idle batch  running runningBatch interrupted  plain plainRunning  cinematic cinematicRunning recording paused  unplugged
    static let input: [GraphCall] = [
        GraphCall(
            "isCinematicVideoCaptureEnabled", "I .. ... II .... .", ["I": invalid("use isCinematicVideoCaptureSupported")],
            { $0.input.isCinematicVideoCaptureEnabled = true }
        ) { after, _ in (after.isEnabled, after.zoom) = (true, 2) },
        GraphCall(
            "isCinematicVideoCaptureEnabled false", ". .. ... .. ..RR .", ["R": invalid("while a recording is in progress")],
            { $0.input.isCinematicVideoCaptureEnabled = false }
        ) { after, _ in after.isEnabled = false },
        GraphCall(
            "simulatedAperture", ". .. ... II ..RR .", ["I": invalid("no adjustable"), "R": invalid("while a recording is in progress")],
            { $0.input.simulatedAperture = 4 }
        ) { after, _ in after.aperture = 4 },
        GraphCall(
            "simulatedAperture out of range", "X XX XXX II XXRR X",
            ["X": (.range, "[2.0, 16.0]"), "I": invalid("no adjustable"), "R": invalid("while a recording is in progress")],
            { $0.input.simulatedAperture = 1.4 }),
        GraphCall(
            "multichannelAudioMode of a camera", "I II III II IIII I", ["I": invalid("isMultichannelAudioModeSupported:")],
            { $0.input.multichannelAudioMode = .stereo }),
    ]

    //  empty  idle batch  running runningBatch interrupted  plain plainRunning  cinematic cinematicRunning recording paused  unplugged
    static let output: [GraphCall] = [
        GraphCall(
            "metadataObjectTypes as required", "I .. ... .. .... .", ["I": invalid("use -availableMetadataObjectTypes")],
            { $0.metadata.metadataObjectTypes = $0.metadata.requiredMetadataObjectTypesForCinematicVideoCapture }),
        GraphCall(
            "metadataObjectTypes with some", "I .. ... .. DDDD .",
            ["I": invalid("use -availableMetadataObjectTypes"), "D": invalid("requiredMetadataObjectTypesForCinematicVideoCapture")],
            { $0.metadata.metadataObjectTypes = [.face] }
        ) { after, _ in after.types = [.face] },
        GraphCall(
            "metadataObjectTypes unknown", "I II III II IIII I", ["I": invalid("use -availableMetadataObjectTypes")],
            { $0.metadata.metadataObjectTypes = [AVMetadataObject.ObjectType(rawValue: "unicorn")] }),
        GraphCall(
            "setMetadataObjectsDelegate without queue", "I II III II IIII I", ["I": invalid("NULL queue")],
            { $0.metadata.setMetadataObjectsDelegate(NoObjects.shared, queue: nil) }),
        GraphCall(
            "setSampleBufferDelegate without queue", "I II III II IIII I", ["I": invalid("NULL queue")],
            { $0.video.setSampleBufferDelegate(NoObjects.shared, queue: nil) }),
        GraphCall("videoSettings", ". .. ... .. .... .", { $0.video.videoSettings = settings }),
        GraphCall(
            "videoSettings unknown", "I II III II IIII I", ["I": invalid("unsupported key")], { $0.video.videoSettings = ["colour": "red"] }),
        GraphCall(
            "startRecording", "I .. ... .. .... .", ["I": invalid("No active/enabled connections")],
            { $0.movie.startRecording(to: $0.file.appendingPathExtension("2"), recordingDelegate: $0.recorder) }
        ) { after, _ in (after.isRecording, after.isPaused) = (after.isRunning, false) },
        GraphCall(
            "startRecording to no file", "I II III II IIII I", ["I": invalid("not a file URL")],
            { $0.movie.startRecording(to: URL(string: "https://example.org/movie.mov")!, recordingDelegate: $0.recorder) }),
        GraphCall("stopRecording", ". .. ... .. .... .", { $0.movie.stopRecording() }) { after, _ in after.endRecording() },
        GraphCall("pauseRecording", ". .. ... .. .... .", { $0.movie.pauseRecording() }) { after, _ in after.isPaused = after.isRecording },
        GraphCall("resumeRecording", ". .. ... .. .... .", { $0.movie.resumeRecording() }) { after, _ in after.isPaused = false },
        GraphCall(
            "capturePhoto", "I .. ... .. .... .", ["I": invalid("No active and enabled video connection")],
            { $0.photo.capturePhoto(with: AVCapturePhotoSettings(), delegate: NoPhotos()) }),
        GraphCall(
            "capturePhoto with used settings", "I UU UUU UU UUUU U",
            ["I": invalid("No active and enabled video connection"), "U": invalid("may not be re-used")],
            { rig in
                let settings = AVCapturePhotoSettings()
                _ = CaptureEnvironment.violations { rig.photo.capturePhoto(with: settings, delegate: NoPhotos()) }
                rig.photo.capturePhoto(with: settings, delegate: NoPhotos())
            }),
        GraphCall("videoRotationAngle", ". .. ... .. .... .", { $0.video.connection(with: .video)?.videoRotationAngle = 90 }) {
            if $1 != .empty { $0.angle = 90 }
        },
        GraphCall(
            "videoRotationAngle askew", ". II III II IIII I", ["I": invalid("use isVideoRotationAngleSupported:")],
            { $0.video.connection(with: .video)?.videoRotationAngle = 45 }),
        GraphCall("isVideoMirrored of video data", ". .. ... .. .... .", { $0.video.connection(with: .video)?.isVideoMirrored = true }) {
            if $1 != .empty { $0.isMirrored = true }
        },
        GraphCall(
            "isVideoMirrored of a preview that mirrors itself", ". II III II IIII I", ["I": invalid("automaticallyAdjustsVideoMirroring")],
            { $0.preview.connection?.isVideoMirrored = true }),
        GraphCall("isEnabled of a connection", ". .. ... .. .... .", { $0.video.connection(with: .video)?.isEnabled = false }),
    ]
}

private final class NoObjects: NSObject, AVCaptureMetadataOutputObjectsDelegate, AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
    static let shared = NoObjects()
}
