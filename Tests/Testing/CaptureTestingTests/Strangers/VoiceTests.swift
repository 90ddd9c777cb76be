import AVFoundation
import CaptureTesting
import Foundation
import TestSupport
import Testing

@Suite("Voice notes as a messenger writes them")
@MainActor
struct VoiceTests {
    private let scratch: Scratch
    private var folder: URL { scratch.url }

    init() throws { scratch = try Scratch() }

    private func samples(_ url: URL) throws -> (frames: [Float], rate: Double) {
        let file = try AVAudioFile(forReading: url)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(file.length)))
        try file.read(into: buffer)
        let data = try #require(buffer.floatChannelData)
        return ((0..<Int(buffer.frameLength)).map { data[0][$0] }, file.fileFormat.sampleRate)
    }

    @Test("a note is recorded through a pause and a call of the phone, with its levels")
    func note() async throws {
        try await withTestPhone(showing: .mayaWithTone) { phone in
            phone.conditions.setAuthorization(.notDetermined, for: .audio)
            let notes = VoiceNotes(folder: folder)
            await notes.begin(as: "wav")
            #expect(notes.phase == .recording && notes.failure == nil && phone.conditions.openPrompts == 0)
            for _ in 0..<30 {
                await phone.step()
                notes.tick()
            }
            #expect(abs(notes.elapsed - 1) < 1e-9 && notes.bars.count == 30)
            // -20 dB a metre away, two metres from the phone, of a sine: 3 dB below its peak.
            #expect(notes.bars.allSatisfy { abs(20 * log10($0) + 29) < 1 })
            notes.togglePause()
            await phone.step(frames: 15)
            notes.tick()
            #expect(notes.phase == .paused && abs(notes.elapsed - 1) < 1e-9)
            notes.togglePause()
            await phone.step(frames: 15)
            phone.conditions.interrupt(.audioDeviceInUseByAnotherClient)
            try await phone.until(within: .zero) { notes.phase == .interrupted }
            await phone.step(frames: 15)
            phone.conditions.endInterruption()
            try await phone.until(within: .zero) { notes.phase == .recording }
            await phone.step(frames: 15)
            notes.finish()
            try await phone.until(within: .zero) { notes.notes.count == 1 }
            let note = try #require(notes.notes.first)
            #expect(abs(note.seconds - 2) < 1e-9 && notes.phase == .idle)
            let (frames, rate) = try samples(note.url)
            #expect(rate == 16_000 && frames.count == 32_000)
            // The tone's 440 periods a second, wherever the breaks are.
            let crossings = zip(frames, frames.dropFirst()).count { $0 < 0 && $1 >= 0 }
            #expect(abs(crossings - 880) <= 4)
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("a note ends by itself after its longest time, and one too short is thrown away")
    func lengths() async throws {
        try await withTestPhone(showing: .mayaWithTone) { phone in
            let notes = VoiceNotes(folder: folder)
            await notes.begin(as: "wav", longest: 1.25)
            for _ in 0..<60 {
                await phone.step()
                notes.tick()
            }
            try await phone.until(within: .zero) { notes.notes.count == 1 }
            #expect(try samples(notes.notes[0].url).frames.count == 20_000)
            await notes.begin(as: "wav")
            await phone.step(frames: 3)
            notes.finish()
            try await phone.until(within: .zero) { notes.failure == .tooShort }
            await notes.begin(as: "wav")
            await phone.step(frames: 3)
            notes.discard()
            #expect(notes.phase == .idle && notes.notes.count == 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
            #expect(phone.violations.isEmpty)
        }
    }

    @Test("a coded note is among the phone's movies, and a user's no is told")
    func coded() async throws {
        try await withTestPhone(showing: .mayaWithTone) { phone in
            let notes = VoiceNotes(folder: folder)
            await notes.begin()
            await phone.step(frames: 30)
            notes.finish()
            try await phone.until(within: .zero) { notes.notes.count == 1 }
            let movie = try #require(phone.movies.first)
            #expect(movie.url == notes.notes[0].url && movie.isFinished && abs(movie.soundDuration - 1) < 0.001)
            phone.conditions.setAuthorization(.denied, for: .audio)
            await notes.begin()
            #expect(notes.failure == .notAllowed && notes.phase == .idle)
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("a note that is begun while the camera runs has its time")
    func beside() async throws {
        try await withTestPhone(showing: .mayaWithTone) { phone in
            let session = AVCaptureSession()
            session.addInput(try AVCaptureDeviceInput(device: #require(AVCaptureDevice.default(for: .video))))
            session.addOutput(AVCaptureVideoDataOutput())
            session.startRunning()
            await phone.step(frames: 30)
            let notes = VoiceNotes(folder: folder)
            await notes.begin(as: "caf")
            await phone.step(frames: 15)
            notes.tick()
            #expect(session.isRunning && abs(notes.elapsed - 0.5) < 1e-9)
            notes.finish()
            try await phone.until(within: .zero) { notes.notes.count == 1 }
            session.stopRunning()
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }
}
