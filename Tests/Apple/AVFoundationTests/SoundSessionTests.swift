import AVFoundation
import Pipeline
import Synchronization
import TestSupport
import Testing

@Suite("A session that listens")
struct SoundSessionTests {
    @Test("runs with a microphone alone, its clock goes on, and ends with what there is to hear")
    func microphoneAlone() throws {
        try inEnvironment(soundEnvironment(TestVoice(samples: 48_000))) {
            let app = try SoundApp(hasCamera: false)
            let clock = try #require(app.session.synchronizationClock)
            let shown = Mutex<[CMTime]>([])
            app.onSound = { _ in shown.withLock { $0.append(clock.time) } }
            try app.run()
            let samples = app.samples()
            #expect(samples.count == 47 && samples.dropLast().allSatisfy { $0.numSamples == 1024 })
            #expect(samples.map(\.numSamples).reduce(0, +) == 48_000)
            #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.presentationTimeStamp + $0.duration == $1.presentationTimeStamp })
            #expect(shown.withLock { $0 } == samples.map(\.presentationTimeStamp))
            try app.run()
            #expect(app.samples()[47].presentationTimeStamp == .zero, "started again, it begins again")
        }
    }

    @Test("connects microphones to what takes sound, in whatever order, and cameras to what takes pictures", arguments: [true, false])
    func connections(inputFirst: Bool) throws {
        try inEnvironment(soundEnvironment()) {
            let session = AVCaptureSession()
            let microphone = try AVCaptureDeviceInput(device: #require(AVCaptureDevice.default(for: .audio)))
            let camera = try AVCaptureDeviceInput(device: #require(AVCaptureDevice.default(for: .video)))
            let (audio, movie, video) = (AVCaptureAudioDataOutput(), AVCaptureMovieFileOutput(), AVCaptureVideoDataOutput())
            if inputFirst { [microphone, camera].forEach(session.addInput) }
            [audio, movie, video].forEach(session.addOutput)
            if !inputFirst { [microphone, camera].forEach(session.addInput) }
            #expect(session.connections.count == 4)
            #expect(audio.connection(with: .audio)?.inputPorts[0].input === microphone && audio.connection(with: .video) == nil)
            #expect(movie.connection(with: .audio) != nil && movie.connection(with: .video) != nil)
            #expect(movie.connection(with: .audio)?.isVideoRotationAngleSupported(90) == false)
            #expect(video.connection(with: .audio) == nil && video.connection(with: .video)?.audioChannels.isEmpty == true)
            #expect(microphone.ports[0].formatDescription?.audioStreamBasicDescription?.mSampleRate == 48_000)
            let wrong = AVCaptureConnection(inputPorts: microphone.ports, output: video)
            #expect(!session.canAddConnection(wrong))
        }
    }

    @Test("a disabled connection is silent, and the rest comes on time")
    func disabled() throws {
        var environment = soundEnvironment()
        environment.clock = .lockStep
        try inEnvironment(environment) {
            let app = try SoundApp()
            let connection = try #require(app.audioOutput.connection(with: .audio))
            app.onSound = { if $0.presentationTimeStamp.value == 3200 { connection.isEnabled = false } }
            let again = Again(app.videoOutput, app.queue, at: CMTime(value: 6, timescale: 30)) { connection.isEnabled = true }
            try app.run()
            withExtendedLifetime(again) {}
            #expect(app.samples().map { $0.presentationTimeStamp.value / 1600 } == [0, 1, 2, 7, 8, 9])
        }
    }

    /// Does something once, with the picture of one time.
    private final class Again: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate {
        private let time: CMTime
        private let body: @Sendable () -> Void

        init(_ output: AVCaptureVideoDataOutput, _ queue: DispatchQueue, at time: CMTime, _ body: @escaping @Sendable () -> Void) {
            (self.time, self.body) = (time, body)
            super.init()
            output.setSampleBufferDelegate(self, queue: queue)
        }

        func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
            if sampleBuffer.presentationTimeStamp == time { body() }
        }
    }

    @Test("a microphone that comes while the camera runs is heard from the next frame on, and not once it is taken out")
    func comesAndGoes() throws {
        var environment = soundEnvironment()
        environment.clock = .lockStep
        try inEnvironment(environment) {
            let app = try SoundApp()
            app.session.removeInput(app.microphone)
            let add = Again(app.videoOutput, app.queue, at: CMTime(value: 3, timescale: 30)) { [session = app.session, microphone = app.microphone] in
                session.addInput(microphone)
            }
            app.onSound = { [session = app.session, microphone = app.microphone] in
                if $0.presentationTimeStamp.value == 7 * 1600 { session.removeInput(microphone) }
            }
            try app.run()
            withExtendedLifetime(add) {}
            #expect(app.samples().map { $0.presentationTimeStamp.value / 1600 } == [4, 5, 6, 7])
        }
    }

    @Test("is silent where the user has not agreed yet, and refused where he has not agreed at all")
    func permission() throws {
        var environment = soundEnvironment(source: CountingSource(count: 6))
        environment.clock = .lockStep
        let conditions = environment.conditions
        environment.conditions.setAuthorization(.notDetermined, for: .audio)
        environment.conditions.setAnswer(nil, for: .audio)
        try inEnvironment(environment) {
            let app = try SoundApp()
            app.onSound = { sample in
                guard sample.presentationTimeStamp.value == 2 * 1600 else { return }
                conditions.answerPrompt(for: .audio, isGranted: true)
            }
            try app.run()
            let samples = app.samples()
            #expect(samples.count == 6)
            #expect(try samples[0...2].allSatisfy { try $0.channel(0).allSatisfy { $0 == 0 } })
            #expect(try samples[5].channel(0)[1] == Int16(8001 % 100) * 256)
        }
        environment.conditions.setAuthorization(.denied, for: .audio)
        inEnvironment(environment) {
            let error = #expect(throws: AVError.self) { try AVCaptureDeviceInput(device: AVCaptureDevice.default(for: .audio)!) }
            #expect(error?.code == .applicationIsNotAuthorizedToUseDevice)
        }
    }

    @Test("an interruption of the microphone stops the session with reason 2; afterwards it goes on where it was")
    func interruption() throws {
        let environment = soundEnvironment(TestVoice(samples: 48_000))
        try inEnvironment(environment) {
            let app = try SoundApp(hasCamera: false)
            let reached = DispatchSemaphore(value: 0)
            let reasons = Mutex<[Int]>([])
            let token = NotificationCenter.default.addObserver(
                forName: AVCaptureSession.wasInterruptedNotification, object: app.session, queue: nil
            ) { notification in
                let reason = (notification.userInfo?[AVCaptureSessionInterruptionReasonKey] as? NSNumber)?.intValue
                reasons.withLock { $0.append(reason ?? 0) }
            }
            defer { NotificationCenter.default.removeObserver(token) }
            app.onSound = { sample in
                guard sample.presentationTimeStamp.value == 10 * 1024 else { return }
                environment.conditions.interrupt(.audioDeviceInUseByAnotherClient)
                reached.signal()
            }
            app.session.startRunning()
            try #require(reached.wait(timeout: .now() + patience) == .success)
            #expect(app.session.isInterrupted && !app.session.isRunning && reasons.withLock { $0 } == [2])
            environment.conditions.endInterruption()
            #expect(eventually { !app.session.isRunning })
            let samples = app.samples()
            #expect(samples.map(\.numSamples).reduce(0, +) == 48_000)
            #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.presentationTimeStamp + $0.duration == $1.presentationTimeStamp })
        }
    }

    @Test("a microphone that fails, or does not open, ends it with a runtime error")
    func failure() throws {
        var environment = soundEnvironment(TestVoice(failsAt: 5000))
        for hasCamera in [true, false] {
            try inEnvironment(environment) {
                let app = try SoundApp(hasCamera: hasCamera)
                let errors = errors(of: app.session)
                try app.run()
                #expect(errors().map(\.code) == [.unknown] && !app.session.isRunning)
            }
        }
        environment.openMicrophone = { _ in throw FakeFailure(what: "no such microphone") }
        try inEnvironment(environment) {
            let app = try SoundApp()
            let errors = errors(of: app.session)
            app.session.startRunning()
            #expect(errors().map(\.code) == [.unknown] && !app.session.isRunning)
        }
    }

    /// The runtime errors that the session has posted by the time of asking.
    private func errors(of session: AVCaptureSession) -> () -> [AVError] {
        let log = ErrorLog()
        log.token = NotificationCenter.default.addObserver(forName: AVCaptureSession.runtimeErrorNotification, object: session, queue: nil) {
            [weak log] notification in
            if let error = notification.userInfo?[AVCaptureSessionErrorKey] as? AVError { log?.errors.withLock { $0.append(error) } }
        }
        return { log.errors.withLock { $0 } }
    }

    private final class ErrorLog: @unchecked Sendable {
        let errors = Mutex<[AVError]>([])
        var token: (any NSObjectProtocol)?
        deinit { token.map(NotificationCenter.default.removeObserver) }
    }

    @Test("levels are those of the samples: a full square is at 0 dB, a half one at −6, silence at the floor; peaks stay 1.5 s")
    func levels() throws {
        // One second of full scale, one of half, then nothing.
        let voice = TestVoice(layout: .firstOrderAmbisonics) { $0 < 48_000 ? 1 : $0 < 96_000 ? 0.5 : 0 }
        try inEnvironment(soundEnvironment(voice, source: CountingSource(count: 150))) {
            let app = try SoundApp(mode: .stereo)
            let connection = try #require(app.audioOutput.connection(with: .audio))
            #expect(connection.audioChannels.map(\.averagePowerLevel) == [-160, -160])
            let shown = Mutex<[(average: Float, peak: Float, right: Float)]>([])
            app.onSound = { _ in
                let channels = connection.audioChannels
                shown.withLock { $0.append((channels[0].averagePowerLevel, channels[0].peakHoldLevel, channels[1].averagePowerLevel)) }
            }
            try app.run()
            let levels = shown.withLock { $0 }
            // Left is (1 + 0.5) / 2 of it, right (1 − 0.5) / 2.
            let (left, right) = (20 * log10f(0.75), 20 * log10f(0.25))
            #expect(abs(levels[10].average - left) < 1e-3 && abs(levels[10].right - right) < 1e-3)
            #expect(abs(levels[40].average - left + 6.0206) < 1e-3 && levels[40].peak == levels[10].peak && abs(levels[10].peak - left) < 1e-3)
            #expect(levels[100].average == -160 && abs(levels[100].peak - left + 6.0206) < 1e-3 && levels[149].peak == -160)
        }
    }
}
