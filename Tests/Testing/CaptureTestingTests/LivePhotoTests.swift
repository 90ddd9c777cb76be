import AVFoundation
import CaptureTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("A Live Photo")
struct LivePhotoTests {
    private final class Keeper: NSObject, AVCapturePhotoCaptureDelegate, Sendable {
        let words = Mutex<[String]>([])
        let movie = Mutex<(duration: Double, photo: Double)>((0, 0))

        private func note(_ word: String) { words.withLock { $0.append(word) } }

        func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?) {
            note("photo \(photo.resolvedSettings.livePhotoMovieDimensions.width)")
        }
        func photoOutput(
            _ output: AVCapturePhotoOutput, didFinishRecordingLivePhotoMovieForEventualFileAt outputFileURL: URL,
            resolvedSettings: AVCaptureResolvedPhotoSettings
        ) { note("recorded") }
        func photoOutput(
            _ output: AVCapturePhotoOutput, didFinishProcessingLivePhotoToMovieFileAt outputFileURL: URL, duration: CMTime,
            photoDisplayTime: CMTime, resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?
        ) {
            note(error == nil ? "movie" : "failed")
            movie.withLock { $0 = (duration.seconds, photoDisplayTime.seconds) }
        }
        func photoOutput(
            _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?
        ) { note("end") }
    }

    /// Runs `body` with a running camera whose output takes Live Photos, and a file for a movie.
    private func withCamera(_ body: (TestPhone, AVCapturePhotoOutput, AVCaptureSession, URL) async throws -> Void) async throws {
        let scratch = try Scratch()
        let file = scratch.url.appending(path: "a.mov")
        try await withTestPhone { phone in
            let (session, output) = (AVCaptureSession(), AVCapturePhotoOutput())
            session.sessionPreset = .low
            #expect(!output.isLivePhotoCaptureSupported)
            let device = try #require(AVCaptureDevice.default(for: .video))
            session.addInput(try AVCaptureDeviceInput(device: device))
            session.addOutput(output)
            #expect(output.isLivePhotoCaptureSupported && output.availableLivePhotoVideoCodecTypes == [.hevc, .h264])
            output.isLivePhotoCaptureEnabled = true
            session.startRunning()
            try await body(phone, output, session, file)
        }
    }

    private func settings(_ file: URL) -> AVCapturePhotoSettings {
        let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
        settings.livePhotoMovieFileURL = file
        return settings
    }

    @Test("is a photo, and a movie from 1.5 s before it to 1.5 s after it")
    func whole() async throws {
        try await withCamera { phone, output, _, file in
            let keeper = Keeper()
            await phone.step(for: .seconds(4))
            output.capturePhoto(with: settings(file), delegate: keeper)
            await phone.step(frames: 2)
            #expect(keeper.words.withLock { $0 } == ["photo 192"])
            try await phone.until(within: .seconds(2)) { keeper.words.withLock { $0.last } == "end" }
            #expect(keeper.words.withLock { $0 } == ["photo 192", "recorded", "movie", "end"])
            let movie = try #require(phone.movies.first)
            #expect(movie.times.count == 91 && movie.times.first == .zero && movie.isFinished)
            let (duration, photo) = keeper.movie.withLock { $0 }
            #expect(abs(duration - 91.0 / 30) < 1e-6 && photo == 1.5)
        }
    }

    @Test("soon after the start, or before the end, has a shorter movie")
    func short() async throws {
        try await withCamera { phone, output, session, file in
            let keeper = Keeper()
            await phone.step(frames: 3)
            output.capturePhoto(with: settings(file), delegate: keeper)
            await phone.step(frames: 10)
            session.stopRunning()
            try await phone.until(within: .zero) { keeper.words.withLock { $0.last } == "end" }
            #expect(phone.movies.first?.times.count == 13)
        }
    }

    @Test("has to be enabled again where its support went, and while it is, captures under way end")
    func settles() async throws {
        try await withCamera { phone, output, session, file in
            let (keeper, input) = (Keeper(), try #require(session.inputs.first))
            await phone.step(frames: 3)
            output.capturePhoto(with: settings(file), delegate: keeper)
            session.beginConfiguration()
            session.removeInput(input)
            session.addInput(input)
            session.commitConfiguration()
            #expect(output.isLivePhotoCaptureSupported && !output.isLivePhotoCaptureEnabled)
            output.isLivePhotoCaptureEnabled = true
            session.addOutput(AVCaptureMovieFileOutput())
            #expect(!output.isLivePhotoCaptureSupported && !output.isLivePhotoCaptureEnabled)
            try await phone.until(within: .zero) { keeper.words.withLock { $0 } == ["photo 0", "end"] }
        }
    }

    @Test("can be suspended while the session runs, and cannot be asked for then")
    func suspension() async throws {
        try await withCamera { phone, output, session, file in
            let keeper = Keeper()
            await phone.step(frames: 3)
            output.capturePhoto(with: settings(file), delegate: keeper)
            await phone.step(frames: 10)
            output.isLivePhotoCaptureSuspended = true
            try await phone.until(within: .zero) { keeper.words.withLock { $0.last } == "end" }
            #expect(phone.movies.first?.times.count == 13)
            try await phone.expectViolation(.invalidArgument, "livePhotoCaptureSuspended") {
                output.capturePhoto(with: settings(file), delegate: keeper)
            }
            session.stopRunning()
            #expect(!output.isLivePhotoCaptureSuspended)
            output.isLivePhotoCaptureSuspended = true
            #expect(!output.isLivePhotoCaptureSuspended)
            output.preservesLivePhotoCaptureSuspendedOnSessionStop = true
            session.startRunning()
            output.isLivePhotoCaptureSuspended = true
            session.stopRunning()
            #expect(output.isLivePhotoCaptureSuspended)
            output.isLivePhotoCaptureEnabled = false
            try await phone.expectViolation(.invalidArgument, "livePhotoCaptureEnabled") { output.isLivePhotoCaptureSuspended = true }
        }
    }

    @Test("raises where it is not enabled or its file is none, and is not supported beside a movie output")
    func refusals() async throws {
        try await withCamera { phone, output, session, file in
            try await phone.expectViolation(.invalidArgument, "must be a file URL") {
                output.capturePhoto(with: settings(try #require(URL(string: "https://example.org/a.mov"))), delegate: Keeper())
            }
            output.isLivePhotoCaptureEnabled = false
            try await phone.expectViolation(.invalidArgument, "livePhotoMovieFileURL") {
                output.capturePhoto(with: settings(file), delegate: Keeper())
            }
            session.addOutput(AVCaptureMovieFileOutput())
            try await phone.expectViolation(.invalidArgument, "isLivePhotoCaptureSupported") { output.isLivePhotoCaptureEnabled = true }
        }
    }
}
