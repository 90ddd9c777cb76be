import AVFoundation
import CaptureTesting
import Foundation
import Testing

@Suite("A feed of sound as a speech recogniser writes it")
struct SpeechTests {
    @Test("what is spoken comes in chunks of another rate and of one channel", arguments: [false, true])
    func feed(isStereo: Bool) async throws {
        var maya = TestStage.Member.face("maya", box: CGRect(x: 0.4, y: 0.3, width: 0.2, height: 0.4), depth: 2)
        maya.sound = .tone(440, level: -20)
        try await withTestPhone(showing: TestStage(maya)) { phone in
            let feed = try SpeechFeed()
            try feed.start(mode: isStereo ? .stereo : .none)
            await phone.step(frames: 30)
            try phone.leave("maya")
            await phone.step(frames: 15)
            feed.stop()
            var chunks: [SpeechFeed.Chunk] = []
            for try await chunk in feed.chunks { chunks.append(chunk) }
            // Fifteen tenths of a second, none late by more than a chunk.
            #expect(chunks.count == 15 && chunks.allSatisfy { $0.data.count == 3200 } && feed.formats == 1)
            #expect(zip(chunks, chunks.dropFirst()).allSatisfy { abs(($1.end - $0.end).seconds - 0.1) < 1e-6 })
            let level = chunks[5].decibels
            #expect(chunks.map(\.isSpeech) == Array(repeating: true, count: 10) + Array(repeating: false, count: 5))
            // Each channel of two has half the amplitude of the one, and so has their mean.
            #expect(abs(level - (isStereo ? -35 : -29)) < 1)
            let samples = chunks[1..<10].flatMap { chunk in chunk.data.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) } }
            let crossings = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
            #expect(abs(crossings - 396) <= 1)
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("a session for sound that is started late has the time of the one for pictures")
    func late() async throws {
        try await withTestPhone(showing: .mayaWithTone) { phone in
            let pictures = AVCaptureSession()
            pictures.addInput(try AVCaptureDeviceInput(device: #require(AVCaptureDevice.default(for: .video))))
            pictures.addOutput(AVCaptureVideoDataOutput())
            pictures.startRunning()
            await phone.step(frames: 60)
            let feed = try SpeechFeed()
            try feed.start()
            await phone.step(frames: 15)
            phone.conditions.interrupt(.audioDeviceInUseByAnotherClient)
            await phone.step(frames: 30)
            phone.conditions.endInterruption()
            await phone.step(frames: 15)
            feed.stop()
            var ends: [Double] = []
            for try await chunk in feed.chunks { ends.append(chunk.end.seconds) }
            let expected = [2.1, 2.2, 2.3, 2.4, 2.5, 3.6, 3.7, 3.8, 3.9, 4.0]
            #expect(ends.count == 10 && zip(ends, expected).allSatisfy { abs($0 - $1) < 1e-6 }, "\(ends)")
            pictures.stopRunning()
        }
    }
}
