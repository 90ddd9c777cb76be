import CaptureTesting
import Foundation
import RackfocusKit
import TestSupport
import Testing

@Suite("A recorder's coded file")
struct RecordedNoteTests {
    @Test("is AAC of the rate and the channels asked for, as long as it was recorded, without its pause", arguments: [(44_100, 1), (16_000, 2)])
    func coded(_ rate: Int, _ channels: Int) async throws {
        let scratch = try Scratch()
        var maya = TestStage.Member.face("maya", box: CGRect(x: 0.4, y: 0.3, width: 0.2, height: 0.4), depth: 2)
        maya.sound = .tone(440, level: -12)
        var stage = TestStage(maya)
        stage.equip = { $0.writingFiles() }
        try await withTestPhone(showing: stage) { phone in
            try AVAudioSession.sharedInstance().setCategory(.playAndRecord)
            let url = scratch.url.appending(path: "note.m4a")
            let recorder = try AVAudioRecorder(
                url: url,
                settings: [
                    AVFormatIDKey: Int(kAudioFormatMPEG4AAC), AVSampleRateKey: rate, AVNumberOfChannelsKey: channels, AVEncoderBitRateKey: 64_000,
                ])
            #expect(recorder.record())
            await phone.step(frames: 30)
            recorder.pause()
            await phone.step(frames: 10)
            #expect(recorder.record())
            await phone.step(frames: 30)
            recorder.stop()
            let asset = AVURLAsset(url: url)
            let track = try #require(try await asset.loadTracks(withMediaType: .audio).first)
            let stream = try #require(try await track.load(.formatDescriptions).first?.audioStreamBasicDescription)
            #expect(stream.mFormatID == kAudioFormatMPEG4AAC && Int(stream.mSampleRate) == rate && Int(stream.mChannelsPerFrame) == channels)
            #expect(try await abs(asset.load(.duration).seconds - 2) < 0.1)
            let sound = try SoundFile.read(url.path)
            // Away from the ends, which the encoder changes.
            let side = (rate / 4..<rate * 7 / 4).map { sound.samples[channels * $0] }
            let rises = zip(side, side.dropFirst()).count { $0 < 0 && $1 >= 0 }
            #expect(sound.sampleRate == rate && abs(rises - 660) <= 3)
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }
}
