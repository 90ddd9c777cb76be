import AVFoundation
import CinematicClient
import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Synchronization
import TestSupport
import Testing
import UniformTypeIdentifiers

@testable import RackfocusKit

/// Runs a client that imports Apple's names alone: a recorder over the data outputs, and a reader of what it wrote.
@Suite("A movie that an app writes from samples")
struct AssetWriterClientTests {
    @Test("has every picture of the video data output at its time, and the sound beside them", arguments: [AVVideoCodecType.h264, .hevc])
    func recorded(_ codec: AVVideoCodecType) async throws {
        let scratch = try Scratch()
        let url = URL(fileURLWithPath: scratch("movie.mov"))
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.stage()) {
            let recorder = try await SampleRecorder.record(to: url, codec: codec)
            #expect(recorder.appendedTimes.count == 40 && recorder.droppedCount == 0)
            let (size, rate, seconds, hasSound) = try await MovieTools.summary(of: url)
            #expect(size == CGSize(width: 128, height: 72) && abs(rate - 29.97) < 0.001 && abs(seconds - 1.335) < 0.05 && hasSound)
            let first = try #require(recorder.appendedTimes.first)
            let pictures = try await MovieTools.pictures(of: url, format: kCVPixelFormatType_32BGRA)
            #expect(pictures.map(\.time) == recorder.appendedTimes.map { $0 - first })
            if Probe.isInstalled {
                let probed = try Probe.packets(url.path).compactMap { Double($0.pts_time) }.sorted()
                #expect(zip(probed, recorder.appendedTimes).allSatisfy { abs($0 - ($1 - first).seconds) < 1e-5 } && probed.count == 40)
            }
            let sound = try await MovieTools.sound(of: url)
            let heard = try #require(try await AVURLAsset(url: url).loadTracks(withMediaType: .audio).first).timeRange
            #expect(heard == CMTimeRange(start: .zero, duration: CMTime(value: CMTimeValue(sound.samples.count), timescale: 48_000)))
            #expect(sound.samples.count > 48_000 && (sound.samples.map(abs).max() ?? 0) > 0.05)
            let part = CMTimeRange(start: CMTime(value: 1, timescale: 2), duration: CMTime(value: 1, timescale: 5))
            let middle = try await MovieTools.pictures(of: url, in: part, format: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
            #expect(middle.count == 7 && middle[0].time <= part.start && middle.allSatisfy { $0.time < part.end })
            let cut = try await MovieTools.sound(of: url, in: part)
            #expect(cut.time == part.start && cut.samples.count == 9600)
        }
    }

