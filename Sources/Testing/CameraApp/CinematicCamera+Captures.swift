import AVFCapture
import Foundation

/// Recordings, photos and the session's own controls.
extension CinematicCamera {
    /// Missing part of the app that a call needs.
    public enum Missing: Error, CustomStringConvertible {
        case movieOutput, photoOutput
        case camera(AVCaptureDevice.DeviceType)

        /// Message in words.
        public var description: String {
            switch self {
            case .movieOutput: "the app has no movie output"
            case .photoOutput: "the app has no photo output"
            case .camera(let type): "there is no camera of type \(type.rawValue) to switch to"
            }
        }
    }

    /// Starts a recording to a temporary file; throws `Missing` without a movie output.
    public func startRecording() throws {
        let name = "rackfocus-\(UUID().uuidString).mov"
        try recorder().startRecording(to: FileManager.default.temporaryDirectory.appending(path: name), recordingDelegate: self)
    }

    /// Movie output; throws `Missing` without one.
    public func recorder() throws -> AVCaptureMovieFileOutput {
        guard let movieOutput else { throw Missing.movieOutput }
        return movieOutput
    }

    /// Takes a photo; throws `Missing` without a photo output.
    public func takePhoto() throws {
        guard let photoOutput else { throw Missing.photoOutput }
        photoOutput.capturePhoto(with: AVCapturePhotoSettings(), delegate: self)
    }
}

extension CinematicCamera: AVCaptureFileOutputRecordingDelegate {
    /// Reports the start of a recording.
    public func fileOutput(_ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, from connections: [AVCaptureConnection]) {
        report(.recordingStarted)
    }

    /// Reports a pause.
    public func fileOutput(_ output: AVCaptureFileOutput, didPauseRecordingTo fileURL: URL, from connections: [AVCaptureConnection]) {
        report(.recordingPaused)
    }

    /// Reports the end of a pause.
    public func fileOutput(_ output: AVCaptureFileOutput, didResumeRecordingTo fileURL: URL, from connections: [AVCaptureConnection]) {
        report(.recordingResumed)
    }

    /// Reports the end of a recording, with its error.
    public func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL, from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        report(.recordingEnded(error.map { ($0 as? AVError)?.code ?? .unknown }))
    }
}

extension CinematicCamera: AVCapturePhotoCaptureDelegate {
    /// Reports a photo, or the error it failed with.
    public func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?) {
        report(error.map { .photoFailed(($0 as? AVError)?.code ?? .unknown) } ?? .photoTaken)
    }
}
