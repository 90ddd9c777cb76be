import AVFoundation
import Foundation
import MovieSupport
import Pipeline
import Testing

@testable import AVFAssets

@Suite("An asset reader")
struct AssetReaderTests {
    /// Movie of ten pictures and as much sound as lies beside them, without a file.
    private static func movie(failsAt: Int? = nil) -> DrawnMovie {
        let range = CMTimeRange(start: .zero, duration: CMTime(value: 1, timescale: 3))
        return DrawnMovie(
            10, each: CMTime(value: 1, timescale: 30), width: 16, height: 8, sound: range,
            metadata: ["com.apple.quicktime.title": "Ten", "encoder": "x"]
        ) { index, coding in
            if index == failsAt { throw Damaged() }
            switch coding {
            case .sound(let reading):
                let samples = [Float](repeating: 0.5, count: reading.sampleRate / 30)
                return .sound(Sound(presentationTime: .zero, sampleRate: reading.sampleRate, layout: .mono, samples: samples))
            case .pictures(let format): return .picture(CVPixelBuffer(width: 16, height: 8, pixelFormat: format))
            case .stored, .cinematic: return .data(Data([UInt8(index)]), isSync: index == 0)
            }
        }
    }

    private struct Damaged: MediaFailure, CustomStringConvertible {
        var kind: MediaFailureKind { .damaged }
        var description: String { "damaged" }
    }

    private static func asset(_ file: DrawnMovie = movie()) -> AVAsset {
        var environment = CaptureEnvironment(cameras: [], renderer: nil) { _ in throw Damaged() }
        environment.openAsset = { _ in file }
        return CaptureEnvironment.$scoped.withValue(environment) { AVAsset(url: URL(fileURLWithPath: "/nowhere/ten.mov")) }
    }