    @Test("by ProRes, H.264 or HEVC, from BGRA or video range, at another size, reads back as the same pictures")
    func codings() async throws {
        let scratch = try Scratch()
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.files()) {
            let gray = (0..<6).map { index -> (time: CMTime, image: CVPixelBuffer) in
                let image = CVPixelBuffer(width: 64, height: 36, pixelFormat: kCVPixelFormatType_32BGRA)
                for y in 0..<36 {
                    let row = image.plane(0).row(y, as: UInt8.self)
                    for x in 0..<64 { for c in 0..<4 { row[4 * x + c] = c == 3 ? 255 : UInt8(40 + index * 20) } }
                }
                return (CMTime(value: Int64(index), timescale: 25), image)
            }
            let cases: [(AVVideoCodecType, Int, String)] = [(.proRes422, 64, "a.mov"), (.h264, 64, "b.mp4"), (.hevc, 32, "c.mov")]
            for (codec, width, name) in cases {
                let url = URL(fileURLWithPath: scratch(name))
                let settings: [String: Any] = [
                    AVVideoCodecKey: codec, AVVideoWidthKey: width, AVVideoHeightKey: width * 9 / 16,
                    AVVideoCompressionPropertiesKey: [AVVideoQualityKey: 0.9],
                ]
                let writer = try await MovieTools.write(gray, to: url, fileType: name.hasSuffix("mp4") ? .mp4 : .mov, settings: settings)
                #expect(writer.status == .completed, "\(String(describing: writer.error))")
                let read = try await MovieTools.pictures(of: url, format: kCVPixelFormatType_32BGRA)
                #expect(read.map(\.time) == gray.map(\.time), "\(name)")
                for (index, picture) in read.enumerated() {
                    let value = Int(picture.image.plane(0).row(8, as: UInt8.self)[32])
                    #expect(picture.image.size.width == width && abs(value - (40 + index * 20)) <= 3, "\(name): \(value)")
                }
            }
        }
    }

    @Test("by H.264 keeps eight of the ten bits of a camera's pictures, at their size or another", arguments: [64, 32])
    func eightBits(width: Int) async throws {
        let scratch = try Scratch()
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.files()) {
            let image = CVPixelBuffer(width: 64, height: 36, pixelFormat: kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange)
            for plane in 0..<2 {
                for y in 0..<image.plane(plane).height {
                    let row = image.plane(plane).row(y, as: UInt16.self)
                    for x in 0..<64 { row[x] = UInt16(plane == 0 ? 200 + 8 * x : 512) << 6 }
                }
            }
            let url = scratch.url.appending(path: "eight.mov")
            let settings: [String: Any] = [
                AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: width, AVVideoHeightKey: width * 9 / 16,
                AVVideoCompressionPropertiesKey: [AVVideoQualityKey: 1.0],
            ]
            let writer = try await MovieTools.write([(.zero, image)], to: url, settings: settings)
            #expect(writer.status == .completed, "\(String(describing: writer.error))")
            #expect(try #require(AVURLAsset(url: url).tracks.first).track.pixelFormat == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
            let read = try #require(try await MovieTools.pictures(of: url, format: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange).first)
            let row = read.image.plane(0).row(4, as: UInt8.self)
            for x in 2..<width - 2 {
                let (step, first) = (64 / width, Double(64 / width - 1) / 2)
                let wanted = 50 + 2 * (Double(step * x) + first)
                #expect(abs(Double(row[x]) - wanted) <= 2, "\(x): \(row[x]), not \(wanted)")
            }
        }
    }

    private final class Parts: NSObject, AVAssetWriterDelegate {
        let all = Mutex<[(data: Data, type: AVAssetSegmentType, report: AVAssetSegmentReport?)]>([])
        func assetWriter(
            _ writer: AVAssetWriter, didOutputSegmentData segmentData: Data, segmentType: AVAssetSegmentType, segmentReport: AVAssetSegmentReport?
        ) { all.withLock { $0.append((segmentData, segmentType, segmentReport)) } }
    }

    @Test("comes in segments, each of which begins with a key frame, and which are a movie one after the other", arguments: [false, true])
    func segments(flushes: Bool) async throws {
        let scratch = try Scratch()
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.files()) {
            let (writer, parts) = (AVAssetWriter(contentType: try #require(UTType(AVFileType.mp4.rawValue))), Parts())
            writer.outputFileTypeProfile = .mpeg4AppleHLS
            writer.preferredOutputSegmentInterval = flushes ? .indefinite : CMTime(value: 1, timescale: 1)
            writer.initialSegmentStartTime = CMTime(value: 10, timescale: 1)
            writer.delegate = parts
            let pictures = AVAssetWriterInput(
                mediaType: .video, outputSettings: [AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 64, AVVideoHeightKey: 36])
            let sound = AVAssetWriterInput(
                mediaType: .audio, outputSettings: [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1])
            for input in [pictures, sound] { writer.add(input) }
            let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: pictures, sourcePixelBufferAttributes: nil)
            #expect(writer.startWriting())
            writer.startSession(atSourceTime: CMTime(value: 10, timescale: 1))
            for index in 0..<75 {
                let time = CMTime(value: 250 + Int64(index), timescale: 25)
                let image = CVPixelBuffer(width: 64, height: 36, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
                memset(image.plane(0).base, Int32(40 + 2 * index), image.plane(0).bytesPerRow * 36)
                let tone = try MovieTools.sample(of: [Int16](repeating: 3000, count: 1920), rate: 48_000, layout: kAudioChannelLayoutTag_Mono)
                let timing = CMSampleTimingInfo(duration: CMTime(value: 1, timescale: 48_000), presentationTimeStamp: time, decodeTimeStamp: .invalid)
                while !(pictures.isReadyForMoreMediaData && sound.isReadyForMoreMediaData) { try await Task.sleep(for: .milliseconds(1)) }
                sound.append(try CMSampleBuffer(copying: tone, withNewTiming: [timing]))
                adaptor.append(image, withPresentationTime: time)
                if flushes, index == 20 { writer.flushSegment() }
            }
            await writer.finishWriting()
            #expect(writer.status == .completed, "\(String(describing: writer.error))")
            let all = parts.all.withLock { $0 }
            #expect(all.map(\.type) == [.initialization] + [AVAssetSegmentType](repeating: .separable, count: flushes ? 2 : 3))
            #expect(all.first?.report == nil && all.dropFirst().allSatisfy { $0.report?.trackReports.map(\.mediaType) == [.video, .audio] })
            try Data(all.map(\.data).joined()).write(to: URL(fileURLWithPath: scratch("all.mp4")))
            let (_, _, seconds, hasSound) = try await MovieTools.summary(of: URL(fileURLWithPath: scratch("all.mp4")))
            #expect(hasSound && abs(seconds - 3) < 0.1)
            let format = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
            let whole = try await MovieTools.pictures(of: URL(fileURLWithPath: scratch("all.mp4")), format: format)
            #expect(whole.map(\.time) == (0..<75).map { CMTime(value: $0, timescale: 25) })
            guard !flushes else { return }
            for (number, part) in all.dropFirst().enumerated() {
                #expect(part.report?.trackReports.first?.earliestPresentationTimeStamp == CMTime(value: Int64(number), timescale: 1))
                #expect(part.report?.trackReports.first?.duration == CMTime(value: 1, timescale: 1))
                #expect(part.data.dropFirst(4).prefix(4).elementsEqual("moof".utf8))
            }
            let asset = AVURLAsset(url: URL(fileURLWithPath: scratch("all.mp4")))
            let track = try #require(try await asset.loadTracks(withMediaType: .video).first)
            let samples = try withExtendedLifetime(asset) { try MovieTools.stored(track) }
            let keys = samples.filter { $0.sampleAttachments.first?[.notSync] as? Bool != true }.map {
                Int(($0.presentationTimeStamp.seconds * 25).rounded())
            }
            #expect(samples.count == 75 && Set(keys).isSuperset(of: [0, 25, 50]) && keys.count < 10)
        }
    }

    @Test("whose file is there already, is no movie or cannot be read is refused by name")
    func refusals() async throws {
        let scratch = try Scratch()
        try scratch.write("no movie", to: "text.mov")
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.files()) {
            let text = URL(fileURLWithPath: scratch("text.mov"))
            let settings: [String: Any] = [AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 64, AVVideoHeightKey: 36]
            let writer = try AVAssetWriter(outputURL: text, fileType: .mov)
            writer.add(AVAssetWriterInput(mediaType: .video, outputSettings: settings))
            #expect(!writer.startWriting() && writer.status == .failed)
            #expect((writer.error as? AVError)?.code == .fileAlreadyExists)
            #expect(try scratch.text("text.mov") == "no movie")
            let unknown = await #expect(throws: AVError.self) { try await AVURLAsset(url: text).load(.duration) }
            #expect(unknown?.code == .fileFormatNotRecognized)
            let missing = await #expect(throws: (any Error).self) {
                try await AVURLAsset(url: URL(fileURLWithPath: scratch("none.mov"))).load(.tracks)
            }
            #expect((missing as? NSError)?.domain == NSURLErrorDomain)
        }
    }
}
