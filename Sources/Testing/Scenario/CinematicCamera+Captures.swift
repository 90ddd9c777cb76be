import AVFoundation
import Foundation
import Pipeline

/// Recordings, photos and the session's own controls.
extension CinematicCamera {
    /// Missing part of the app that a call needs.
    enum Missing: Error, CustomStringConvertible {
        case movieOutput, photoOutput, stabilization
        case camera(String)

        var description: String {
            switch self {
            case .movieOutput: "the app has no movie output"
            case .photoOutput: "the app has no photo output"
            case .camera(let name): "there is no other camera, \(name); only `rackfocus test` has two"
            case .stabilization: "no connection of the app can stabilize: it takes a movie output"
            }
        }
    }

    /// Makes a call; throws when the app lacks the output or camera it needs.
    public func perform(_ call: CameraCall) throws {
        switch call {
        case .record(let step): try record(step)
        case .photo:
            guard let photoOutput else { throw Missing.photoOutput }
            photoOutput.capturePhoto(with: AVCapturePhotoSettings(), delegate: self)
        case .session(.start): session.startRunning()
        case .session(.stop): session.stopRunning()
        case .session(.begin): session.beginConfiguration()
        case .session(.commit): session.commitConfiguration()
        case .switchCamera(let camera): try switchCamera(to: camera)
        case .zoom(let factor): whileLocked { $0.videoZoomFactor = CGFloat(factor) }
        case .stabilization(let mode):
            guard let connection = movieOutput?.connection(with: .video) else { throw Missing.stabilization }
            connection.preferredVideoStabilizationMode = .init(mode)
        }
    }

    private func record(_ step: CameraCall.Recording) throws {
        guard let movieOutput else { throw Missing.movieOutput }
        switch step {
        case .start:
            let name = "rackfocus-\(UUID().uuidString).mov"
            movieOutput.startRecording(to: FileManager.default.temporaryDirectory.appending(path: name), recordingDelegate: self)
        case .stop: movieOutput.stopRecording()
        case .pause: movieOutput.pauseRecording()
        case .resume: movieOutput.resumeRecording()
        }
    }

    /// State of the movie output.
    var recording: Expectation.Recording {
        guard let movieOutput, movieOutput.isRecording else { return lastEnd.map { .failed($0.word) } ?? .off }
        return movieOutput.isRecordingPaused ? .paused : .on
    }
}

extension CinematicCamera: AVCaptureFileOutputRecordingDelegate {
    /// Reports the start of a recording.
    public func fileOutput(_ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, from connections: [AVCaptureConnection]) {
        tell(.recordingStarted)
    }

    /// Reports a pause.
    public func fileOutput(_ output: AVCaptureFileOutput, didPauseRecordingTo fileURL: URL, from connections: [AVCaptureConnection]) {
        tell(.recordingPaused)
    }

    /// Reports the end of a pause.
    public func fileOutput(_ output: AVCaptureFileOutput, didResumeRecordingTo fileURL: URL, from connections: [AVCaptureConnection]) {
        tell(.recordingResumed)
    }

    /// Reports the end of a recording, with its error.
    public func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL, from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        tell(.recordingEnded(error.map { ($0 as? AVError)?.code ?? .unknown }))
    }
}

extension CinematicCamera: AVCapturePhotoCaptureDelegate {
    /// Reports a photo, or the error it failed with.
    public func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?) {
        tell(error.map { .photoFailed(($0 as? AVError)?.code ?? .unknown) } ?? .photoTaken)
    }
}

extension CinematicCamera.Event {
    /// Event in the trace's words.
    var words: (key: StaticString, value: String) {
        switch self {
        case .recordingStarted: ("recording", "started")
        case .recordingPaused: ("recording", "paused")
        case .recordingResumed: ("recording", "resumed")
        case .recordingEnded(let code): ("recording", code?.word ?? "finished")
        case .photoTaken: ("photo", "taken")
        case .photoFailed(let code): ("photo", code.word)
        case .cameraSwitched(let camera): ("camera", camera.rawValue)
        case .cameraRefused(let code): ("camera", code.word)
        }
    }
}

extension AVError.Code {
    /// Word of the scenario format for the error that ended a capture.
    var word: String {
        switch self {
        case .diskFull: "diskFull"
        case .sessionWasInterrupted: "interrupted"
        case .deviceWasDisconnected: "disconnected"
        case .mediaServicesWereReset: "reset"
        case .sessionConfigurationChanged: "changed"
        case .applicationIsNotAuthorizedToUseDevice: "denied"
        default: "error \(rawValue)"
        }
    }
}

extension AVCaptureVideoStabilizationMode {
    fileprivate init(_ mode: CameraCall.Stabilization) {
        switch mode {
        case .off: self = .off
        case .standard: self = .standard
        case .cinematic: self = .cinematic
        case .cinematicExtended: self = .cinematicExtended
        case .cinematicExtendedEnhanced: self = .cinematicExtendedEnhanced
        case .auto: self = .auto
        }
    }
}
