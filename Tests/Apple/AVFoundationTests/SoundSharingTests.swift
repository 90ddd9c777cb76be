import AVFoundation
import Pipeline
import Synchronization
import Testing

@testable import AVFCapture

@Suite("Sound beside pictures")
struct SoundSharingTests {
    /// Records from the second frame on while the app listens; the session ends by itself.
    private func record(mode: AVCaptureMultichannelAudioMode, hasSound: Bool = true) throws -> FakeMovie.Content {
        let movie = FakeMovie()
        var environment = soundEnvironment(TestVoice(layout: .firstOrderAmbisonics), source: CountingSource(count: 8))
        environment.clock = .lockStep
        environment.openMovie = { _, _ in movie }
        try inEnvironment(environment) {
            let (app, output, recorder) = (try SoundApp(mode: mode), AVCaptureMovieFileOutput(), Recorder())
            app.session.addOutput(output)
            try #require(output.connection(with: .audio)).isEnabled = hasSound
            app.onSound = { [unowned app] sample in
                if sample.presentationTimeStamp == .zero {
                    output.startRecording(to: URL(fileURLWithPath: "/tmp/rackfocus-never-written.mov"), recordingDelegate: recorder)
                }
                guard sample.presentationTimeStamp.value == 1600 else { return }
                let raised = CaptureEnvironment.violations { app.microphone.multichannelAudioMode = .stereo }
                #expect(raised.map(\.name) == [.invalidArgument] && app.microphone.multichannelAudioMode == mode)
            }
            try app.run()
            try #require(recorder.end())
        }
        return movie.all
    }

    @Test(
        "a recording has the sound of its frames, in the microphone's mode",
        arguments: [AVCaptureMultichannelAudioMode.none, .stereo, .firstOrderAmbisonics])
    func recorded(mode: AVCaptureMultichannelAudioMode) throws {
        let movie = try record(mode: mode)
        let layout = Sound.Layout(mode)
        #expect(movie.times.count == 7 && movie.sounds.allSatisfy { $0.layout == layout })
        #expect(movie.sounds.map { $0.presentationTime } == movie.times && movie.sounds.allSatisfy { $0.sampleCount == 1600 })
        // The voice itself is W, the first of ambisonics; three quarters of it are left.
        let gain: Float = mode == .stereo ? 0.75 : 1
        #expect(movie.sounds.first?.samples[layout.channelCount] == gain / 128)
    }

    @Test("a recording whose connection of sound is off is silent")
    func unheard() throws {
        let movie = try record(mode: .stereo, hasSound: false)
        #expect(movie.times.count == 7 && movie.sounds.isEmpty)
    }

    @Test("a synchronizer has the sound of a picture beside it, and loses none")
    func synchronized() throws {
        try inEnvironment(soundEnvironment(source: CountingSource(count: 6))) {
            let app = try SoundApp()
            let delegate = Collector()
            let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [app.videoOutput, app.audioOutput])
            synchronizer.setDelegate(delegate, queue: app.queue)
            try app.run()
            let times = delegate.pairs.withLock { $0 }
            #expect(times.map(\.video) == times.map(\.audio) && times.count == 6)
            #expect(app.samples().isEmpty, "the outputs' own delegates hear nothing")
        }
    }

    private final class Collector: NSObject, AVCaptureDataOutputSynchronizerDelegate, Sendable {
        let pairs = Mutex<[(video: CMTime?, audio: CMTime?)]>([])

        func dataOutputSynchronizer(
            _ synchronizer: AVCaptureDataOutputSynchronizer, didOutput synchronizedDataCollection: AVCaptureSynchronizedDataCollection
        ) {
            let data = synchronizer.dataOutputs.map { synchronizedDataCollection.synchronizedData(for: $0) as? AVCaptureSynchronizedSampleBufferData }
            #expect(data[1]?.sampleBufferWasDropped == false && data[1]?.sampleBuffer.dataBuffer != nil)
            pairs.withLock { $0.append((data[0]?.timestamp, data[1]?.timestamp)) }
        }
    }

    @Test("alone it is synchronized as well")
    func synchronizedAlone() throws {
        try inEnvironment(soundEnvironment(TestVoice(samples: 48_000))) {
            let app = try SoundApp(hasCamera: false)
            let (delegate, times) = (SoundCollector(), (0..<47).map { CMTime(value: 1024 * $0, timescale: 48_000) })
            let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [app.audioOutput])
            synchronizer.setDelegate(delegate, queue: app.queue)
            try app.run()
            #expect(delegate.times.withLock { $0 } == times)
        }
    }

    private final class SoundCollector: NSObject, AVCaptureDataOutputSynchronizerDelegate, Sendable {
        let times = Mutex<[CMTime?]>([])

        func dataOutputSynchronizer(
            _ synchronizer: AVCaptureDataOutputSynchronizer, didOutput synchronizedDataCollection: AVCaptureSynchronizedDataCollection
        ) {
            times.withLock { $0.append(synchronizedDataCollection.synchronizedData(for: synchronizer.dataOutputs[0])?.timestamp) }
        }
    }
}
