import AVFoundation
import Pipeline
import Support
import Synchronization
import TestSupport
import Testing

@Suite("Recording a movie")
struct RecordingTests {
    private let url = URL(fileURLWithPath: "/tmp/rackfocus-never-written.mov")

    /// A camera app with a movie output, whose metadata delegate is called before the frame of the same index is written.
    private func record(
        frames: Int = 10, movie: FakeMovie = FakeMovie(), prepare: (CameraApp, AVCaptureMovieFileOutput) -> Void = { _, _ in },
        freeDiskSpace: Int64 = .max, _ script: @escaping @Sendable (Int, CameraApp, AVCaptureMovieFileOutput, Recorder) -> Void
    ) throws -> Recorder {
        var environment = fakeEnvironment(source: CountingSource(count: frames))
        environment.openMovie = { _, _ in movie }
        environment.freeDiskSpace = { _ in freeDiskSpace }
        return try inEnvironment(environment) {
            let (app, output, recorder) = (try CameraApp(), AVCaptureMovieFileOutput(), Recorder())
            app.session.addOutput(output)
            prepare(app, output)
            let next = Mutex(0)
            app.onMetadata = { [unowned app] _ in
                let index = next.withLock { next in
                    defer { next += 1 }
                    return next
                }
                script(index, app, output, recorder)
            }
            try app.run()
            try #require(recorder.end(), "the recording did not end")
            app.onMetadata = nil
            return recorder
        }
    }

