import AVFoundation
import Cinematic
import CinematicClient
import CoreMedia
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Media
@testable import RackfocusKit

/// Mixes sound by a client that imports Apple's names alone.
@Suite("A mix of sound in an app")
struct SoundMixClientTests {
    /// Somebody in the picture, and a voice far to the left of it.
    private static let scene = """
        scenario: Two voices
        clip: {source: synthetic, size: 64x36, fps: 30, length: 30f, seed: 3}
        device: {aperture: f/2, focalLength: 60mm}
        subjects:
          maya: {kind: face, box: [0.40, 0.25, 0.20, 0.35], depth: 1.5m, sound: {tone: 440Hz, level: -12dB}}
          tom: {kind: face, box: [-2.60, 0.30, 0.10, 0.25], depth: 1.5m, sound: {tone: 1500Hz, level: -6dB}}
        """

    /// Amplitude of a tone in one of several interleaved channels, in a range of samples.
    private static func amplitude(_ frequency: Double, in samples: [Float], channel: Int = 0, of channels: Int, _ range: Range<Int>) -> Double {
        var (sine, cosine) = (0.0, 0.0)
        for index in range {
            let value = Double(samples[channels * index + channel])
            sine += value * sin(2 * .pi * frequency * Double(index) / 48_000)
            cosine += value * cos(2 * .pi * frequency * Double(index) / 48_000)
        }
        return 2 * (sine * sine + cosine * cosine).squareRoot() / Double(range.count)
    }

