import Foundation
import Stage
import TestSupport
import Testing

@testable import Scenario

@Suite("A subject's sound")
struct VoiceTests {
    private func voice(_ sound: String) throws -> Voice? {
        let text = """
            scenario: Sound
            clip: {source: synthetic, length: 2s}
            subjects:
              radio: {kind: prop, box: [0.4, 0.2, 0.1, 0.1], depth: 1.4m, sound: \(sound)}
              mute: {kind: prop, box: [0.4, 0.2, 0.1, 0.1], depth: 1.4m}
            """
        let world = try ScenarioFile.parse(text, path: "sound.yaml").world()
        #expect(world.subjects[1].voice == nil)
        return world.subjects[0].voice
    }

    @Test("is a tone or a noise, of a level, for a time")
    func made() throws {
        #expect(try voice("{tone: 440Hz}") == Voice(.tone(440), level: -20))
        #expect(try voice("{tone: 1.5kHz, level: -12dB}") == Voice(.tone(1500), level: -12))
        #expect(try voice("{noise: pink, starts: 0.5s, stops: 45f}") == Voice(.pinkNoise, level: -20, span: 500_000_000..<1_500_000_000))
        #expect(try voice("{noise: white, level: 0dB}") == Voice(.whiteNoise, level: 0))
    }

    @Test("is a WAV file, as loud as it is; one that cannot be used is named where it is written")
    func recorded() throws {
        let folder = try Scratch()
        let header: [UInt8] =
            Array("RIFF".utf8) + [40, 0, 0, 0] + Array("WAVEfmt ".utf8) + [16, 0, 0, 0, 1, 0, 1, 0, 0x80, 0xBB, 0, 0, 0, 0x77, 1, 0, 2, 0, 16, 0]
        try Data(header + Array("data".utf8) + [4, 0, 0, 0, 0, 0x40, 0, 0x20]).write(to: folder.url.appending(path: "good.wav"))
        try Data("no sound".utf8).write(to: folder.url.appending(path: "bad.wav"))
        func scenario(_ name: String) throws -> ScenarioFile {
            let text = """
                scenario: Sound
                clip: {source: synthetic, length: 2s}
                subjects:
                  radio: {kind: prop, box: [0.4, 0.2, 0.1, 0.1], depth: 1.4m, sound: {wav: \(name)}}
                """
            return try ScenarioFile.parse(text, path: folder.path + "/scene.yaml")
        }
        #expect(try scenario("good.wav").subjects[0].voice == Voice(.recording([0.5, 0.25]), level: 0))
        let error = #expect(throws: ScenarioError.self) { try scenario("bad.wav") }
        #expect(error?.description.hasPrefix("\(folder.path)/scene.yaml:4:76: \(folder.path)/bad.wav: this is not a WAV file") == true)
    }
}
