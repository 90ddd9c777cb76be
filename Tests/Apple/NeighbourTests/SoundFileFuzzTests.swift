import CoreMedia
import Foundation
import FuzzSupport
import Testing

@testable import AVFAudio

@Suite("Files of sound, changed by chance")
struct SoundFileFuzzTests {
    /// A WAVE and a CAF file of a few frames, with a chunk that is passed over.
    private static func samples() throws -> [Data] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sound-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try ["wav", "caf"].map { kind in
            let url = folder.appending(path: "a.\(kind)")
            let file = try AVAudioFile(forWriting: url, settings: [AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2])
            let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 8))
            buffer.frameLength = 8
            try file.write(from: buffer)
            return try Data(contentsOf: url)
        }
    }

    @Test("are read within their bytes, or refused by a code of Core Audio's")
    func files() throws {
        let mutator = ByteMutator(try Self.samples())
        try FuzzRun("sound-file", count: 1000)({ mutator(&$0) }) { input, seed in
            do {
                let file = try SoundFile(input)
                #expect(file.samples.lowerBound >= 0 && file.samples.upperBound <= input.count, "seed \(seed)")
                #expect(file.samples.count % Int(file.stream.mBytesPerFrame) == 0 && file.stream.mSampleRate >= 1, "seed \(seed)")
            } catch let error as SoundFileError { #expect(error.rawValue != 0, "seed \(seed)") }
        }
    }
}
