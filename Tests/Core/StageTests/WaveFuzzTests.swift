import Foundation
import FuzzSupport
import Testing

@testable import Stage

@Suite("WAV files, changed by chance")
struct WaveFuzzTests {
    @Test("give samples from −1 to 1, or are refused in words")
    func files() throws {
        let samples = [
            WaveFileTests.file(data: [0, 0x40, 0, 0x80]), WaveFileTests.file(channels: 2, bits: 24, data: Array(0..<48)),
            WaveFileTests.file(code: 3, bits: 32, data: [0, 0, 0x80, 0x3E, 0xFF, 0xFF, 0x7F, 0x7F]),
        ]
        let mutator = ByteMutator(samples.map { Data($0) })
        try FuzzRun("wave", count: 3000)({ mutator(&$0) }) { input, seed in
            do throws(WaveFileError) {
                let sound = try WaveFile.samples(in: input, path: "fuzz.wav")
                #expect(sound.allSatisfy { abs($0) <= 1 }, "seed \(seed)")
            } catch { #expect(!error.reason.isEmpty, "seed \(seed)") }
        }
    }
}
