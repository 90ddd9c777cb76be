import CoreMedia
import Foundation
import Pipeline
import Testing

@testable import Media

@Suite("Sound of another rate")
struct SoundResamplerTests {
    private static func tone(_ samples: Range<Int>, rate: Int) -> Sound {
        Sound(
            presentationTime: CMTime(value: Int64(samples.lowerBound), timescale: Int32(rate)), sampleRate: rate, layout: .mono,
            samples: samples.map { Float(0.5 * sin(2 * Double.pi * 440 * Double($0) / Double(rate))) })
    }

    @Test("becomes the same tone at the same times, however it is cut", arguments: [[44_100], [1024, 1024, 42_052], [1, 44_099]])
    func tone(_ lengths: [Int]) throws {
        let resampler = try SoundResampler(from: 44_100, to: 48_000, layout: .mono, path: "movie")
        var (parts, next): ([Sound], Int) = ([], 0)
        for length in lengths {
            parts += try resampler.convert(Self.tone(next..<next + length, rate: 44_100))
            next += length
        }
        parts += try resampler.finish()
        var end = CMTime.zero
        for part in parts {
            #expect(part.presentationTime == end && part.sampleRate == 48_000)
            end = part.presentationTime + part.duration
        }
        let samples = parts.flatMap(\.samples)
        #expect(abs(samples.count - 48_000) <= 1)
        let wanted = Self.tone(0..<samples.count, rate: 48_000).samples
        // The filter has no samples beyond the ends.
        let worst = zip(samples, wanted).dropFirst(100).dropLast(100).map { abs($0 - $1) }.max() ?? 1
        #expect(worst < 0.001, "\(worst)")
    }

    @Test("begins anew behind a gap")
    func gap() throws {
        let resampler = try SoundResampler(from: 44_100, to: 48_000, layout: .mono, path: "movie")
        var parts = try resampler.convert(Self.tone(0..<4410, rate: 44_100))
        parts += try resampler.convert(Self.tone(22_050..<26_460, rate: 44_100))
        parts += try resampler.finish()
        #expect(parts.contains { $0.presentationTime == CMTime(value: 1, timescale: 2) })
        #expect(abs(parts.reduce(0) { $0 + $1.sampleCount } - 9600) <= 2)
    }
}