    @Test("writes from start to stop, from zero, and tells its delegate in order")
    func startAndStop() throws {
        let movie = FakeMovie()
        let url = url
        let recorder = try record(movie: movie) { index, _, output, recorder in
            if index == 2 {
                output.startRecording(to: url, recordingDelegate: recorder)
                #expect(output.isRecording && output.outputFileURL == url && !output.isRecordingPaused)
            }
            if index == 5 { #expect(output.recordedDuration == CMTime(value: 3, timescale: 30) && output.recordedFileSize == 3000) }
            if index == 6 {
                output.stopRecording()
                #expect(!output.isRecording && output.outputFileURL == nil)
            }
        }
        #expect(recorder.words == ["start 2", "will finish", "did finish"] && recorder.error == nil)
        #expect(movie.all.lumas == [18, 19, 20, 21] && movie.all.isFinished)
        #expect(movie.all.times == (0..<4).map { CMTime(value: $0, timescale: 30) })
    }

    @Test("leaves paused frames out and goes on without a gap")
    func pause() throws {
        let movie = FakeMovie()
        let url = url
        let recorder = try record(movie: movie) { index, _, output, recorder in
            if index == 0 { output.startRecording(to: url, recordingDelegate: recorder) }
            if index == 3 {
                output.pauseRecording()
                #expect(output.isRecordingPaused && output.isRecording)
            }
            if index == 6 { output.resumeRecording() }
            if index == 8 { output.stopRecording() }
        }
        #expect(recorder.words == ["start 0", "pause", "resume", "will finish", "did finish"])
        #expect(movie.all.lumas == [16, 17, 18, 22, 23])
        #expect(movie.all.times == (0..<5).map { CMTime(value: $0, timescale: 30) })
    }

    @Test("ends at a limit with an error that calls the file good")
    func limits() throws {
        let url = url
        let start: @Sendable (Int, CameraApp, AVCaptureMovieFileOutput, Recorder) -> Void = { index, _, output, recorder in
            if index == 0 { output.startRecording(to: url, recordingDelegate: recorder) }
        }
        let byTime = FakeMovie()
        let time = try record(
            movie: byTime, prepare: { $1.maxRecordedDuration = CMTime(value: 1, timescale: 10) }, start)
        #expect(time.error?.code == .maximumDurationReached && time.isFileGood == true && byTime.all.times.count == 3)
        let bySize = FakeMovie()
        let size = try record(movie: bySize, prepare: { $1.maxRecordedFileSize = 4000 }, start)
        #expect(size.error?.code == .maximumFileSizeReached && size.isFileGood == true && bySize.all.times.count == 4)
        let space = try record(prepare: { $1.minFreeDiskSpaceLimit = 500 }, freeDiskSpace: 499, start)
        #expect(space.error?.code == .diskFull && space.isFileGood == false && space.words == ["will finish", "did finish"])
    }

    @Test("a disk that fills up ends the recording; the file is good where the writer could save it, else gone", arguments: [false, true])
    func fullDisk(isSaved: Bool) throws {
        let movie = FakeMovie(failsAt: 2, salvages: isSaved)
        let url = url
        let recorder = try record(movie: movie) { index, _, output, recorder in
            if index == 0 { output.startRecording(to: url, recordingDelegate: recorder) }
        }
        #expect(recorder.error?.code == .diskFull && recorder.isFileGood == isSaved)
        #expect(recorder.error?.underlyingError is OutputError && movie.all.isCancelled != isSaved)
    }

    @Test("the session's end and a removed output end the recording, and the file is good")
    func interrupted() throws {
        let url = url
        let ended = try record { index, _, output, recorder in
            if index == 1 { output.startRecording(to: url, recordingDelegate: recorder) }
        }
        #expect(ended.error?.code == .sessionWasInterrupted && ended.isFileGood == true)
        let removed = try record { index, app, output, recorder in
            if index == 1 { output.startRecording(to: url, recordingDelegate: recorder) }
            if index == 3 { app.session.removeOutput(output) }
        }
        #expect(removed.error?.code == .sessionConfigurationChanged && removed.isFileGood == true)
    }

    @Test("a recording started in a recording ends the first")
    func again() throws {
        let (first, url) = (Recorder(), url)
        let second = try record { index, _, output, recorder in
            if index == 1 { output.startRecording(to: url, recordingDelegate: first) }
            if index == 3 { output.startRecording(to: url, recordingDelegate: recorder) }
            if index == 5 { output.stopRecording() }
        }
        #expect(first.words == ["start 1", "will finish", "did finish"] && first.error == nil)
        #expect(second.words == ["start 3", "will finish", "did finish"] && second.error == nil)
    }

    @Test("the aperture and cinematic capture itself are refused while it runs, and allowed after")
    func apertureWhileRecording() throws {
        let url = url
        _ = try record { index, app, output, recorder in
            if index == 1 {
                output.startRecording(to: url, recordingDelegate: recorder)
                output.pauseRecording()
                let raised = CaptureEnvironment.violations {
                    app.input.simulatedAperture = 4
                    app.input.isCinematicVideoCaptureEnabled = false
                }
                #expect(raised.map(\.name) == [.invalidArgument, .invalidArgument])
                #expect(app.input.simulatedAperture == 2.8 && app.input.isCinematicVideoCaptureEnabled)
            }
            if index == 2 {
                output.stopRecording()
                app.input.simulatedAperture = 4
                #expect(app.input.simulatedAperture == 4)
            }
        }
    }

    @Test("a delegate without the start's time hears of the start")
    func plainDelegate() throws {
        let (plain, url) = (PlainRecorder(), url)
        _ = try record { index, _, output, recorder in
            if index == 1 { output.startRecording(to: url, recordingDelegate: plain) }
            if index == 3 { output.startRecording(to: url, recordingDelegate: recorder) }
        }
        #expect(plain.ended.wait(timeout: .now() + patience) == .success && plain.starts.withLock { $0 } == 1)
    }
}

@Suite("Asking to record")
struct RecordingRequestTests {
    @Test("raises on a web address and without connections; existing files and stopped sessions reach the delegate")
    func requests() throws {
        var environment = phoneEnvironment()
        environment.openMovie = { _, _ in FakeMovie() }
        try inEnvironment(environment) {
            let (output, recorder) = (AVCaptureMovieFileOutput(), Recorder())
            let file = URL(fileURLWithPath: "/tmp/rackfocus-never-written.mov")
            let raised = CaptureEnvironment.violations {
                output.startRecording(to: URL(string: "https://example.com/a.mov")!, recordingDelegate: recorder)
                output.startRecording(to: file, recordingDelegate: recorder)
            }
            #expect(raised.map(\.name) == [.invalidArgument, .invalidArgument])
            #expect(raised.last?.reason.hasSuffix("No active/enabled connections") == true)
            let app = try CameraApp()
            app.session.addOutput(output)
            output.startRecording(to: file, recordingDelegate: recorder)
            #expect(recorder.end() && recorder.error?.code == .sessionNotRunning && !output.isRecording)
            output.stopRecording()
            output.pauseRecording()
            #expect(!output.isRecordingPaused)
        }
    }

