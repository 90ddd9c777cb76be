import AVFoundation
import Cinematic
import CinematicClient
import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import RackfocusKit

/// Copies and cuts takes of the stage without coding them anew, by a client that imports Apple's names alone.
@Suite("A cinematic recording that an app copies or cuts as it is stored")
struct CinematicCopyClientTests {
    /// Way to copy.
    enum Way: CaseIterable {
        case export, writer
    }

    private static func copy(_ take: CinematicTake, to url: URL, _ way: Way, from start: CMTime) async throws {
        let asset = AVURLAsset(url: URL(fileURLWithPath: take.path))
        switch way {
        case .writer:
            let writer = try await MovieTools.passThrough(URL(fileURLWithPath: take.path), to: url, fileType: .mov, from: start)
            #expect(writer.status == .completed)
        case .export:
            let session = try #require(AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough))
            session.timeRange = CMTimeRange(start: start, end: try await asset.load(.duration))
            try await session.export(to: url, as: .mov)
        }
    }

    @Test("is the same recording: its changes apply, and it renders as before", arguments: Way.allCases)
    func whole(_ way: Way) async throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.editing()) {
            let url = scratch.url.appending(path: "copy.mov")
            try await Self.copy(take, to: url, way, from: .zero)
            let (before, after) = (AVURLAsset(url: URL(fileURLWithPath: take.path)), AVURLAsset(url: url))
            let kinds: Set<AVMediaType> = [.video, .audio, .auxiliaryPicture, .metadata]
            #expect(Set(before.tracks.map(\.mediaType)) == kinds && Set(after.tracks.map(\.mediaType)) == kinds)
            #expect(await CNAssetInfo.isCinematic(asset: after))
            let (script, copied) = (try await CNScript(asset: before), try await CNScript(asset: after))
            #expect(script.digest == copied.digest && copied.timeRange == script.timeRange)
            for mediaType in [AVMediaType.auxiliaryPicture, .metadata] {
                let (from, to) = (try await MovieTools.stored(mediaType, of: before.url), try await MovieTools.stored(mediaType, of: url))
                #expect(from.count == 40 && from.map(\.data) == to.map(\.data) && from.map(\.time) == to.map(\.time))
            }
            let rendered = try await CinematicEditor(url: url).render()
            #expect(rendered.count == 40)
            #expect((zip(rendered, take.baked).map { CinematicRoundTripTests.psnr($0.image, $1) }.min() ?? 0) > 50)
        }
    }

    @Test("has in a part the decisions that were in effect where it begins, and is focused as that part", arguments: Way.allCases, [5, 20])
    func part(_ way: Way, first: Int) async throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.editing()) {
            let url = scratch.url.appending(path: "part.mov")
            let part = CinematicTake.frames(first..<40)
            try await Self.copy(take, to: url, way, from: part.start)
            let whole = try await CNScript(asset: AVURLAsset(url: URL(fileURLWithPath: take.path)))
            let script = try await CNScript(asset: AVURLAsset(url: url))
            #expect(script.timeRange == CinematicTake.frames(0..<40 - first))
            func focus(_ script: CNScript, _ range: CMTimeRange) -> [Float] { script.frames(in: range).map(\.focusDisparity) }
            #expect(focus(script, script.timeRange) == focus(whole, part))
            #expect(script.userDecisions(in: script.timeRange).count == 1)
            let rendered = try await CinematicEditor(url: url).render()
            #expect(rendered.map(\.time) == (0..<40 - first).map { CinematicTake.frames($0..<$0 + 1).start })
            #expect((zip(rendered, take.baked[first...]).map { CinematicRoundTripTests.psnr($0.image, $1) }.min() ?? 0) > 50)

            // Taken back, Tom's tap leaves Maya, who was in focus before.
            for script in [whole, script] { #expect(script.removeUserDecision(try #require(script.userDecisions(in: script.timeRange).first))) }
            #expect(focus(script, script.timeRange) == focus(whole, part))
        }
    }

    @Test("in an MP4 has no place for disparity and decisions, which the export says")
    func plain() async throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        let said = Said()
        var environment = ClientEnvironment.files()
        environment.onDiagnostic = { said.take($0) }
        try await CaptureEnvironment.$scoped.withValue(environment) {
            let asset = AVURLAsset(url: URL(fileURLWithPath: take.path))
            #expect(!AVAssetExportSession.allExportPresets().contains(AVAssetExportPresetPassthrough))
            #expect(!AVAssetExportSession.exportPresets(compatibleWith: asset).contains(AVAssetExportPresetPassthrough))
            let session = try #require(AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough))
            let url = scratch.url.appending(path: "plain.mp4")
            try await session.export(to: url, as: .mp4)
            #expect(Set(AVURLAsset(url: url).tracks.map(\.mediaType)) == [.video, .audio])
            #expect(said.all.count == 2 && said.all.contains { $0.contains("auxv") } && said.all.contains { $0.contains("meta") })
        }
    }

    @Test("keeps its colours, whatever they are")
    func colors() async throws {
        let scratch = try Scratch()
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.files()) {
            let pictures = (0..<3).map { index -> (time: CMTime, image: CVPixelBuffer) in
                let image = CVPixelBuffer(width: 64, height: 36, pixelFormat: kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange)
                for plane in 0..<2 { memset(image.plane(plane).base, 0x80, image.plane(plane).bytesPerRow * image.plane(plane).height) }
                image.attach(PictureColors(primaries: 9, transfer: 18, matrix: 9))
                return (CMTime(value: Int64(index), timescale: 25), image)
            }
            let (hdr, copy) = (scratch.url.appending(path: "hdr.mov"), scratch.url.appending(path: "copy.mov"))
            let settings: [String: Any] = [AVVideoCodecKey: AVVideoCodecType.hevc, AVVideoWidthKey: 64, AVVideoHeightKey: 36]
            _ = try await MovieTools.write(pictures, to: hdr, settings: settings)
            let session = try #require(AVAssetExportSession(asset: AVURLAsset(url: hdr), presetName: AVAssetExportPresetPassthrough))
            try await session.export(to: copy, as: .mov)
            for url in [hdr, copy] {
                let asset = AVURLAsset(url: url)
                let track = try #require(asset.tracks.first)
                #expect(track.hasMediaCharacteristic(.containsHDRVideo), "\(url.lastPathComponent)")
                let extensions = try #require(track.formatDescriptions.first as? CMFormatDescription).extensions
                #expect(extensions[.colorPrimaries]?.propertyListRepresentation as? CFString == kCVImageBufferColorPrimaries_ITU_R_2020)
                #expect(extensions[.transferFunction]?.propertyListRepresentation as? CFString == kCVImageBufferTransferFunction_ITU_R_2100_HLG)
            }
        }
    }
}

/// Diagnostics of an environment.
private final class Said: @unchecked Sendable {
    private let lock = NSLock()
    private var texts: [String] = []
    func take(_ text: String) { lock.withLock { texts.append(text) } }
    var all: [String] { lock.withLock { texts } }
}
