import AVFoundation
import CaptureTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("A recorder of sound")
struct RecorderTests {
    private final class Ear: NSObject, AVAudioRecorderDelegate, Sendable {
        let ends = Mutex<[Bool]>([])
        func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) { ends.withLock { $0.append(flag) } }
    }

    private let scratch: Scratch
    private var folder: URL { scratch.url }

    init() throws { scratch = try Scratch() }

    private func withPhone(_ body: (TestPhone) async throws -> Void) async throws {
        try await withTestPhone(showing: .mayaWithTone) { phone in
            try AVAudioSession.sharedInstance().setCategory(.playAndRecord)
            try await body(phone)
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("records by its settings, into both channels what one microphone hears", arguments: ["wav", "caf"])
    func settings(kind: String) async throws {
        try await withPhone { phone in
            let url = folder.appending(path: "a.\(kind)")
            let recorder = try AVAudioRecorder(
                url: url,
                settings: [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 22_050, AVNumberOfChannelsKey: 2, AVLinearPCMBitDepthKey: 24])
            #expect(!recorder.isRecording && !FileManager.default.fileExists(atPath: url.path) && recorder.format.channelCount == 2)
            #expect(recorder.prepareToRecord() && FileManager.default.fileExists(atPath: url.path) && recorder.currentTime == 0)
            #expect(recorder.record() && recorder.isRecording)
            await phone.step(frames: 30)
            #expect(abs(recorder.currentTime - 1) < 1e-9 && recorder.deviceCurrentTime > 0.9)
            recorder.stop()
            #expect(!recorder.isRecording && recorder.currentTime == 0)
            let file = try AVAudioFile(forReading: url)
            #expect(file.length == 22_050 && file.fileFormat.streamDescription.pointee.mBitsPerChannel == 24)
            let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 22_050))
            try file.read(into: buffer)
            let data = try #require(buffer.floatChannelData)
            #expect((0..<22_050).allSatisfy { data[0][$0] == data[1][$0] } && (1000..<1100).contains { abs(data[0][$0]) > 0.04 })
            #expect(recorder.deleteRecording() && !recorder.deleteRecording())
        }
    }

    @Test("begins at a time, lasts a duration, and tells the delegate once")
    func times() async throws {
        try await withPhone { phone in
            let ear = Ear()
            let recorder = try AVAudioRecorder(url: folder.appending(path: "a.wav"), settings: [AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1])
            recorder.delegate = ear
            #expect(recorder.prepareToRecord() && recorder.record(atTime: recorder.deviceCurrentTime + 0.25, forDuration: 0.55))
            await phone.step(frames: 15)
            #expect(recorder.isRecording && abs(recorder.currentTime - 0.25) < 1e-9)
            await phone.step(frames: 30)
            try await phone.until(within: .zero) { ear.ends.withLock { $0 } == [true] }
            recorder.stop()
            #expect(!recorder.isRecording && ear.ends.withLock { $0.count } == 1)
            #expect(try AVAudioFile(forReading: recorder.url).length == 26_400)
            // Another recording takes the place of the one before.
            #expect(recorder.record())
            await phone.step(frames: 3)
            recorder.stop()
            #expect(try AVAudioFile(forReading: recorder.url).length == 4800)
            try await phone.until(within: .zero) { ear.ends.withLock { $0 } == [true, true] }
        }
    }

    @Test("two begin at the same time of the device, on a phone that has run a while")
    func deviceTime() async throws {
        try await withPhone { phone in
            await phone.step(frames: 30)
            let settings: [String: Any] = [AVSampleRateKey: 48_000]
            let one = try AVAudioRecorder(url: folder.appending(path: "a.wav"), settings: settings)
            let other = try AVAudioRecorder(url: folder.appending(path: "b.wav"), settings: settings)
            let time = one.deviceCurrentTime + 0.25
            #expect(abs(time - 1.25) < 1e-9 && one.record(atTime: time))
            await phone.step(frames: 3)
            #expect(abs(other.deviceCurrentTime - 1.1) < 1e-9 && other.record(atTime: time))
            await phone.step(frames: 12)
            one.stop()
            other.stop()
            let lengths = try [one, other].map { try AVAudioFile(forReading: $0.url).length }
            #expect(lengths == [12_000, 12_000])
            #expect(try Data(contentsOf: one.url) == Data(contentsOf: other.url))
        }
    }

    @Test("is stopped where its file is deleted while it is prepared, and records into a new one")
    func deletion() async throws {
        try await withPhone { phone in
            let recorder = try AVAudioRecorder(url: folder.appending(path: "a.wav"), settings: [AVSampleRateKey: 48_000])
            #expect(recorder.prepareToRecord() && recorder.deleteRecording() && !FileManager.default.fileExists(atPath: recorder.url.path))
            #expect(recorder.record() && !recorder.deleteRecording())
            await phone.step(frames: 3)
            recorder.stop()
            #expect(try AVAudioFile(forReading: recorder.url).length == 4800)
        }
    }

    @Test("an endless duration never ends, and a time that never comes never begins")
    func endless() async throws {
        try await withPhone { phone in
            let recorder = try AVAudioRecorder(url: folder.appending(path: "a.wav"), settings: [AVSampleRateKey: 48_000])
            #expect(recorder.record(forDuration: .infinity))
            await phone.step(frames: 3)
            #expect(recorder.isRecording && abs(recorder.currentTime - 0.1) < 1e-9)
            recorder.stop()
            #expect(recorder.record(atTime: 1e300, forDuration: 1))
            await phone.step(frames: 3)
            #expect(recorder.isRecording && recorder.currentTime == 0)
            recorder.stop()
            #expect(try AVAudioFile(forReading: recorder.url).length == 0)
        }
    }

    @Test("levels are those of the sound, -160 dB where nobody asked for them, and while it does not record")
    func levels() async throws {
        try await withPhone { phone in
            let recorder = try AVAudioRecorder(url: folder.appending(path: "a.wav"), settings: [:])
            #expect(recorder.format.sampleRate == 44_100 && recorder.settings[AVNumberOfChannelsKey] as? Int == 1)
            #expect(recorder.record())
            await phone.step(frames: 5)
            recorder.updateMeters()
            #expect(recorder.averagePower(forChannel: 0) == -160)
            recorder.isMeteringEnabled = true
            recorder.updateMeters()
            #expect(abs(recorder.averagePower(forChannel: 0) + 29) < 1 && abs(recorder.peakPower(forChannel: 0) + 26) < 1)
            #expect(recorder.averagePower(forChannel: 1) == -160)
            recorder.pause()
            recorder.updateMeters()
            #expect(recorder.averagePower(forChannel: 0) == -160)
            recorder.stop()
        }
    }

    @Test("does not record without input in the category, without a microphone and during a call; without consent it records silence")
    func refusals() async throws {
        try await withTestPhone(showing: .mayaWithTone) { phone in
            let recorder = try AVAudioRecorder(url: folder.appending(path: "a.wav"), settings: [:])
            #expect(!recorder.record() && !recorder.isRecording)
            try AVAudioSession.sharedInstance().setCategory(.record)
            phone.conditions.interrupt(.audioDeviceInUseByAnotherClient)
            #expect(!recorder.record())
            phone.conditions.endInterruption()
            phone.conditions.setAuthorization(.denied, for: .audio)
            recorder.isMeteringEnabled = true
            #expect(recorder.record())
            await phone.step(frames: 10)
            recorder.updateMeters()
            #expect(recorder.averagePower(forChannel: 0) == -160 && recorder.currentTime > 0.3)
            recorder.stop()
            #expect(phone.violations.isEmpty)
        }
        var stage = TestStage.mayaWithTone
        stage.cameras.removeAll(where: \.isMicrophone)
        try await withTestPhone(showing: stage) { phone in
            try AVAudioSession.sharedInstance().setCategory(.record)
            #expect(try !AVAudioRecorder(url: folder.appending(path: "b.wav"), settings: [:]).record())
        }
    }

    @Test("a reset of the media services ends it, and what was recorded can be read")
    func reset() async throws {
        try await withPhone { phone in
            let ear = Ear()
            let recorder = try AVAudioRecorder(url: folder.appending(path: "a.caf"), settings: [:])
            recorder.delegate = ear
            #expect(recorder.record())
            await phone.step(frames: 30)
            phone.conditions.fail(.mediaServicesWereReset)
            try await phone.until(within: .zero) { ear.ends.withLock { $0 } == [false] }
            #expect(try !recorder.isRecording && AVAudioFile(forReading: recorder.url).length == 44_100)
        }
    }

    @Test("other kinds of files and codings are refused with Core Audio's codes")
    func codes() throws {
        func code(_ name: String, _ settings: [String: Any]) -> Int? {
            do { _ = try AVAudioRecorder(url: folder.appending(path: name), settings: settings) } catch { return (error as NSError).code }
            return nil
        }
        let (kind, format) = (0x7479_703F, 0x666D_743F)
        let mp3 = #expect(throws: NSError.self) { _ = try AVAudioRecorder(url: folder.appending(path: "a.mp3"), settings: [:]) }
        #expect(mp3?.localizedDescription.hasSuffix("is of none of the kinds that are recorded here: wav, caf, m4a, mp4") == true)
        #expect(code("a.mp3", [:]) == kind && code("a.caf", [AVFormatIDKey: kAudioFormatAppleIMA4]) == format)
        #expect(
            code("a.m4a", [AVFormatIDKey: kAudioFormatAppleLossless]) == format && code("a.m4a", [AVFormatIDKey: Int(kAudioFormatMPEG4AAC)]) == nil)
        #expect(code("a.wav", [AVFormatIDKey: kAudioFormatMPEG4AAC]) == format && code("a.wav", [AVLinearPCMIsBigEndianKey: true]) == format)
        #expect(code("a.m4a", [AVSampleRateKey: 4000]) == format && code("a.wav", [AVLinearPCMBitDepthKey: 8]) == format)
    }
}
