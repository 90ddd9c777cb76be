import AVFoundation
import Foundation
import Pipeline
import Synchronization
import TestSupport
import Testing

@testable import AVFAssets
@testable import AVFCapture

@Suite("An asset writer")
struct AssetWriterTests {
    private static var settings: [String: Any] { [AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 16, AVVideoHeightKey: 16] }
    private static var sound: [String: Any] { [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1] }
    private static let url = URL(fileURLWithPath: "/nowhere/movie.mov")

    private static func environment(_ movie: FakeMovie) -> CaptureEnvironment {
        var environment = CaptureEnvironment(cameras: [], renderer: nil) { _ in throw Refused() }
        environment.openMovie = { _, _ in movie }
        return environment
    }

    private struct Refused: Error {}

    private static func picture(_ luma: UInt8, at time: CMTime) throws -> CMSampleBuffer {
        let image = CVPixelBuffer(width: 16, height: 16, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        for y in 0..<16 { image.plane(0).row(y, as: UInt8.self).update(repeating: luma, count: 16) }
        return CMSampleBuffer(
            imageBuffer: image, formatDescription: CMFormatDescription(of: image),
            timing: CMSampleTimingInfo(duration: CMTime(value: 1, timescale: 30), presentationTimeStamp: time, decodeTimeStamp: .invalid))
    }

    private static func silence(_ count: Int, at time: CMTime) -> CMSampleBuffer? {
        let sound = Sound(presentationTime: time, sampleRate: 48_000, layout: .mono, samples: [Float](repeating: 0.25, count: count))
        return CMSampleBuffer(sound, format: CMFormatDescription(linearPCM: 48_000, layout: kAudioChannelLayoutTag_Mono))
    }

    @Test("refuses, allows and moves on in each of its states")
    func states() async throws {
        let movie = FakeMovie()
        try await CaptureEnvironment.$scoped.withValue(Self.environment(movie)) {
            let writer = try AVAssetWriter(outputURL: Self.url, fileType: .mov)
            let input = AVAssetWriterInput(mediaType: .video, outputSettings: Self.settings)
            let sample = try Self.picture(50, at: .zero)
            func reasons(_ body: () throws -> Void) rethrows -> [CaptureEnvironment.Violation.Name] {
                try CaptureEnvironment.violations(in: body).map(\.name)
            }
            #expect(writer.status == .unknown && writer.canAdd(input))
            #expect(reasons { input.append(sample) } == [.internalInconsistency])
            #expect(reasons { writer.startSession(atSourceTime: .zero) } == [.internalInconsistency])
            writer.add(input)
            #expect(reasons { writer.add(input) } == [.invalidArgument] && !input.isReadyForMoreMediaData)
            #expect(!writer.canAdd(AVAssetWriterInput(mediaType: .video, outputSettings: Self.settings)))
            #expect(writer.startWriting() && writer.status == .writing && input.isReadyForMoreMediaData)
            #expect(reasons { writer.startWriting() } == [.internalInconsistency])
            #expect(reasons { input.transform = .identity } == [.internalInconsistency])
            #expect(reasons { input.append(sample) } == [.internalInconsistency])
            writer.startSession(atSourceTime: CMTime(value: 10, timescale: 30))
            for index in 8..<14 { #expect(input.append(try Self.picture(UInt8(index), at: CMTime(value: Int64(index), timescale: 30)))) }
            input.markAsFinished()
            #expect(reasons { input.append(sample) } == [.internalInconsistency] && !input.isReadyForMoreMediaData)
            await writer.finishWriting()
            #expect(writer.status == .completed && writer.error == nil && !input.append(sample))
            #expect(movie.all.isFinished && movie.all.lumas == [10, 11, 12, 13])
            #expect(movie.all.times == (0..<4).map { CMTime(value: $0, timescale: 30) })
        }
    }

    @Test("shows what was shown when its session begins, until the next picture or, without one, the end")
    func lead() async throws {
        func lumas(_ frames: [Int64], end: Int64) async throws -> (lumas: [UInt8], times: [CMTime]) {
            let movie = FakeMovie()
            return try await CaptureEnvironment.$scoped.withValue(Self.environment(movie)) {
                let writer = try AVAssetWriter(outputURL: Self.url, fileType: .mov)
                let input = AVAssetWriterInput(mediaType: .video, outputSettings: Self.settings)
                writer.add(input)
                writer.startWriting()
                writer.startSession(atSourceTime: CMTime(value: 19, timescale: 60))
                for frame in frames { input.append(try Self.picture(UInt8(frame), at: CMTime(value: frame, timescale: 30))) }
                writer.endSession(atSourceTime: CMTime(value: end, timescale: 30))
                await writer.finishWriting()
                #expect(writer.status == .completed)
                return (movie.all.lumas, movie.all.times)
            }
        }
        let moved = try await lumas([8, 9, 10, 11], end: 12)
        #expect(moved.lumas == [9, 10, 11] && moved.times == [0, 1, 3].map { CMTime(value: $0, timescale: 60) })
        let alone = try await lumas([8, 9], end: 12)
        #expect(alone.lumas == [9] && alone.times == [.zero])
    }

    @Test("writes pictures beside their sound: one that is ahead waits, until the other is finished")
    func interleaving() async throws {
        let movie = FakeMovie()
        try await CaptureEnvironment.$scoped.withValue(Self.environment(movie)) {
            let writer = try AVAssetWriter(outputURL: Self.url, fileType: .mov)
            let pictures = AVAssetWriterInput(mediaType: .video, outputSettings: Self.settings)
            let sound = AVAssetWriterInput(mediaType: .audio, outputSettings: Self.sound)
            writer.add(pictures)
            writer.add(sound)
            writer.startWriting()
            writer.startSession(atSourceTime: .zero)
            var next = 0
            while pictures.isReadyForMoreMediaData {
                pictures.append(try Self.picture(1, at: CMTime(value: Int64(next), timescale: 30)))
                next += 1
            }
            #expect(next == 16 && movie.all.times.isEmpty)
            sound.append(try #require(Self.silence(12_000, at: .zero)))
            #expect(movie.all.times.count == 8 && movie.all.sounds.map(\.sampleCount) == [12_000] && pictures.isReadyForMoreMediaData)
            sound.markAsFinished()
            #expect(movie.all.times.count == 15)
            await writer.finishWriting()
            #expect(movie.all.times.count == 16)
            #expect(writer.status == .completed)
        }
    }

    @Test("asks for samples whenever it is ready, until the input is finished")
    func request() async throws {
        let movie = FakeMovie()
        try await CaptureEnvironment.$scoped.withValue(Self.environment(movie)) {
            let writer = try AVAssetWriter(outputURL: Self.url, fileType: .mov)
            let input = AVAssetWriterInput(mediaType: .video, outputSettings: Self.settings)
            writer.add(input)
            writer.startWriting()
            writer.startSession(atSourceTime: .zero)
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                let next = Mutex(0)
                input.requestMediaDataWhenReady(on: DispatchQueue(label: "samples")) {
                    while input.isReadyForMoreMediaData {
                        let index = next.withLock { next in
                            next += 1
                            return next - 1
                        }
                        guard index < 100, let sample = try? Self.picture(2, at: CMTime(value: Int64(index), timescale: 30)) else {
                            input.markAsFinished()
                            return done.resume()
                        }
                        input.append(sample)
                    }
                }
            }
            await writer.finishWriting()
            #expect(movie.all.times.count == 100)
        }
    }

    private struct Weak: Sendable {
        weak var input: AVAssetWriterInput?
    }

    /// Input of a writer that has ended so; the app's block holds it.
    private static func asked(_ end: AVAssetWriter.Status) async throws -> Weak {
        try await CaptureEnvironment.$scoped.withValue(environment(FakeMovie(failsAt: end == .failed ? 1 : nil))) {
            let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
            let input = AVAssetWriterInput(mediaType: .video, outputSettings: settings)
            writer.add(input)
            writer.startWriting()
            writer.startSession(atSourceTime: .zero)
            input.requestMediaDataWhenReady(on: DispatchQueue(label: "samples")) { _ = input.isReadyForMoreMediaData }
            for index in 0..<4 where input.isReadyForMoreMediaData { input.append(try picture(1, at: CMTime(value: Int64(index), timescale: 30))) }
            if end == .cancelled { writer.cancelWriting() } else { await writer.finishWriting() }
            #expect(writer.status == end)
            return Weak(input: input)
        }
    }

    @Test("lets go of its inputs though the app's block holds them", arguments: [AVAssetWriter.Status.completed, .cancelled, .failed])
    func lifetimes(end: AVAssetWriter.Status) async throws {
        let ended = try await Self.asked(end)
        #expect(eventually { ended.input == nil })
    }

    @Test("fails with the error of the file, and takes no more; cancelled it leaves none")
    func failures() async throws {
        let broken = FakeMovie(failsAt: 2)
        try await CaptureEnvironment.$scoped.withValue(Self.environment(broken)) {
            let writer = try AVAssetWriter(outputURL: Self.url, fileType: .mov)
            let input = AVAssetWriterInput(mediaType: .video, outputSettings: Self.settings)
            writer.add(input)
            writer.startWriting()
            writer.startSession(atSourceTime: .zero)
            for index in 0..<4 { input.append(try Self.picture(1, at: CMTime(value: Int64(index), timescale: 30))) }
            #expect(writer.status == .failed && (writer.error as? AVError)?.code == .diskFull && !input.isReadyForMoreMediaData)
            #expect(!input.append(try Self.picture(1, at: CMTime(value: 5, timescale: 30))) && broken.all.isCancelled)
            await writer.finishWriting()
            #expect(writer.status == .failed)
        }
        let movie = FakeMovie()
        try CaptureEnvironment.$scoped.withValue(Self.environment(movie)) {
            let writer = try AVAssetWriter(outputURL: Self.url, fileType: .mov)
            let input = AVAssetWriterInput(mediaType: .video, outputSettings: Self.settings)
            writer.add(input)
            writer.startWriting()
            writer.startSession(atSourceTime: .zero)
            input.append(try Self.picture(1, at: .zero))
            writer.cancelWriting()
            #expect(writer.status == .cancelled && movie.all.isCancelled)
        }
    }

    @Test("names what it lacks where no movie can be written or read, and settings that mean nothing")
    func light() async throws {
        try await CaptureEnvironment.$scoped.withValue(CaptureEnvironment(cameras: [], renderer: nil) { _ in throw Refused() }) {
            let writer = try AVAssetWriter(outputURL: Self.url, fileType: .mov)
            writer.add(AVAssetWriterInput(mediaType: .video, outputSettings: Self.settings))
            #expect(!writer.startWriting() && writer.error?.localizedDescription.contains("RackfocusKit") == true)
            let error = await #expect(throws: AVError.self) { try await AVURLAsset(url: Self.url).load(.duration) }
            #expect(error?.localizedDescription.contains("CaptureEnvironment.openAsset") == true)
            let violations = CaptureEnvironment.violations {
                _ = AVAssetWriterInput(mediaType: .video, outputSettings: [AVVideoCodecKey: "avc1", AVVideoWidthKey: 15, AVVideoHeightKey: 16])
            }
            #expect(violations.map(\.name) == [.invalidArgument])
            #expect(writer.canApply(outputSettings: nil, forMediaType: .video) && !writer.canApply(outputSettings: nil, forMediaType: .metadata))
            #expect(writer.canApply(outputSettings: Self.sound, forMediaType: .audio))
            let odd = try AVAssetWriter(outputURL: URL(fileURLWithPath: "/nowhere/movie.mp4"), fileType: .mp4)
            let prores: [String: Any] = [AVVideoCodecKey: AVVideoCodecType.proRes422, AVVideoWidthKey: 16, AVVideoHeightKey: 16]
            #expect(!odd.canApply(outputSettings: prores, forMediaType: .video))
        }
    }
}
