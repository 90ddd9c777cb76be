import Foundation
import Testing

@testable import Stage

@Suite("A WAV file")
struct WaveFileTests {
    /// A file of one `fmt ` and one `data` chunk, with a chunk nobody needs between them.
    static func file(code: UInt16 = 1, channels: UInt16 = 1, rate: UInt32 = 48_000, bits: UInt16 = 16, data: [UInt8]) -> [UInt8] {
        func bytes<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] { withUnsafeBytes(of: value.littleEndian, Array.init) }
        let format =
            bytes(code) + bytes(channels) + bytes(rate) + bytes(rate * UInt32(channels * bits / 8)) + bytes(channels * bits / 8) + bytes(bits)
        let chunks =
            Array("fmt ".utf8) + bytes(UInt32(16)) + format + Array("LIST".utf8) + bytes(UInt32(3)) + [1, 2, 3, 0] + Array("data".utf8)
            + bytes(UInt32(data.count)) + data
        return Array("RIFF".utf8) + bytes(UInt32(chunks.count + 4)) + Array("WAVE".utf8) + chunks
    }

    private func samples(_ file: [UInt8]) throws -> [Float] { try WaveFile.samples(in: Data(file), path: "a.wav") }

    @Test("holds whole numbers of 16, 24 and 32 bits, or floats; channels are averaged")
    func kinds() throws {
        #expect(try samples(Self.file(data: [0, 0x40, 0, 0x80])) == [0.5, -1])
        #expect(try samples(Self.file(bits: 24, data: [0, 0, 0x40, 0, 0, 0xC0])) == [0.5, -0.5])
        #expect(try samples(Self.file(bits: 32, data: [0, 0, 0, 0x40])) == [0.5])
        let float = withUnsafeBytes(of: Float(0.25), Array.init)
        #expect(try samples(Self.file(code: 3, bits: 32, data: float)) == [0.25])
        let double = withUnsafeBytes(of: -0.25, Array.init)
        #expect(try samples(Self.file(code: 3, bits: 64, data: double)) == [-0.25])
        #expect(try samples(Self.file(channels: 2, data: [0, 0x40, 0, 0])) == [0.25])
    }

    @Test("that was cut short gives the whole samples it has")
    func truncated() throws {
        #expect(try samples(Array(Self.file(data: [0, 0x40, 0, 0x40]).dropLast(1))) == [0.5])
    }

    @Test("that cannot be used says why and what to do")
    func refused() {
        func reason(_ bytes: [UInt8]) -> String? {
            #expect(throws: WaveFileError.self) { try samples(bytes) }?.description
        }
        #expect(reason(Array("ID3, not a wave".utf8)) == "a.wav: this is not a WAV file: it does not start with RIFF … WAVE")
        #expect(
            reason(Self.file(rate: 44_100, data: [0, 0]))
                == "a.wav: it has 44100 samples per second; make it 48000, for example with ffmpeg -ar 48000")
        #expect(
            reason(Self.file(bits: 8, data: [0, 0]))
                == "a.wav: its samples are of format 1 with 8 bits; write PCM of 16, 24 or 32 bits, or floats of 32 or 64, without padding")
        #expect(reason(Array(Self.file(data: [0, 0]).prefix(40))) == "a.wav: it holds no sound: there is no data chunk")
        #expect(reason(Self.file(channels: 0, data: [0, 0])) == "a.wav: it has no channel")
        let missing = #expect(throws: WaveFileError.self) { try WaveFile.samples(path: "/no/such.wav") }
        #expect(missing?.description == "/no/such.wav: there is no such file")
    }
}
