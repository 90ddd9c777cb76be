import CoreMedia
import Foundation
import Pipeline
import Testing

@testable import Media

@Suite("Ambisonics mixed by direction")
struct SpatialMixerTests {
    /// A tone of 440 Hz from straight ahead and one of 1500 Hz from an angle to the left, half a second.
    private static func scene(angle: Double = 120, from start: Int = 0, count: Int = 24_000) -> Sound {
        let (x, y) = (Float(cos(angle * .pi / 180)), Float(sin(angle * .pi / 180)))
        let samples = (start..<start + count).flatMap { index -> [Float] in
            let (ahead, beside) = (tone(440, index), tone(1500, index))
            return [ahead + beside, y * beside, 0, ahead + x * beside]
        }
        let time = Sound.time(of: Int64(start), sampleRate: 48_000)
        return Sound(presentationTime: time, sampleRate: 48_000, layout: .firstOrderAmbisonics, samples: samples)
    }

    private static func tone(_ frequency: Double, _ index: Int) -> Float { Float(0.2 * sin(2 * .pi * frequency * Double(index) / 48_000)) }

    /// Mixes sound that comes in parts, and checks that they follow each other.
    private static func mixed(_ parts: [Sound], by mix: SpatialMix) throws -> Sound {
        let mixer = try SpatialMixer(mix, sampleRate: 48_000, path: "movie")
        let mixed = parts.flatMap { mixer.convert($0) } + mixer.finish()
        for (one, next) in zip(mixed, mixed.dropFirst()) { #expect(one.presentationTime + one.duration == next.presentationTime) }
        return Sound(
            presentationTime: mixed.first?.presentationTime ?? .invalid, sampleRate: 48_000, layout: .firstOrderAmbisonics,
            samples: mixed.flatMap(\.samples))
    }

    /// Level of a tone in a channel behind the first 100 ms, in decibels against the one that was recorded in W.
    private static func level(_ frequency: Double, in sound: Sound, channel: Int = 0) -> Double {
        var (sine, cosine, count) = (0.0, 0.0, 0)
        for index in 4800..<sound.sampleCount {
            let value = Double(sound.samples[4 * index + channel])
            sine += value * sin(2 * .pi * frequency * Double(index) / 48_000)
            cosine += value * cos(2 * .pi * frequency * Double(index) / 48_000)
            count += 1
        }
        return 20 * log10(max(2 * (sine * sine + cosine * cosine).squareRoot() / Double(count), 1e-9) / 0.2)
    }

    @Test("is divided into a foreground and a background that add up to the recording")
    func stems() throws {
        let scene = Self.scene()
        let foreground = try Self.mixed([scene], by: SpatialMix(style: .studio, part: .foreground))
        let background = try Self.mixed([scene], by: SpatialMix(style: .studio, part: .background))
        #expect(foreground.sampleCount == scene.sampleCount && foreground.presentationTime == .zero)
        let worst = zip(zip(foreground.samples, background.samples), scene.samples).map { abs($0.0 + $0.1 - $1) }.max() ?? 1
        #expect(worst < 1e-5, "\(worst)")
        #expect(abs(Self.level(440, in: foreground)) < 0.5 && Self.level(1500, in: foreground) < -25)
        #expect(abs(Self.level(1500, in: background)) < 0.5 && Self.level(440, in: background) < -25)
    }

    @Test("is the same however it was cut, and as recorded at no intensity")
    func cuts() throws {
        let mix = SpatialMix(style: .cinematic)
        let whole = try Self.mixed([Self.scene()], by: mix)
        for length in [500, 1024, 7001] {
            let parts = stride(from: 0, to: 24_000, by: length).map { Self.scene(from: $0, count: min(length, 24_000 - $0)) }
            #expect(try Self.mixed(parts, by: mix) == whole, "\(length)")
        }
        let same = try Self.mixed([Self.scene()], by: SpatialMix(style: .cinematic, intensity: 0))
        #expect(zip(same.samples, Self.scene().samples).allSatisfy { abs($0 - $1) < 1e-5 })
    }

    @Test("keeps those in the picture alone, and brings who is to the side into the middle")
    func styles() throws {
        let scene = Self.scene(angle: 60)
        let narrow = try Self.mixed([scene], by: SpatialMix(style: .inFrame, fieldOfView: 40))
        #expect(abs(Self.level(440, in: narrow)) < 0.5 && abs(Self.level(1500, in: narrow) + 12) < 1)
        let wide = try Self.mixed([scene], by: SpatialMix(style: .inFrame, fieldOfView: 130))
        #expect(abs(Self.level(1500, in: wide)) < 0.5)
        let centered = try Self.mixed([scene], by: SpatialMix(style: .cinematic))
        #expect(abs(Self.level(1500, in: centered)) < 0.5 && abs(Self.level(1500, in: centered, channel: 3)) < 0.5)
        #expect(Self.level(1500, in: centered, channel: 1) < -25 && abs(Self.level(1500, in: scene, channel: 1) + 1.25) < 0.1)
    }

    @Test("from all sides is background")
    func diffuse() throws {
        var state: UInt64 = 1
        func noise() -> Float {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(state >> 40) / 0x1p24 - 0.5
        }
        // In a diffuse field each figure of eight has a third of the power of W.
        let field = Sound(
            presentationTime: .zero, sampleRate: 48_000, layout: .firstOrderAmbisonics,
            samples: (0..<24_000).flatMap { _ in [noise()] + (0..<3).map { _ in noise() * Float(3).squareRoot() / 3 } })
        func power(_ part: SpatialMix.Part) throws -> Float {
            let mixed = try Self.mixed([field], by: SpatialMix(style: .studio, part: part))
            return stride(from: 0, to: mixed.samples.count, by: 4).reduce(0) { $0 + mixed.samples[$1] * mixed.samples[$1] }
        }
        let (foreground, background) = (try power(.foreground), try power(.background))
        #expect(foreground < 0.1 * background, "\(foreground) \(background)")
    }

    @Test("begins anew behind a gap, and other channels pass")
    func gap() throws {
        let mixer = try SpatialMixer(SpatialMix(style: .studio), sampleRate: 48_000, path: "movie")
        let later = Self.scene(from: 48_000, count: 4800)
        let parts = mixer.convert(Self.scene(count: 4800)) + mixer.convert(later) + mixer.finish()
        #expect(parts.reduce(0) { $0 + $1.sampleCount } == 9600)
        #expect(parts.contains { $0.presentationTime == later.presentationTime })
        let stereo = later.mixed(to: .stereo)
        #expect(mixer.convert(stereo) == [stereo])
    }
}
