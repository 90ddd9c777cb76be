import AVFoundation
import Pipeline
import Synchronization
import TestSupport
import Testing

/// Recorders, engines and movies outside of a test's phone, and what refuses them.
@Suite("Sound that is recorded outside of a phone")
struct SoundOutsideTests {
    private final class Ear: NSObject, AVAudioRecorderDelegate, Sendable {
        let ended = DispatchSemaphore(value: 0)
        func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) { ended.signal() }
    }

    private func code(_ body: () throws -> Void) -> Int? {
        do { try body() } catch { return (error as NSError).code }
        return nil
    }

    @Test("by the wall clock recorders have the time of the host, and begin at it")
    func hostTime() throws {
        let scratch = try Scratch()
        var environment = soundEnvironment()
        environment.clock = .wall
        try inEnvironment(environment) {
            try AVAudioSession.sharedInstance().setCategory(.record)
            let before = CMClockGetTime(CMClockGetHostTimeClock()).seconds
            let recorders = try ["a.wav", "b.wav"].map {
                try AVAudioRecorder(url: scratch.url.appending(path: $0), settings: [AVSampleRateKey: 48_000])
            }
            let ears = [Ear(), Ear()]
            let (first, second) = (recorders[0].deviceCurrentTime, recorders[1].deviceCurrentTime)
            #expect(before <= first && first <= second)
            let begin = second + 0.1
            for (recorder, ear) in zip(recorders, ears) {
                recorder.delegate = ear
                #expect(recorder.record(atTime: begin, forDuration: 0.05))
            }
            for ear in ears { try #require(ear.ended.wait(timeout: .now() + patience) == .success) }
            #expect(recorders[0].deviceCurrentTime >= begin)
            for recorder in recorders { #expect(try AVAudioFile(forReading: recorder.url).length == 2400) }
        }
    }

    @Test("!rec: no engine starts without input in the category, nor where the microphone cannot be opened")
    func cannotRecord() throws {
        #expect(AVAudioSession.ErrorCode.cannotStartRecording.rawValue == 0x2172_6563)
        var environment = soundEnvironment()
        try inEnvironment(environment) {
            let engine = AVAudioEngine()
            _ = engine.inputNode
            #expect(code { try engine.start() } == 0x2172_6563 && !engine.isRunning)
            try AVAudioSession.sharedInstance().setCategory(.record)
            #expect(code { try engine.start() } == nil && engine.isRunning)
            engine.stop()
        }
        environment = soundEnvironment()
        environment.openMicrophone = { _ in throw FakeFailure(what: "microphone torn off") }
        try inEnvironment(environment) {
            try AVAudioSession.sharedInstance().setCategory(.record)
            let engine = AVAudioEngine()
            _ = engine.inputNode
            #expect(code { try engine.start() } == 0x2172_6563 && !engine.isRunning)
            let scratch = try Scratch()
            #expect(try !AVAudioRecorder(url: scratch.url.appending(path: "a.wav"), settings: [:]).record())
        }
    }

    @Test("a tap refuses another rate, and samples that the converter does not make, and says which", arguments: [44_100.0, 48_000])
    func tapFormats(rate: Double) async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) { [rate = rate as Double] in
            inEnvironment(soundEnvironment()) {
                // Packets of AAC are no samples of AVAudioConverter's.
                let other = AVAudioFormat(standardFormatWithSampleRate: rate, channels: 1)
                let format = rate == 48_000 ? AVAudioFormat(settings: Self.packets) : other
                AVAudioEngine().inputNode.installTap(onBus: 0, bufferSize: 1024, format: format) { _, _ in }
            }
        }
        let words = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(words.contains("Failed to create tap due to format mismatch"))
        #expect(words.contains(rate == 44_100 ? "44100.0 Hz, the microphone's are 48000.0" : "AVAudioConverter makes no samples of the format"))
    }

    private static var packets: [String: Any] { [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1] }

    @Test("a second tap of a bus ends the app")
    func secondTap() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inEnvironment(soundEnvironment()) {
                let input = AVAudioEngine().inputNode
                for _ in 0..<2 { input.installTap(onBus: 0, bufferSize: 1024, format: nil) { _, _ in } }
            }
        }
        #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("nullptr == Tap()"))
    }

    @Test("where movies have no writer, a recorder of AAC and a movie say so")
    func noWriter() throws {
        let scratch = try Scratch()
        let told = Mutex<[String]>([])
        var environment = soundEnvironment(TestVoice(samples: 48_000))
        environment.onDiagnostic = { line in told.withLock { $0.append(line) } }
        try inEnvironment(environment) {
            try AVAudioSession.sharedInstance().setCategory(.record)
            let recorder = try AVAudioRecorder(url: scratch.url.appending(path: "a.m4a"), settings: [:])
            #expect(!recorder.prepareToRecord() && !recorder.record())
            let reason = "no movie writer: set CaptureEnvironment.openMovie, or let RackfocusKit make the environment"
            #expect(told.withLock { $0.first } == "\(scratch("a.m4a")) cannot be recorded: \(reason)")
            let (app, output, ear) = (try SoundApp(hasCamera: false), AVCaptureMovieFileOutput(), Recorder())
            app.session.addOutput(output)
            let isFirst = Mutex(true)
            let url = scratch.url.appending(path: "a.mov")
            app.onSound = { _ in
                let begins = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                if begins { output.startRecording(to: url, recordingDelegate: ear) }
            }
            try app.run()
            try #require(ear.end())
            let error = try #require(ear.error)
            #expect(error.code == .unknown && error.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool == false)
            #expect("\(error.userInfo[NSUnderlyingErrorKey] ?? "")".contains(reason), "\(error.userInfo)")
            let writer = try AVAssetWriter(outputURL: scratch.url.appending(path: "b.mov"), fileType: .mov)
            writer.add(AVAssetWriterInput(mediaType: .audio, outputSettings: Self.packets))
            #expect(!writer.startWriting() && writer.error?.localizedDescription.contains(reason) == true, "\(writer.error as Any)")
        }
        #expect(try scratch.names.isEmpty)
    }
}