    @Test("an existing file, and an environment that writes no movies, end the recording at once")
    func refusedByTheWorld() throws {
        try inEnvironment(fakeEnvironment(source: CountingSource(count: 6))) {
            let (app, output) = (try CameraApp(), AVCaptureMovieFileOutput())
            app.session.addOutput(output)
            #expect(output.availableVideoCodecTypes.isEmpty)
            let (existing, impossible) = (Recorder(), Recorder())
            app.onMetadata = { _ in
                guard existing.words.isEmpty else { return }
                output.startRecording(to: URL(fileURLWithPath: #filePath), recordingDelegate: existing)
                #expect(existing.end() && existing.error?.code == .fileAlreadyExists && existing.words == ["will finish", "did finish"])
                output.startRecording(to: URL(fileURLWithPath: "/tmp/rackfocus-never-written.mov"), recordingDelegate: impossible)
            }
            try app.run()
            #expect(impossible.end() && impossible.error?.code == .unknown && impossible.isFileGood == false)
            #expect(impossible.error?.localizedDescription.contains("openMovie") == true)
            app.onMetadata = nil
        }
    }

    @Test("takes a codec that is there and refuses others, other keys and other outputs' connections")
    func settings() throws {
        var environment = phoneEnvironment()
        environment.openMovie = { _, _ in FakeMovie() }
        try inEnvironment(environment) {
            let output = AVCaptureMovieFileOutput()
            #expect(output.availableVideoCodecTypes.isEmpty)
            let app = try CameraApp()
            app.session.addOutput(output)
            let connection = try #require(output.connection(with: .video))
            #expect(output.availableVideoCodecTypes == [.h264] && output.supportedOutputSettingsKeys(for: connection) == [AVVideoCodecKey])
            output.setOutputSettings([AVVideoCodecKey: AVVideoCodecType.h264], for: connection)
            #expect(output.outputSettings(for: connection)[AVVideoCodecKey] as? AVVideoCodecType == .h264)
            let raised = CaptureEnvironment.violations {
                output.setOutputSettings([AVVideoCodecKey: AVVideoCodecType.hevc], for: connection)
                output.setOutputSettings([AVVideoWidthKey: 640], for: connection)
                output.setOutputSettings(nil, for: app.videoOutput.connections[0])
                output.setRecordsVideoOrientationAndMirroringChanges(true, asMetadataTrackFor: app.videoOutput.connections[0])
            }
            #expect(raised.map(\.name) == [.invalidArgument, .invalidArgument, .invalidArgument, .invalidArgument])
            #expect(!output.recordsVideoOrientationAndMirroringChangesAsMetadataTrack(for: connection))
            output.setRecordsVideoOrientationAndMirroringChanges(true, asMetadataTrackFor: connection)
            #expect(output.recordsVideoOrientationAndMirroringChangesAsMetadataTrack(for: connection))
            #expect(output.movieFragmentInterval == CMTime(value: 10, timescale: 1))
            output.movieFragmentInterval = .invalid
            #expect(!output.movieFragmentInterval.isNumeric)
        }
    }
}
