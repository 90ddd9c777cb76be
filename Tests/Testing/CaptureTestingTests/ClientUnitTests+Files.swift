import AVFoundation
import CaptureTesting
import ClientUnits
import TestSupport
import Testing

extension ClientUnitTests {
    @Test("records places in a track of their own, stamped by the host's clock")
    func places() async throws {
        final class Listener: NSObject, AVCaptureFileOutputRecordingDelegate {
            func fileOutput(
                _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL, from connections: [AVCaptureConnection],
                error: (any Error)?
            ) {}
        }
        let scratch = try Scratch()
        let url = scratch.url.appending(path: "a.mov")
        try await withTestPhone(showing: stage) { phone in
            let (session, output, track) = (AVCaptureSession(), AVCaptureMovieFileOutput(), try #require(PlaceTrack()))
            let device = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
            session.addInput(try AVCaptureDeviceInput(device: device))
            session.addOutput(output)
            track.connect(session, output)
            session.startRunning()
            output.startRecording(to: url, recordingDelegate: Listener())
            for latitude in [48.2, 48.3] {
                await phone.step(for: .seconds(1))
                try track.note(latitude, 16.4)
            }
            await phone.step(for: .seconds(1))
            output.stopRecording()
            try await phone.until(within: .seconds(1)) { phone.movies.last?.isFinished == true }
            // Nothing, ahead of the first place, then the two.
            #expect(phone.movies.last?.codedSampleCount == 3)
        }
    }

    @Test("writes frames that it has changed, and is told that a test reads no movies")
    func writers() async throws {
        let scratch = try Scratch()
        let url = scratch.url.appending(path: "unit.mov")
        try await withTestPhone(showing: stage) { _ in
            let recorder = try BakedRecorder(to: url, width: 64, height: 36)
            for frame in 0..<3 {
                var buffer: CVPixelBuffer?
                CVPixelBufferCreate(kCFAllocatorDefault, 64, 36, kCVPixelFormatType_32BGRA, nil, &buffer)
                recorder.append(try #require(buffer), at: CMTime(value: CMTimeValue(frame), timescale: 30))
            }
            #expect(await recorder.finish() && recorder.frames == 3)
            let failure = await #expect(throws: (any Error).self) { try await times(of: url) }
            #expect(failure.map { String(describing: $0) }?.contains("reader") == true)
        }
    }

    @Test("keeps the microphone's sound in a file, on the clock of the machine")
    func sound() async throws {
        let scratch = try Scratch()
        let url = scratch.url.appending(path: "unit.caf")
        var radio = TestStage.Member.prop("radio", box: CGRect(x: 0, y: 0.4, width: 0.2, height: 0.2), depth: 1)
        radio.sound = .tone(440, level: -20)
        let before = CMClockGetTime(CMClockGetHostTimeClock())
        try await withTestPhone(showing: TestStage(radio)) { phone in
            let (session, diary) = (AVCaptureSession(), SoundDiary(to: url))
            session.addInput(try AVCaptureDeviceInput(device: try #require(AVCaptureDevice.default(for: .audio))))
            session.addOutput(diary.output)
            session.startRunning()
            await phone.step(frames: 3)
            session.stopRunning()
            #expect(diary.loudest > 0.01 && SoundDiary.length(of: url) == 0.1)
            let (begun, now) = (try #require(diary.hostTime(in: session)), CMClockGetTime(CMClockGetHostTimeClock()))
            #expect(before <= begun && begun <= now)
        }
        EngineMeter().stop()
    }
}
