import AVFAudio
import CoreMedia
import Foundation
import Testing

@Suite("A converter of sound")
struct SoundConverterTests {
    private static func format(
        _ rate: Double, _ channels: UInt32 = 1, _ kind: AVAudioCommonFormat = .pcmFormatFloat32, interleaved: Bool = false
    ) throws -> AVAudioFormat {
        try #require(AVAudioFormat(commonFormat: kind, sampleRate: rate, channels: channels, interleaved: interleaved))
    }

    /// Frames of a tone of half the full scale, in Hz.
    private static func tone(_ hertz: Double, _ format: AVAudioFormat, _ frames: Range<Int>) throws -> AVAudioPCMBuffer {
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames.count)))
        buffer.frameLength = buffer.frameCapacity
        let channels = try #require(buffer.floatChannelData)
        for (place, frame) in frames.enumerated() {
            let value = Float(0.5 * sin(2 * .pi * hertz * Double(frame) / format.sampleRate))
            for channel in 0..<Int(format.channelCount) { channels[channel][place * buffer.stride] = value }
        }
        return buffer
    }

    /// All that comes out of a stream, with the statuses of the calls, each of `capacity` frames.
    private static func stream(
        _ buffers: [AVAudioPCMBuffer], through converter: AVAudioConverter, capacity: Int
    ) throws -> (samples: [Float], statuses: [AVAudioConverterOutputStatus]) {
        var (waiting, samples, statuses) = (buffers, [Float](), [AVAudioConverterOutputStatus]())
        let output = try #require(AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: AVAudioFrameCount(capacity)))
        while statuses.last != .endOfStream, statuses.last != .error {
            var error: NSError?
            statuses.append(
                converter.convert(to: output, error: &error) { count, status in
                    #expect(count > 0)
                    guard !waiting.isEmpty else {
                        status.pointee = .endOfStream
                        return nil
                    }
                    status.pointee = .haveData
                    return waiting.removeFirst()
                })
            #expect(error == nil)
            let data = try #require(output.floatChannelData)
            samples += (0..<Int(output.frameLength)).map { data[0][$0 * output.stride] }
        }
        return (samples, statuses)
    }

    @Test(
        "a tone keeps its height, its loudness and its time at another rate, and comes whole",
        arguments: [(48_000, 16_000), (44_100, 48_000), (48_000, 44_100), (8_000, 48_000), (22_050, 16_000), (96_000, 44_100)] as [(Double, Double)])
    func rates(_ from: Double, _ to: Double) throws {
        let converter = try #require(AVAudioConverter(from: Self.format(from), to: Self.format(to)))
        let hertz = 0.37 * min(from, to)
        let count = Int(from / 2)
        let buffers = try stride(from: 0, to: count, by: 1000).map { try Self.tone(hertz, converter.inputFormat, $0..<min($0 + 1000, count)) }
        let (samples, statuses) = try Self.stream(buffers, through: converter, capacity: 700)
        #expect(samples.count == Int((Double(count) * to / from).rounded(.up)))
        #expect(statuses.dropLast().allSatisfy { $0 == .haveData } && statuses.last == .endOfStream)
        // Away from the ends, where the filter has silence on one side.
        let errors = samples.indices.dropFirst(400).dropLast(400).map { index in
            Double(samples[index]) - 0.5 * sin(2 * .pi * hertz * Double(index) / to)
        }
        let noise = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
        #expect(20 * log10(noise / (0.5 / 2.squareRoot())) < -80, "\(20 * log10(noise / 0.354)) dB")
    }

    @Test("what is above the new rate's half is taken out")
    func aliases() throws {
        let converter = try #require(AVAudioConverter(from: Self.format(48_000), to: Self.format(16_000)))
        let (samples, _) = try Self.stream([Self.tone(9_500, converter.inputFormat, 0..<24_000)], through: converter, capacity: 8000)
        let power = samples.dropFirst(400).dropLast(400).reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count - 800)
        #expect(10 * log10(power / 0.125) < -80)
    }

    @Test("input that runs dry gives what there is, and goes on with the next; `.none` gives a buffer of the rates' ratio for each")
    func dry() throws {
        let converter = try #require(AVAudioConverter(from: Self.format(48_000), to: Self.format(16_000)))
        let output = try #require(AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: 1000))
        func feed(_ frames: Range<Int>) throws -> (Int, AVAudioConverterOutputStatus) {
            var input: AVAudioPCMBuffer? = try Self.tone(440, converter.inputFormat, frames)
            let status = converter.convert(to: output, error: nil) { _, status in
                defer { input = nil }
                status.pointee = input == nil ? .noDataNow : .haveData
                return input
            }
            return (Int(output.frameLength), status)
        }
        let first = try feed(0..<1600)
        let second = try feed(1600..<3200)
        #expect(first.1 == .inputRanDry && first.0 < 533 && first.0 > 480 && (533...534).contains(second.0))
        converter.reset()
        converter.primeMethod = .none
        #expect(try [feed(0..<1600).0, feed(1600..<3200).0, feed(3200..<4800).0] == [534, 533, 533])
        let empty = converter.convert(to: output, error: nil) { _, status in
            status.pointee = .noDataNow
            return nil
        }
        #expect(empty == .inputRanDry && output.frameLength == 0)
    }

    @Test("a stream that is over stays so until the converter begins anew")
    func end() throws {
        let converter = try #require(AVAudioConverter(from: Self.format(48_000), to: Self.format(24_000)))
        let (samples, _) = try Self.stream([Self.tone(440, converter.inputFormat, 0..<4800)], through: converter, capacity: 4000)
        #expect(samples.count == 2400)
        #expect(try Self.stream([Self.tone(440, converter.inputFormat, 0..<4800)], through: converter, capacity: 4000).samples.isEmpty)
        converter.reset()
        #expect(try Self.stream([Self.tone(440, converter.inputFormat, 0..<4800)], through: converter, capacity: 4000).samples == samples)
    }

    @Test("samples of another kind, and channels by their map, by default in order, or mixed")
    func channels() throws {
        let (mono, stereo) = (try Self.format(48_000), try Self.format(48_000, 2, .pcmFormatInt16, interleaved: true))
        let up = try #require(AVAudioConverter(from: mono, to: stereo))
        let source = try Self.tone(480, mono, 0..<100)
        let pairs = try #require(AVAudioPCMBuffer(pcmFormat: stereo, frameCapacity: 100))
        #expect(up.channelMap == [0, -1])
        try up.convert(to: pairs, from: source)
        let data = try #require(pairs.int16ChannelData)
        #expect(pairs.frameLength == 100 && data[0][2 * 25] == 16384 && data[1][2 * 25] == 0)
        up.downmix = true
        try up.convert(to: pairs, from: source)
        #expect(data[1][2 * 25] == 16384)
        up.channelMap = [-1, 0]
        try up.convert(to: pairs, from: source)
        #expect(data[0][2 * 25] == 0 && data[1][2 * 25] == 16384)
        let down = try #require(AVAudioConverter(from: stereo, to: mono))
        let one = try #require(AVAudioPCMBuffer(pcmFormat: mono, frameCapacity: 100))
        try down.convert(to: one, from: pairs)
        #expect(one.floatChannelData?[0][25] == 0)
        down.downmix = true
        try down.convert(to: one, from: pairs)
        #expect(one.floatChannelData?[0][25] == 0.25)
    }

    @Test("other formats, another rate without a block and too small a buffer are refused with -50, and compressed sound makes no converter")
    func refusals() throws {
        let (slow, fast) = (try Self.format(16_000), try Self.format(48_000))
        let converter = try #require(AVAudioConverter(from: fast, to: slow))
        let (input, output) = (
            try Self.tone(440, fast, 0..<100), try #require(AVAudioPCMBuffer(pcmFormat: slow, frameCapacity: 100))
        )
        func code(_ body: () throws -> Void) -> Int? {
            do { try body() } catch { return (error as NSError).code }
            return nil
        }
        #expect(code { try converter.convert(to: output, from: input) } == -50)
        let same = try #require(AVAudioConverter(from: fast, to: fast))
        let small = try #require(AVAudioPCMBuffer(pcmFormat: fast, frameCapacity: 99))
        #expect(code { try same.convert(to: small, from: input) } == -50)
        #expect(code { try same.convert(to: small, from: output) } == -50)
        var error: NSError?
        let status = converter.convert(to: output, error: &error) { _, _ in output }
        #expect(status == .error && error?.code == -50 && error?.domain == NSOSStatusErrorDomain)
        let coded = try #require(AVAudioFormat(settings: [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1]))
        #expect(AVAudioConverter(from: fast, to: coded) == nil && AVAudioConverter(from: coded, to: fast) == nil)
    }
}