    @Test("of a spatial recording keeps who is in the picture, and its stems are the recording")
    func spatial() async throws {
        let scratch = try Scratch()
        let take = try CinematicTake(Self.scene, in: scratch, isSpatial: true)
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.editing()) {
            let asset = AVURLAsset(url: URL(fileURLWithPath: take.path))
            #expect(CNAssetSpatialAudioInfo.isSupported)
            #expect(await CNAssetSpatialAudioInfo.assetContainsSpatialAudio(asset: asset))
            let recorded = try await SoundDesk.spatial(asset, .standard)
            let range = 9600..<40_000
            func level(_ frequency: Double, _ samples: [Float], _ channels: Int = 4) -> Double {
                let reference = Self.amplitude(frequency, in: recorded, of: 4, range)
                return 20 * log10(Self.amplitude(frequency, in: samples, of: channels, range) / reference)
            }
            #expect(recorded.count / 4 > 40_000)
            let inFrame = try await SoundDesk.spatial(asset, .inFrame)
            #expect(inFrame.count == recorded.count && abs(level(440, inFrame)) < 0.5 && abs(level(1500, inFrame) + 12) < 1)
            let half = try await SoundDesk.spatial(asset, .inFrame, intensity: 0.5)
            #expect(abs(level(1500, half) - 20 * log10(0.625)) < 0.7)
            let foreground = try await SoundDesk.spatial(asset, .inFrameForegroundStem)
            let background = try await SoundDesk.spatial(asset, .inFrameBackgroundStem)
            #expect(level(1500, foreground) < -25 && level(440, background) < -25)
            #expect(zip(zip(foreground, background), recorded).allSatisfy { abs($0.0 + $0.1 - $1) < 1e-4 })
            let stereo = try await SoundDesk.spatial(asset, .inFrame, as: .stereo)
            #expect(stereo.count == recorded.count / 2)
            let expected = (0..<recorded.count / 4).flatMap { (index: Int) -> [Float] in
                let (w, y) = (inFrame[4 * index], inFrame[4 * index + 1])
                return [(w + y) / 2, (w - y) / 2]
            }
            #expect(zip(stereo, expected).allSatisfy { abs($0 - $1) < 1e-6 })
            let metadata = try await CNAssetSpatialAudioInfo(asset: asset).spatialAudioMixMetadata
            let told = try #require(try JSONSerialization.jsonObject(with: metadata) as? [String: Any])
            #expect(abs((told["fieldOfView"] as? Double ?? 0) - 33.4) < 0.1 && told["style"] as? Int == 7)
        }
    }

    @Test("is exported: the stereo beside ambisonics by itself, or the ambisonics as a mix says")
    func exported() async throws {
        let scratch = try Scratch()
        let take = try CinematicTake(Self.scene, in: scratch, isSpatial: true)
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.editing()) {
            let asset = AVURLAsset(url: URL(fileURLWithPath: take.path))
            let sound = try await asset.loadTracks(withMediaType: .audio)
            #expect(sound.map(\.isEnabled) == [true, false])
            func exported(_ style: CNSpatialAudioRenderingStyle?, _ name: String) async throws -> [Float] {
                let url = scratch.url.appending(path: name)
                try await SoundDesk.export(asset, style, to: url)
                return try await MovieTools.sound(of: url).samples
            }
            let range = 9600..<40_000
            func ratio(_ frequency: Double, _ one: [Float], _ other: [Float]) -> Double {
                func left(_ samples: [Float]) -> Double { Self.amplitude(frequency, in: samples, of: 2, range) }
                return 20 * log10(left(one) / left(other))
            }
            let (plain, mixed) = (try await exported(nil, "plain.m4a"), try await exported(.inFrame, "mixed.m4a"))
            #expect(abs(ratio(440, mixed, plain)) < 0.5 && abs(ratio(1500, mixed, plain) + 12) < 1)
        }
    }

    @Test("is made by an export of the tool, too, in place of the stereo track, and kept in step")
    func tool() async throws {
        let scratch = try Scratch()
        let take = try CinematicTake(Self.scene, in: scratch, isSpatial: true)
        func exported(_ mix: (SpatialMix.Style, Float)?, _ name: String) throws -> Sound {
            var options = ExportOptions(output: scratch(name))
            (options.mixesAmbisonics, options.spatialMix) = (true, mix)
            let result = try ExportJob(take.path, options: options).run { _ in }
            #expect(result.remarks.contains { $0.contains("mixed for in-frame") } == (mix != nil))
            let contents = try MovieReader(path: scratch(name)).contents
            #expect(contents.tracks.filter { $0.kind == .sound }.map(\.channels) == [2])
            return try SoundFile.read(scratch(name))
        }
        let (plain, mixed) = (try exported(nil, "plain.mp4"), try exported((.inFrame, 1), "mixed.mp4"))
        #expect(plain.presentationTime == mixed.presentationTime && plain.sampleCount == mixed.sampleCount)
        let range = 9600..<40_000
        func ratio(_ frequency: Double) -> Double {
            20 * log10(Self.amplitude(frequency, in: mixed.samples, of: 2, range) / Self.amplitude(frequency, in: plain.samples, of: 2, range))
        }
        #expect(abs(ratio(440)) < 0.5 && abs(ratio(1500) + 12) < 1)
    }

    @Test("adds tracks of several rates up, as loud as it says over time, without gaps")
    func volumes() async throws {
        let scratch = try Scratch()
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.files()) {
            func track(_ frequency: Double, rate: Int, _ name: String) async throws -> AVAssetTrack {
                let url = URL(fileURLWithPath: scratch(name))
                let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
                let input = AVAssetWriterInput(mediaType: .audio, outputSettings: nil)
                writer.add(input)
                #expect(writer.startWriting())
                writer.startSession(atSourceTime: .zero)
                let tone = (0..<2 * rate).flatMap { index -> [Int16] in
                    let value = Int16((8192 * sin(2 * .pi * frequency * Double(index) / Double(rate))).rounded())
                    return [value, value]
                }
                #expect(input.append(try MovieTools.sample(of: tone, rate: Double(rate), layout: kAudioChannelLayoutTag_Stereo)))
                await writer.finishWriting()
                return try #require(try await AVURLAsset(url: url).loadTracks(withMediaType: .audio).first)
            }
            let composition = AVMutableComposition()
            let (voice, music) = (try await track(440, rate: 48_000, "voice.mov"), try await track(1500, rate: 44_100, "music.mov"))
            func add(_ source: AVAssetTrack, at start: CMTime) throws -> AVMutableCompositionTrack {
                let track = try #require(composition.addMutableTrack(withMediaType: .audio, preferredTrackID: kCMPersistentTrackID_Invalid))
                try track.insertTimeRange(CMTimeRange(start: .zero, duration: CMTime(value: 2, timescale: 1)), of: source, at: start)
                return track
            }
            let tracks = [try add(voice, at: CMTime(value: 1, timescale: 2)), try add(music, at: .zero)]
            let fade = CMTimeRange(start: CMTime(value: 1, timescale: 1), duration: CMTime(value: 1, timescale: 1))
            let mix = SoundDesk.fade(tracks[1], over: fade)
            let mixed = try SoundDesk.mix(tracks, of: composition, by: mix, settings: [AVSampleRateKey: 48_000])
            #expect(mixed.count == 2 * 120_000)
            func level(_ frequency: Double, _ range: Range<Int>) -> Double { Self.amplitude(frequency, in: mixed, of: 2, range) }
            #expect(level(440, 0..<23_000) < 0.001)
            for range in [24_000..<48_000, 100_000..<119_000] { #expect(abs(level(440, range) - 0.25) < 0.002) }
            #expect(abs(level(1500, 4800..<48_000) - 0.125) < 0.002 && abs(level(1500, 69_600..<74_400) - 0.0625) < 0.002)
            #expect(level(1500, 96_000..<119_000) < 0.001)
            let loud = try SoundDesk.mix(tracks, of: composition, in: fade, settings: [AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1])
            #expect(loud.count == 48_000 && abs(Self.amplitude(1500, in: loud, of: 1, 4800..<43_000) - 0.5) < 0.004)

            let parameters = try #require(mix.inputParameters.first)
            var (from, to, range): (Float, Float, CMTimeRange) = (0, 0, .zero)
            func ramp(at seconds: Double) -> Bool {
                parameters.getVolumeRamp(
                    for: CMTime(seconds: seconds, preferredTimescale: 600), startVolume: &from, endVolume: &to, timeRange: &range)
            }
            #expect(ramp(at: 0.3) && from == 0.5 && to == 0.5 && range == CMTimeRange(start: .zero, end: fade.start))
            #expect(ramp(at: 1.5) && from == 0.5 && to == 0 && range == fade)
            #expect(ramp(at: 9) && from == 0 && to == 0 && range.start == fade.end && range.end == .positiveInfinity)
            #expect(!AVMutableAudioMixInputParameters().getVolumeRamp(for: .zero, startVolume: nil, endVolume: nil, timeRange: nil))
        }
    }
}
