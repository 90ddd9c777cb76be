import AVFoundation
import CaptureTesting
import Foundation
import TestSupport
import Testing

@Suite("Delegates bound to the main actor")
struct MainActorDelegateTests {
    /// An app's camera as a main actor's class, whose conformances trap wherever else they are called; its captures start on `queue`.
    @MainActor
    fileprivate final class Camera: NSObject {
        var (photos, words) = (0, [String]())
        nonisolated let session = AVCaptureSession()
        nonisolated let (photo, movie) = (AVCapturePhotoOutput(), AVCaptureMovieFileOutput())
        nonisolated let queue = DispatchQueue(label: "session")

        func start() throws {
            session.sessionPreset = .low
            session.addInput(try AVCaptureDeviceInput(device: try #require(AVCaptureDevice.default(for: .video))))
            session.addOutput(photo)
            session.addOutput(movie)
            session.startRunning()
        }

        nonisolated func shoot() { photo.capturePhoto(with: AVCapturePhotoSettings(), delegate: self) }
        nonisolated func record(to file: URL) { movie.startRecording(to: file, recordingDelegate: self) }
    }

    @Test("are called there for photos and recordings, from wherever the app asked for them", arguments: [false, true])
    func calls(fromQueue: Bool) async throws {
        let scratch = try Scratch()
        let file = scratch.url.appending(path: "a.mov")
        try await withTestPhone { phone in
            let camera = await Camera()
            try await camera.start()
            await phone.step(frames: 2)
            func ask(_ call: @escaping @Sendable () -> Void) async {
                if fromQueue { camera.queue.sync(execute: call) } else { await MainActor.run { call() } }
            }
            await ask { camera.shoot() }
            await phone.step()
            #expect(await camera.photos == 1)
            await ask { camera.record(to: file) }
            await phone.step()
            #expect(await camera.words == ["started"])
            await phone.step(frames: 2)
            camera.movie.pauseRecording()
            camera.movie.resumeRecording()
            camera.movie.stopRecording()
            try await phone.until(within: .seconds(1)) { await camera.words.last == "finished" }
            #expect(await camera.words == ["started", "paused", "resumed", "finished"])
        }
    }
}

extension MainActorDelegateTests.Camera: @preconcurrency AVCapturePhotoCaptureDelegate {
    fileprivate func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?) {
        if error == nil { photos += 1 }
    }
}

extension MainActorDelegateTests.Camera: @preconcurrency AVCaptureFileOutputRecordingDelegate {
    fileprivate func fileOutput(_ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, from connections: [AVCaptureConnection]) {
        words.append("started")
    }
    fileprivate func fileOutput(_ output: AVCaptureFileOutput, didPauseRecordingTo fileURL: URL, from connections: [AVCaptureConnection]) {
        words.append("paused")
    }
    fileprivate func fileOutput(_ output: AVCaptureFileOutput, didResumeRecordingTo fileURL: URL, from connections: [AVCaptureConnection]) {
        words.append("resumed")
    }
    fileprivate func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL, from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        words.append("finished")
    }
}
