import AVFoundation
import CaptureTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Dictation over the audio engine")
struct TranscriberTests {
    @Test("a tap hears the phone's microphone at the session's rate, until a call and after it")
    func dictation() async throws {
        let scratch = try Scratch()
        let url = scratch.url.appending(path: "dictation.caf")
        try await withTestPhone(showing: .mayaWithTone) { phone in
            let transcriber = LiveTranscriber()
            let heard = Mutex<[Int16]>([])
            transcriber.onSpeech = { samples in heard.withLock { $0 += samples } }
            transcriber.start(writingTo: url)
            #expect(transcriber.current == .listening)
            await phone.step(frames: 30)
            // -20 dB a metre away, two metres from the phone.
            #expect(abs(20 * log10(transcriber.level) + 26) < 1)
            let time = try #require(transcriber.time)
            #expect(time.sampleRate == 44_100 && abs(AVAudioTime.seconds(forHostTime: time.hostTime) - 29.0 / 30) < 1e-6)
            phone.conditions.interrupt(.audioDeviceInUseByAnotherClient)
            #expect(transcriber.current == .interrupted)
            await phone.step(frames: 15)
            phone.conditions.endInterruption()
            #expect(transcriber.current == .listening)
            await phone.step(frames: 30)
            transcriber.stop()
            let file = try AVAudioFile(forReading: url)
            #expect(file.length == 88_200 && file.fileFormat.sampleRate == 44_100)
            let samples = heard.withLock { $0 }
            #expect((31_900...32_000).contains(samples.count))
            let crossings = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
            #expect(abs(crossings - 880) <= 4)
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("a tap that is replaced from its own block is called no more, and the new one counts from 0")
    func replaced() async throws {
        try await withTestPhone(showing: .mayaWithTone) { phone in
            try AVAudioSession.sharedInstance().setCategory(.record)
            let engine = AVAudioEngine()
            let input = engine.inputNode
            let calls = Mutex<[String]>([])
            input.installTap(onBus: 0, bufferSize: 1024, format: nil) { _, when in
                calls.withLock { $0.append("old \(when.sampleTime)") }
                input.removeTap(onBus: 0)
                input.installTap(onBus: 0, bufferSize: 1024, format: nil) { _, when in
                    calls.withLock { $0.append("new \(when.sampleTime)") }
                    if when.sampleTime > 0 { input.removeTap(onBus: 0) }
                }
            }
            try engine.start()
            await phone.step(frames: 5)
            engine.stop()
            #expect(calls.withLock { $0 } == ["old 0", "new 0", "new 1600"])
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("an engine does not start during a call, nor on a phone without a microphone")
    func refused() async throws {
        let scratch = try Scratch()
        let url = scratch.url.appending(path: "dictation.caf")
        try await withTestPhone(showing: .mayaWithTone) { phone in
            let transcriber = LiveTranscriber()
            phone.conditions.interrupt(.audioDeviceInUseByAnotherClient)
            transcriber.start(writingTo: url)
            #expect(transcriber.current == .failed(AVAudioSession.ErrorCode.cannotInterruptOthers.rawValue))
            transcriber.stop()
        }
        var stage = TestStage.mayaWithTone
        stage.cameras.removeAll(where: \.isMicrophone)
        try await withTestPhone(showing: stage) { _ in
            let transcriber = LiveTranscriber()
            transcriber.start(writingTo: url)
            #expect(transcriber.current == .failed(AVAudioSession.ErrorCode.cannotStartRecording.rawValue))
        }
    }
}
