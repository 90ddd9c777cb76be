import AVFAudio
import CoreMedia
import Foundation
import Testing

@Suite("A file of sound")
struct SoundFileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "sound-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private static func buffer(_ format: AVAudioFormat, _ frames: Int, from first: Int = 0) throws -> AVAudioPCMBuffer {
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames)))
        buffer.frameLength = AVAudioFrameCount(frames)
        let channels = try #require(buffer.floatChannelData)
        for channel in 0..<Int(format.channelCount) {
            for frame in 0..<frames { channels[channel][frame * buffer.stride] = Float(first + frame) / 16 * (channel == 0 ? 1 : -1) }
        }
        return buffer
    }

    private static func values(_ buffer: AVAudioPCMBuffer, channel: Int) throws -> [Float] {
        let channels = try #require(buffer.floatChannelData)
        return (0..<Int(buffer.frameLength)).map { channels[channel][$0 * buffer.stride] }
    }

    @Test(
        "keeps the samples of an app's buffers, and gives them back from any frame",
        arguments: ["wav", "caf"],
        [(16, false, false), (24, false, false), (32, false, false), (32, true, false), (64, true, false), (16, false, true)])
    func course(_ kind: String, _ samples: (bits: Int, isFloat: Bool, isBigEndian: Bool)) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: "a.\(kind)")
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2, AVLinearPCMBitDepthKey: samples.bits,
            AVLinearPCMIsFloatKey: samples.isFloat, AVLinearPCMIsBigEndianKey: samples.isBigEndian,
        ]
        guard kind == "caf" || !samples.isBigEndian else {
            let error = #expect(throws: NSError.self) { try AVAudioFile(forWriting: url, settings: settings) }
            #expect(error?.code == 0x666D_743F && !FileManager.default.fileExists(atPath: url.path))
            return
        }
        let written = try AVAudioFile(forWriting: url, settings: settings)
        #expect(written.processingFormat.isStandard && written.fileFormat.isInterleaved && written.length == 0 && written.isOpen)
        try written.write(from: Self.buffer(written.processingFormat, 3))
        try written.write(from: Self.buffer(written.processingFormat, 5, from: 3))
        #expect(written.length == 8 && written.framePosition == 8)

        let file = try AVAudioFile(forReading: url)
        #expect(file.length == 8 && file.fileFormat == written.fileFormat && file.processingFormat == written.processingFormat)
        let read = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 6))
        try file.read(into: read)
        #expect(try Self.values(read, channel: 0) == (0..<6).map { Float($0) / 16 } && Self.values(read, channel: 1)[5] == -5.0 / 16)
        try file.read(into: read)
        #expect(try Self.values(read, channel: 0) == [6.0 / 16, 7.0 / 16])
        try file.read(into: read)
        #expect(read.frameLength == 0 && file.framePosition == 8)
        file.framePosition = 4
        try file.read(into: read, frameCount: 1)
        #expect(try Self.values(read, channel: 1) == [-4.0 / 16])
        let mixed = try AVAudioFile(forReading: url, commonFormat: .pcmFormatInt16, interleaved: true)
        let pairs = try #require(AVAudioPCMBuffer(pcmFormat: mixed.processingFormat, frameCapacity: 8))
        try mixed.read(into: pairs)
        #expect(pairs.int16ChannelData?[1][3 * pairs.stride] == -3 << 11)
        file.close()
        #expect(!file.isOpen && code { try file.read(into: read) } == 0x7768_743F)
    }

    @Test("is laid out as other programs read it, and clips what is beyond full scale")
    func layout() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: "a.wav")
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 8000, channels: 1))
        let file = try AVAudioFile(forWriting: url, settings: [AVSampleRateKey: 8000.0, AVNumberOfChannelsKey: 1, AVLinearPCMBitDepthKey: 24])
        let buffer = try Self.buffer(format, 1)
        buffer.floatChannelData?[0][0] = 3
        try file.write(from: buffer)
        let expected: [UInt8] =
            Array("RIFF".utf8) + [40, 0, 0, 0] + Array("WAVEfmt ".utf8) + [16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1F, 0, 0, 0xC0, 0x5D, 0, 0, 3, 0, 24, 0]
            + Array("data".utf8) + [3, 0, 0, 0, 0xFF, 0xFF, 0x7F, 0]
        #expect(try [UInt8](Data(contentsOf: url)) == expected)
    }

    /// Code of AVFAudio's error; nil without one.
    private func code(_ body: () throws -> Void) -> Int? {
        do { try body() } catch { return (error as NSError).domain == "com.apple.coreaudio.avfaudio" ? (error as NSError).code : nil }
        return nil
    }

    @Test("that is missing, of another kind, damaged or coded otherwise is refused by its code")
    func refusals() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: "a.wav")
        func reads(_ bytes: [UInt8]) throws -> () throws -> Void {
            try Data(bytes).write(to: url)
            return { _ = try AVAudioFile(forReading: url) }
        }
        #expect(code { _ = try AVAudioFile(forReading: url) } == 0x7768_743F)
        #expect(try code(reads(Array("ID3 and more".utf8))) == 0x7479_703F)
        #expect(try code(reads(Array("RIFF....WAVE".utf8))) == 0x6474_613F)
        let coded = Array("RIFF....WAVEfmt ".utf8) + [16, 0, 0, 0, 85, 0, 1, 0] + [UInt8](repeating: 0, count: 12)
        #expect(try code(reads(coded)) == 0x666D_743F)
        let settings: [String: Any] = [AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1]
        #expect(code { _ = try AVAudioFile(forWriting: folder.appending(path: "a.m4a"), settings: settings) } == 0x7479_703F)
        #expect(code { _ = try AVAudioFile(forWriting: folder.appending(path: "none/a.wav"), settings: settings) } == 0x7768_743F)
        let packets = settings.merging([AVFormatIDKey: kAudioFormatMPEG4AAC]) { $1 }
        #expect(code { _ = try AVAudioFile(forWriting: url, settings: packets) } == 0x666D_743F)
        let written = try AVAudioFile(forWriting: url, settings: settings)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: written.processingFormat, frameCapacity: 1))
        #expect(code { try written.read(into: buffer) } == 0x7768_743F)
    }

    @Test("has times that complete each other")
    func times() throws {
        let anchor = AVAudioTime(hostTime: 1_000_000_000, sampleTime: 480, atRate: 48_000)
        #expect(AVAudioTime(hostTime: 1_500_000_000).extrapolateTime(fromAnchor: anchor)?.sampleTime == 24_480)
        #expect(AVAudioTime(sampleTime: 0, atRate: 48_000).extrapolateTime(fromAnchor: anchor)?.hostTime == 990_000_000)
        #expect(AVAudioTime(sampleTime: 0, atRate: 44_100).extrapolateTime(fromAnchor: anchor) == nil)
        #expect(AVAudioTime.seconds(forHostTime: AVAudioTime.hostTime(forSeconds: 2)) == 2 && !AVAudioTime(hostTime: 1).isSampleTimeValid)
    }

    @Test("an engine of which nobody wants the microphone ends the program when it starts")
    func engine() async {
        let engine = AVAudioEngine()
        engine.stop()
        #expect(!engine.isRunning && AVAudioPlayerNode().engine == nil)
        await #expect(processExitsWith: .failure) { try AVAudioEngine().start() }
    }
}
