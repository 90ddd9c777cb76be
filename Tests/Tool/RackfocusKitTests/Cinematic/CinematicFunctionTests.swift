import AVFoundation
import Cinematic
import CinematicClient
import CoreMedia
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import RackfocusKit

/// Functions of cinematic movies and assets that no other test calls by name.
@Suite("Functions of cinematic movies and assets")
struct CinematicFunctionTests {
    @Test("tell automatic decisions from the user's, without which they remain, and the best part of a group")
    func decisions() async throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.files()) {
            let script = try await CNScript(asset: AVURLAsset(url: URL(fileURLWithPath: take.path)))
            let base = script.baseDecisions(in: script.timeRange)
            #expect(!base.isEmpty && base.allSatisfy { !$0.isUserDecision } && script.userDecisions(in: script.timeRange).count == 1)
            let later = CMTimeRange(start: base[0].time + script.frameDuration, end: script.timeRange.end)
            #expect(script.baseDecisions(in: later) == Array(base.dropFirst()))
            #expect(script.decisions(in: script.timeRange).count == base.count + 1)
            let groups = script.frames(in: script.timeRange).flatMap { frame in
                frame.allDetections.compactMap { seen in seen.detectionGroupID.map { (seen, frame.bestDetection(for: $0)) } }
            }
            #expect(groups.count >= 40 && groups.allSatisfy { $0.1?.detectionType == .humanFace && $0.1?.detectionGroupID == $0.0.detectionGroupID })
            script.removeAllUserDecisions()
            #expect(script.decisions(in: script.timeRange) == base)
        }
    }

    @Test("name what tracks describe, what a file holds, and what it can be exported to")
    func assets() async throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.files()) {
            let asset = AVURLAsset(url: URL(fileURLWithPath: take.path))
            let pictures = try #require(try await asset.loadTracks(withMediaType: .video).first)
            let metadata = try #require(try await asset.loadTracks(withMediaType: .metadata).first)
            #expect(try await metadata.loadAssociatedTracks(ofType: .metadataReferent).map(\.trackID) == [pictures.trackID])
            #expect(try await pictures.loadAssociatedTracks(ofType: .metadataReferent).isEmpty)
            #expect(pictures.hasMediaCharacteristic(.visual) && !pictures.hasMediaCharacteristic(.audible))
            let items = try await asset.loadMetadata(for: .quickTimeMetadata)
            #expect(items.contains { $0.identifier?.rawValue == "mdta/com.apple.quicktime.cinematic-video" })
            #expect(try await asset.loadMetadata(for: AVMetadataFormat(rawValue: "org.id3")).isEmpty)
            #expect(AVURLAsset.audiovisualTypes().contains(.mov))
            #expect(
                await withCheckedContinuation { continuation in
                    CNAssetSpatialAudioInfo.checkIfContainsSpatialAudio(asset: asset) { continuation.resume(returning: $0) }
                } == false)

            let composition = AVMutableComposition()
            #expect(composition.mutableTrack(compatibleWith: pictures) == nil)
            let own = composition.addMutableTrack(withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid)
            #expect(composition.mutableTrack(compatibleWith: pictures) === own && composition.mutableTrack(compatibleWith: metadata) == nil)

            let generator = AVAssetImageGenerator(asset: asset)
            generator.requestedTimeToleranceBefore = .zero
            generator.requestedTimeToleranceAfter = .zero
            let time = CinematicTake.frames(7..<8).start
            let (width, actual) = await withCheckedContinuation { (continuation: CheckedContinuation<(Int?, CMTime), Never>) in
                generator.generateCGImageAsynchronously(for: time) { image, actual, _ in continuation.resume(returning: (image?.width, actual)) }
            }
            #expect(width == 128 && actual == time)

            for (preset, type, fits) in [
                (AVAssetExportPresetPassthrough, AVFileType.mov, true), (AVAssetExportPresetAppleM4A, .mov, false),
                (AVAssetExportPresetHighestQuality, .mp4, true),
            ] {
                let told = await withCheckedContinuation { continuation in
                    AVAssetExportSession.determineCompatibility(ofExportPreset: preset, with: asset, outputFileType: type) {
                        continuation.resume(returning: $0)
                    }
                }
                #expect(told == fits, "\(preset) \(type.rawValue)")
            }
            let session = try #require(AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetAppleM4A))
            #expect(await session.compatibleFileTypes == [.m4a])
        }
    }
}