    @Test("reads ranges again one after the other where random access is wanted, and ends when no more are to come")
    func randomAccess() throws {
        let asset = Self.asset()
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: asset.tracks[0], outputSettings: nil)
        output.supportsRandomAccess = true
        reader.add(output)
        reader.timeRange = CMTimeRange(start: .zero, duration: CMTime(value: 4, timescale: 30))
        reader.startReading()
        func count() -> Int {
            var count = 0
            while output.copyNextSampleBuffer() != nil { count += 1 }
            return count
        }
        #expect(count() == 4 && reader.status == .reading)
        let ranges = [2, 3].map { NSValue(timeRange: CMTimeRange(start: .zero, duration: CMTime(value: $0, timescale: 30))) }
        output.reset(forReadingTimeRanges: ranges)
        #expect(count() == 5 && reader.status == .reading)
        output.markConfigurationAsFinal()
        #expect(output.copyNextSampleBuffer() == nil && reader.status == .completed)
    }

    @Test("has the properties of the file, loaded by name")
    func properties() async throws {
        let asset = Self.asset()
        #expect(asset is AVURLAsset)
        if case .loaded = asset.status(of: .duration) { Issue.record("loaded before it was asked for") }
        let (duration, tracks, metadata) = try await asset.load(.duration, .tracks, .metadata)
        #expect(duration == CMTime(value: 1, timescale: 3) && tracks.map(\.mediaType) == [.video, .audio])
        #expect(metadata.map(\.identifier) == [.quickTimeMetadataTitle] && metadata.first?.commonKey == .commonKeyTitle)
        let (size, transform, rate) = try await tracks[0].load(.naturalSize, .preferredTransform, .nominalFrameRate)
        #expect(size == CGSize(width: 16, height: 8) && rate == 30 && transform == CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 8, ty: 0))
        let formats = try await tracks[1].load(.formatDescriptions)
        #expect(formats[0].audioStreamBasicDescription?.mFormatID == kAudioFormatMPEG4AAC)
        #expect(try await asset.loadTrack(withTrackID: 2) === tracks[1] && asset.tracks(withMediaType: .video).first === tracks[0])
    }

    @Test("refuses, allows and moves on in each of its states")
    func states() throws {
        let asset = Self.asset()
        let reader = try AVAssetReader(asset: asset)
        let track = try #require(asset.tracks(withMediaType: .video).first)
        let pictures = AVAssetReaderTrackOutput(
            track: track, outputSettings: [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA])
        let stored = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
        func names(_ body: () -> Void) -> [CaptureEnvironment.Violation.Name] { CaptureEnvironment.violations(in: body).map(\.name) }
        #expect(names { _ = pictures.copyNextSampleBuffer() } == [.internalInconsistency])
        #expect(reader.canAdd(pictures) && reader.status == .unknown)
        reader.add(pictures)
        reader.add(stored)
        #expect(names { reader.add(pictures) } == [.invalidArgument])
        #expect(reader.startReading() && reader.status == .reading)
        #expect(names { reader.startReading() } == [.internalInconsistency])
        #expect(names { reader.timeRange = .zero } == [.internalInconsistency])
        var times: [CMTime] = []
        while let sample = pictures.copyNextSampleBuffer() {
            #expect(sample.imageBuffer?.format == kCVPixelFormatType_32BGRA)
            times.append(sample.presentationTimeStamp)
        }
        #expect(times.count == 10 && reader.status == .reading)
        let first = try #require(stored.copyNextSampleBuffer())
        #expect(try first.dataBuffer?.dataBytes() == Data([0]) && first.formatDescription?.mediaSubType.rawValue == 0x6176_6331)
        while stored.copyNextSampleBuffer() != nil {}
        #expect(reader.status == .completed && reader.error == nil)
    }

    /// Loading by name, as before properties had types; deprecated, which a witness may call without a warning.
    private protocol Loading {
        static func load(_ asset: AVAsset, _ handler: @escaping @Sendable () -> Void)
        static func state(of asset: AVAsset) -> (AVKeyValueStatus, NSError?)
    }

    private enum OlderLoading: Loading {
        @available(*, deprecated) static func load(_ asset: AVAsset, _ handler: @escaping @Sendable () -> Void) {
            asset.loadValuesAsynchronously(forKeys: ["duration", "tracks"], completionHandler: handler)
        }
        @available(*, deprecated) static func state(of asset: AVAsset) -> (AVKeyValueStatus, NSError?) {
            var error: NSError?
            return (asset.statusOfValue(forKey: "tracks", error: &error), error)
        }
    }

    private func older<L: Loading>(_ loading: L.Type, _ asset: AVAsset) async -> [(AVKeyValueStatus, NSError?)] {
        let before = L.state(of: asset)
        await withCheckedContinuation { done in L.load(asset) { done.resume() } }
        return [before, L.state(of: asset)]
    }

    @Test("properties loaded by name are there once the handler is called, or tell why not")
    func names() async throws {
        let there = await older(OlderLoading.self, Self.asset())
        #expect(there.last?.0 == .loaded && there.last?.1 == nil)
        let missing = await older(OlderLoading.self, AVURLAsset(url: URL(fileURLWithPath: "/nowhere/a.mov")))
        #expect(missing.map(\.0) == [.unknown, .failed] && missing[0].1 == nil && missing[1].1 != nil)
    }

    @Test("ends with a cancellation, with the error of damaged media, and with settings that nothing is decoded to")
    func ends() throws {
        let asset = Self.asset()
        let track = try #require(asset.tracks(withMediaType: .audio).first)
        let cancelled = try AVAssetReader(asset: asset)
        let sound = AVAssetReaderTrackOutput(track: track, outputSettings: [AVFormatIDKey: kAudioFormatLinearPCM])
        cancelled.add(sound)
        cancelled.startReading()
        let heard = try #require(sound.copyNextSampleBuffer())
        #expect(heard.numSamples == 1600 && heard.formatDescription?.audioStreamBasicDescription?.mBitsPerChannel == 16)
        cancelled.cancelReading()
        #expect(sound.copyNextSampleBuffer() == nil && cancelled.status == .cancelled)

        let broken = Self.asset(Self.movie(failsAt: 3))
        let reader = try AVAssetReader(asset: broken)
        let output = AVAssetReaderTrackOutput(track: try #require(broken.tracks.first), outputSettings: [:])
        reader.add(output)
        reader.startReading()
        for _ in 0..<3 { #expect(output.copyNextSampleBuffer() != nil) }
        #expect(output.copyNextSampleBuffer() == nil && reader.status == .failed)
        #expect((reader.error as? AVError)?.code == .fileFailedToParse)

        let strange = try AVAssetReader(asset: asset)
        strange.add(AVAssetReaderTrackOutput(track: track, outputSettings: [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 1000]))
        #expect(!strange.startReading() && (strange.error as? AVError)?.code == .unsupportedOutputSettings)
    }
}
