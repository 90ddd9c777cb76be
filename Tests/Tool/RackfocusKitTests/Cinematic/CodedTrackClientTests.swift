import AVFoundation
import CinematicClient
import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import RackfocusKit

/// Runs a client that imports Apple's names alone, over real files.
@Suite("An app's movie of coded samples and timed metadata")
struct CodedTrackClientTests {
    /// Records the scripted take: 40 pictures and the microphone.
    private static func record(to url: URL, _ codec: AVVideoCodecType) async throws {
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.stage()) { _ = try await SampleRecorder.record(to: url, codec: codec) }
    }

    private static func pictures(_ count: Int) -> [(time: CMTime, image: CVPixelBuffer)] {
        (0..<count).map { index in
            let image = CVPixelBuffer(width: 32, height: 18, pixelFormat: kCVPixelFormatType_32BGRA)
            for y in 0..<18 { image.plane(0).row(y, as: UInt8.self).update(repeating: UInt8(20 + index * 7), count: 128) }
            return (CMTime(value: Int64(index), timescale: 25), image)
        }
    }

    private static func bytes(_ image: CVPixelBuffer) -> [UInt8] {
        (0..<image.plane(0).height).flatMap { y in UnsafeBufferPointer(start: image.plane(0).row(y, as: UInt8.self), count: image.plane(0).width) }
    }

    private static var settings: [String: Any] { [AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 32, AVVideoHeightKey: 18] }

    @Test("passes pictures and sound through to the byte, to MOV and MP4", arguments: [AVVideoCodecType.h264, .hevc])
    func passThrough(_ codec: AVVideoCodecType) async throws {
        let scratch = try Scratch()
        let original = URL(fileURLWithPath: scratch("take.mov"))
        try await Self.record(to: original, codec)
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.files()) {
            for (name, type) in [("copy.mov", AVFileType.mov), ("copy.mp4", .mp4)] {
                let copy = URL(fileURLWithPath: scratch(name))
                let writer = try await MovieTools.passThrough(original, to: copy, fileType: type)
                #expect(writer.status == .completed, "\(String(describing: writer.error))")
                for kind in [AVMediaType.video, .audio] {
                    let (from, to) = (try await MovieTools.stored(kind, of: original), try await MovieTools.stored(kind, of: copy))
                    #expect(from.count > 38 && from.map(\.data) == to.map(\.data), "\(name) \(kind.rawValue)")
                    #expect(zip(from, to).allSatisfy { abs(($0.time - $1.time).seconds) < 1e-5 }, "\(name) \(kind.rawValue)")
                }
                let (first, second) = (try await MovieTools.sound(of: original), try await MovieTools.sound(of: copy))
                #expect(first.time == second.time && first.samples == second.samples)
                let format = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
                let (seen, shown) = (
                    try await MovieTools.pictures(of: original, format: format), try await MovieTools.pictures(of: copy, format: format)
                )
                #expect(seen.map(\.time) == shown.map(\.time))
                #expect(zip(seen, shown).allSatisfy { Self.bytes($0.image) == Self.bytes($1.image) })
                if Probe.isInstalled { #expect(try Probe.packets(copy.path).count == 40) }
            }
        }
    }

    @Test("begins a passed-through movie at the session's start, with the pictures that a decoder needs ahead of it")
    func start() async throws {
        let scratch = try Scratch()
        let (original, copy) = (URL(fileURLWithPath: scratch("take.mov")), URL(fileURLWithPath: scratch("copy.mov")))
        try await Self.record(to: original, .h264)
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.files()) {
            let format = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
            let all = try await MovieTools.pictures(of: original, format: format)
            let start = all[10].time
            _ = try await MovieTools.passThrough(original, to: copy, fileType: .mov, from: start)
            let range = CMTimeRange(start: .zero, duration: .positiveInfinity)
            let rest = try await MovieTools.pictures(of: copy, in: range, format: format).filter { $0.time >= .zero }
            #expect(rest.count == 30)
            #expect(zip(rest, all[10...]).allSatisfy { Self.bytes($0.image) == Self.bytes($1.image) })
            #expect(zip(rest, all[10...]).allSatisfy { abs(($0.time + start - $1.time).seconds) < 1e-4 })
            let (whole, part) = (try await MovieTools.sound(of: original), try await MovieTools.sound(of: copy))
            let lost = Int((start.seconds * 48_000).rounded())
            #expect(abs(whole.samples.count - lost - part.samples.count) <= 2)
        }
    }

    @Test("keeps timed metadata under their names, types and times, as QuickTime codes them")
    func metadata() async throws {
        let scratch = try Scratch()
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.files()) {
            for (name, isInFragments) in [("a.mov", false), ("b.mov", true)] {
                let url = URL(fileURLWithPath: scratch(name))
                func place(_ text: String) -> AVMetadataItem {
                    MovieTools.item(
                        kCMMetadataIdentifier_QuickTimeMetadataLocation_ISO6709 as String,
                        kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709 as String,
                        NSString(string: text))
                }
                let level = MovieTools.item("mdta/org.example.level", kCMMetadataBaseDataType_Float32 as String, NSNumber(value: Float(-3.25)))
                let turn = MovieTools.item(
                    kCMMetadataIdentifier_QuickTimeMetadataVideoOrientation as String, kCMMetadataBaseDataType_SInt16 as String,
                    NSNumber(value: Int16(6)))
                func time(_ frames: Int64) -> CMTime { CMTime(value: frames, timescale: 25) }
                let groups = [
                    AVTimedMetadataGroup(items: [place("+48.2+16.4/"), turn], timeRange: CMTimeRange(start: time(2), duration: time(3))),
                    AVTimedMetadataGroup(items: [place("+48.3+16.5/"), level], timeRange: CMTimeRange(start: time(7), duration: .invalid)),
                    AVTimedMetadataGroup(items: [place("+48.4+16.6/")], timeRange: CMTimeRange(start: time(10), duration: .invalid)),
                ]
                let every = AVTimedMetadataGroup(items: [place(""), turn, level], timeRange: .invalid)
                let input = AVAssetWriterInput(mediaType: .metadata, outputSettings: nil, sourceFormatHint: every.copyFormatDescription())
                let adaptor = AVAssetWriterInputMetadataAdaptor(assetWriterInput: input)
                let pictures = AVAssetWriterInput(mediaType: .video, outputSettings: Self.settings)
                let buffers = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: pictures)
                let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
                if isInFragments { writer.movieFragmentInterval = CMTime(value: 1, timescale: 10) }
                writer.add(pictures)
                writer.add(input)
                #expect(writer.startWriting())
                writer.startSession(atSourceTime: .zero)
                var rest = groups
                for picture in Self.pictures(20) {
                    if rest.first?.timeRange.start == picture.time { #expect(adaptor.append(rest.removeFirst())) }
                    #expect(buffers.append(picture.image, withPresentationTime: picture.time))
                }
                let stranger = MovieTools.item("mdta/org.example.other", kCMMetadataBaseDataType_UTF8 as String, NSString(string: "x"))
                let violations = CaptureEnvironment.violations {
                    _ = adaptor.append(AVTimedMetadataGroup(items: [stranger], timeRange: CMTimeRange(start: time(19), duration: .invalid)))
                }
                #expect(violations.map(\.name) == [.invalidArgument] && violations.first?.reason.contains("org.example.other") == true)
                await writer.finishWriting()
                #expect(writer.status == .completed, "\(String(describing: writer.error))")

                let read = try await MovieTools.groups(of: url)
                #expect(read.map { $0.timeRange.start } == [0, 2, 5, 7, 10].map { time($0) })
                #expect(read.prefix(4).map { $0.timeRange.end } == [2, 5, 7, 10].map { time($0) })
                #expect(read.last.map { $0.timeRange.end >= time(19) } == true)
                #expect(read.map { $0.items.count } == [0, 2, 0, 2, 1])
                let values = read.flatMap(\.items).map { "\($0.identifier?.rawValue ?? "") \($0.stringValue ?? "")" }
                #expect(
                    values == [
                        "mdta/com.apple.quicktime.location.ISO6709 +48.2+16.4/", "mdta/com.apple.quicktime.video-orientation 6",
                        "mdta/com.apple.quicktime.location.ISO6709 +48.3+16.5/", "mdta/org.example.level -3.25",
                        "mdta/com.apple.quicktime.location.ISO6709 +48.4+16.6/",
                    ])
                #expect(try await MovieTools.pictures(of: url, format: kCVPixelFormatType_32BGRA).count == 20)
                let track = try #require(try await AVURLAsset(url: url).loadTracks(withMediaType: .metadata).first)
                #expect(try await track.load(.formatDescriptions).first?.identifiers == every.copyFormatDescription()?.identifiers)
                if Probe.isInstalled {
                    let tags = try Probe.codecTags(url.path)
                    #expect(tags == ["avc1", "mebx"])
                }
            }
        }
    }

    @Test("ends where the session does: the last picture longer, or pictures and sound cut off")
    func end() async throws {
        let scratch = try Scratch()
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.files()) {
            for (name, frames, count, interval) in [("long.mov", Int64(40), 20, 0.0), ("short.mp4", 12, 12, 0), ("parts.mov", 12, 12, 0.1)] {
                let url = URL(fileURLWithPath: scratch(name))
                let writer = try AVAssetWriter(outputURL: url, fileType: name.hasSuffix("mp4") ? .mp4 : .mov)
                let pictures = AVAssetWriterInput(mediaType: .video, outputSettings: Self.settings)
                let buffers = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: pictures)
                let sound = AVAssetWriterInput(
                    mediaType: .audio, outputSettings: [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1])
                if interval > 0 { writer.movieFragmentInterval = CMTime(seconds: interval, preferredTimescale: 600) }
                writer.add(pictures)
                writer.add(sound)
                #expect(writer.startWriting())
                writer.startSession(atSourceTime: .zero)
                let tone = (0..<38_400).map { Int16(8000 * sin(Double($0) / 20)) }
                #expect(sound.append(try MovieTools.sample(of: tone, rate: 48_000, layout: kAudioChannelLayoutTag_Mono)))
                for picture in Self.pictures(20) { #expect(buffers.append(picture.image, withPresentationTime: picture.time)) }
                let end = CMTime(value: frames, timescale: 25)
                writer.endSession(atSourceTime: end)
                await writer.finishWriting()
                #expect(writer.status == .completed, "\(name): \(String(describing: writer.error))")
                let (_, _, seconds, _) = try await MovieTools.summary(of: url)
                #expect(abs(seconds - end.seconds) < 0.001, "\(name): \(seconds)")
                #expect(try await MovieTools.pictures(of: url, format: kCVPixelFormatType_32BGRA).count == count, "\(name)")
                let samples = try await MovieTools.sound(of: url).samples.count
                #expect(abs(samples - min(38_400, Int(end.seconds * 48_000))) <= 1024, "\(name): \(samples)")
                if Probe.isInstalled {
                    let probed = try Probe.seconds(url.path)
                    #expect(abs(probed - end.seconds) < 0.002, "\(name): \(probed)")
                }
            }
        }
    }

    @Test("passes the microphone's samples through as they are, and says what cannot be passed through")
    func others() async throws {
        let scratch = try Scratch()
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.files()) {
            let url = URL(fileURLWithPath: scratch("sound.mov"))
            let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
            let input = AVAssetWriterInput(mediaType: .audio, outputSettings: nil)
            writer.add(input)
            #expect(writer.startWriting())
            writer.startSession(atSourceTime: .zero)
            let tone = (0..<8820).map { Int16($0 % 64 * 128) }
            #expect(input.append(try MovieTools.sample(of: tone, rate: 44_100, layout: kAudioChannelLayoutTag_Stereo)))
            await writer.finishWriting()
            #expect(writer.status == .completed, "\(String(describing: writer.error))")
            let read = try await MovieTools.sound(of: url)
            #expect(read.samples == tone.map { Float($0) / 32_768 })
            let track = try #require(try await AVURLAsset(url: url).loadTracks(withMediaType: .audio).first)
            #expect(try await track.load(.formatDescriptions).first?.audioStreamBasicDescription?.mBitsPerChannel == 16)

            let mp4 = try AVAssetWriter(outputURL: URL(fileURLWithPath: scratch("no.mp4")), fileType: .mp4)
            #expect(!mp4.canAdd(AVAssetWriterInput(mediaType: .video, outputSettings: nil)))
            let raw = try AVAssetWriter(outputURL: URL(fileURLWithPath: scratch("raw.mov")), fileType: .mov)
            let pixels = AVAssetWriterInput(mediaType: .video, outputSettings: nil)
            raw.add(pixels)
            #expect(raw.startWriting())
            raw.startSession(atSourceTime: .zero)
            let (time, image) = Self.pictures(1)[0]
            let picture = CMSampleBuffer(
                imageBuffer: image, formatDescription: CMFormatDescription(of: image),
                timing: CMSampleTimingInfo(duration: .invalid, presentationTimeStamp: time, decodeTimeStamp: .invalid))
            #expect(CaptureEnvironment.violations { pixels.append(picture) }.map(\.name) == [.invalidArgument])
            #expect(CaptureEnvironment.violations { _ = AVAssetWriterInput(mediaType: .metadata, outputSettings: nil) }.count == 1)
        }
    }
}
