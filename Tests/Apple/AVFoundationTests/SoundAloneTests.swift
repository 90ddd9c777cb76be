import AVFoundation
import Pipeline
import Synchronization
import Testing

@Suite("A recording without a camera")
struct SoundAloneTests {
    private func record(_ play: @escaping @Sendable (Int, AVCaptureMovieFileOutput, Recorder) -> Void) throws -> (
        FakeMovie, [MovieDescription], Recorder
    ) {
        let (movie, recorder) = (FakeMovie(), Recorder())
        let asked = Mutex<[MovieDescription]>([])
        var environment = soundEnvironment(TestVoice(samples: 48_000) { Float($0) })
        environment.openMovie = { _, description in
            asked.withLock { $0.append(description) }
            return movie
        }
        try inEnvironment(environment) {
            let (app, output) = (try SoundApp(hasCamera: false, mode: .stereo), AVCaptureMovieFileOutput())
            app.session.addOutput(output)
            let stretches = Mutex(-1)
            app.onSound = { _ in
                let number = stretches.withLock { stretches in
                    stretches += 1
                    return stretches
                }
                play(number, output, recorder)
            }
            try app.run()
            try #require(recorder.end())
        }
        return (movie, asked.withLock { $0 }, recorder)
    }

    private static let url = URL(fileURLWithPath: "/nowhere/take.mov")

    @Test("holds the sound alone, from the stretch after the start, without gaps for pauses")
    func pausedAndStopped() throws {
        let (movie, asked, recorder) = try record { number, output, recorder in
            switch number {
            case 0: output.startRecording(to: Self.url, recordingDelegate: recorder)
            case 10: output.pauseRecording()
            case 20: output.resumeRecording()
            case 30: output.stopRecording()
            default: break
            }
        }
        #expect(asked.count == 1 && asked[0].hasPictures == false && asked[0].sound == .init(layout: .stereo, sampleRate: 48_000))
        #expect(recorder.words == ["start 1024", "pause", "resume", "will finish", "did finish"] && recorder.error == nil)
        let sounds = movie.all.sounds
        #expect(sounds.count == 20 && movie.all.times.isEmpty && movie.all.isFinished)
        #expect(sounds.indices.allSatisfy { sounds[$0].presentationTime == CMTime(value: Int64(1024 * $0), timescale: 48_000) })
        #expect(sounds.map { Int(2 * $0.samples[0]) } == (Array(1...10) + Array(21...30)).map { 1024 * $0 })
    }

    @Test("ends at its longest duration, or with the session")
    func ends() throws {
        let (movie, _, limited) = try record { number, output, recorder in
            output.maxRecordedDuration = CMTime(value: 4096, timescale: 48_000)
            if number == 0 { output.startRecording(to: Self.url, recordingDelegate: recorder) }
        }
        #expect(limited.error?.code == .maximumDurationReached && limited.isFileGood == true && movie.all.sounds.count == 4)
        let (whole, _, ended) = try record { number, output, recorder in
            if number == 0 { output.startRecording(to: Self.url, recordingDelegate: recorder) }
        }
        #expect(ended.error?.code == .sessionWasInterrupted && ended.isFileGood == true)
        #expect(whole.all.sounds.map(\.sampleCount).reduce(0, +) == 48_000 - 1024)
    }
}
