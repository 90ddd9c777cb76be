import AVFoundation
import Cinematic
import CinematicClient
import CoreMedia
import CoreVideo
import Foundation
import Media
import Pipeline
import TestSupport
import Testing

@testable import RackfocusKit

/// Exports takes of the stage by a client that imports Apple's names alone.
@Suite("An export session in an app")
struct ExportSessionClientTests {
    @Test("writes a part of a cinematic movie as an app's compositor renders it, with its sound, from zero on")
    func composed() async throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.editing()) {
            let editor = try await CinematicEditor(url: URL(fileURLWithPath: take.path))
            let url = scratch.url.appending(path: "part.mov")
            try await editor.export(to: url, in: CinematicTake.frames(10..<30))
            let summary = try await MovieTools.summary(of: url)
            #expect(summary.size == CGSize(width: 128, height: 72) && summary.hasSound && abs(summary.seconds - 20 * 1.001 / 30) < 0.002)
            let pictures = try await MovieTools.pictures(of: url, format: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
            #expect(pictures.map(\.time) == (0..<20).map { CinematicTake.frames($0..<$0 + 1).start })
            let least = zip(pictures, take.baked[10..<30]).map { CinematicRoundTripTests.psnr($0.image, $1) }.min() ?? 0
            #expect(least > 33, "\(least) dB")
            let sound = try await MovieTools.sound(of: url)
            #expect(abs(Double(sound.samples.count) / 48_000 - 20 * 1.001 / 30) < 0.03 && sound.samples.contains { abs($0) > 0.05 })
        }
    }

    @Test("passes samples through as they are stored, scales to a preset's size, and exports sound alone")
    func presets() async throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.editing()) {
            let asset = AVURLAsset(url: URL(fileURLWithPath: take.path))
            func export(_ preset: String, _ name: String, as fileType: AVFileType) async throws -> URL {
                let url = scratch.url.appending(path: name)
                let session = try #require(AVAssetExportSession(asset: asset, presetName: preset))
                #expect(await AVAssetExportSession.compatibility(ofExportPreset: preset, with: asset, outputFileType: fileType))
                try await session.export(to: url, as: fileType)
                #expect(session.status == .completed && session.progress == 1)
                return url
            }
            let stored = try await export(AVAssetExportPresetPassthrough, "same.mov", as: .mov)
            func data(_ asset: AVAsset) throws -> [Data?] {
                try MovieTools.stored(try #require(asset.tracks(withMediaType: .video).first)).map { try $0.dataBuffer?.dataBytes() }
            }
            let same = AVURLAsset(url: stored)
            #expect(try data(asset).count == 40 && data(asset) == data(same))
            let heard = try await export(AVAssetExportPresetAppleM4A, "sound.m4a", as: .m4a)
            #expect(AVURLAsset(url: heard).tracks.map(\.mediaType) == [.audio])
            let small = try await export(AVAssetExportPresetHEVCHighestQuality, "small.mp4", as: .mp4)
            #expect(AVURLAsset(url: small).tracks.first?.formatDescriptions.count == 1)
            #expect(AVAssetExportSession(asset: asset, presetName: "AVAssetExportPresetGigantic") == nil)
        }
    }

    @Test(
        "passes a part through with the samples by which its pictures and its sound are decoded", arguments: [AVVideoCodecType.h264, .hevc],
        [CMTime.zero, CinematicTake.frames(0..<7).end, CinematicTake.frames(0..<7).end + CMTime(value: 1, timescale: 60)])
    func part(codec: AVVideoCodecType, from start: CMTime) async throws {
        let scratch = try Scratch()
        let (whole, part) = (scratch.url.appending(path: "whole.mov"), scratch.url.appending(path: "part.mov"))
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.stage()) { _ = try await SampleRecorder.record(to: whole, codec: codec) }
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.files()) {
            let session = try #require(AVAssetExportSession(asset: AVURLAsset(url: whole), presetName: AVAssetExportPresetPassthrough))
            let range = CMTimeRange(start: start, end: CinematicTake.frames(0..<19).end)
            session.timeRange = range
            try await session.export(to: part, as: .mov)
            let format = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
            let wanted = try await MovieTools.pictures(of: whole, format: format)[(start == .zero ? 0 : 7)..<19]
            let got = try await MovieTools.pictures(of: part, format: format)
            #expect(got.map(\.time) == wanted.map { max($0.time - range.start, .zero) })
            #expect(zip(got, wanted).allSatisfy { CinematicRoundTripTests.psnr($0.image, $1.image) == .infinity })
            let (heard, sound) = (try await MovieTools.sound(of: whole, in: range), try await MovieTools.sound(of: part))
            #expect(sound.time == .zero && abs(sound.samples.count - heard.samples.count) <= 1)
            // The tone rises by .014 from one sample to the next, and a part begins within one.
            #expect(zip(sound.samples, heard.samples).allSatisfy { abs($0 - $1) < 0.02 })
        }
    }

    @Test("that cannot begin says why, leaves a file that is there, and leaves nothing of one that was cancelled")
    func failures() async throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.editing()) {
            let asset = AVURLAsset(url: URL(fileURLWithPath: take.path))
            func session() throws -> AVAssetExportSession {
                try #require(AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetHighestQuality))
            }
            let there = scratch.url.appending(path: "there.mov")
            try Data("here".utf8).write(to: there)
            await #expect(throws: AVError.self) { try await session().export(to: there, as: .mov) }
            #expect(try Data(contentsOf: there) == Data("here".utf8))
            let nowhere = try session()
            await nowhere.export()
            #expect(nowhere.status == .failed && nowhere.error?.localizedDescription.contains("outputURL") == true)
            let late = try session()
            late.timeRange = CinematicTake.frames(100..<120)
            await #expect(throws: AVError.self) { try await late.export(to: scratch.url.appending(path: "late.mov"), as: .mov) }
            let cancelled = try session()
            cancelled.cancelExport()
            await #expect(throws: CancellationError.self) { try await cancelled.export(to: scratch.url.appending(path: "no.mov"), as: .mov) }
            await #expect(throws: AVError.self) { try await late.export(to: scratch.url.appending(path: "again.mov"), as: .mov) }
            #expect(cancelled.status == .cancelled && !FileManager.default.fileExists(atPath: scratch("no.mov")))
        }
    }
}
