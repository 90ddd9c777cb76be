import AVFoundation
import CinematicClient
import Foundation
import Media
import Optics
import Pipeline
import Synchronization
import TestSupport
import Testing

@testable import RackfocusKit

/// Grey pictures of 64x36, the next one brighter; at the end nothing more comes, or an error.
private final class GreySource: FrameSource {
    let description = SourceDescription(width: 64, height: 36, frameDuration: CMTime(value: 1, timescale: 30))
    private let next = Mutex(0)
    private let failsAt: Int?

    init(failsAt: Int? = nil) { self.failsAt = failsAt }

    struct Broken: Error {}

    func nextFrame() throws -> Frame? {
        let index = next.withLock { next in
            defer { next += 1 }
            return next
        }
        if index == failsAt { throw Broken() }
        guard index < 90 else { return nil }
        let image = CVPixelBuffer(width: 64, height: 36, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        for y in 0..<36 { image.plane(0).row(y, as: UInt8.self).update(repeating: UInt8(30 + 2 * index), count: 64) }
        for y in 0..<18 { image.plane(1).row(y, as: UInt8.self).update(repeating: 128, count: 64) }
        return Frame(index: index, presentationTime: CMTime(value: Int64(index), timescale: 30), image: image)
    }
}

private final class NoDetector: SubjectDetector {
    func detections(in frame: Frame, disparity: DisparityMap?) throws -> [Detection] { [] }
    func salientObject(at point: CGPoint, in frame: Frame, disparity: DisparityMap?) throws -> Detection? { nil }
}

/// Hears of one recording.
final class Take: NSObject, AVCaptureFileOutputRecordingDelegate, Sendable {
    private let heard = Mutex<(start: CMTime?, error: AVError?)>((nil, nil))
    private let ended = DispatchSemaphore(value: 0)

    func fileOutput(
        _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, startPTS: CMTime, from connections: [AVCaptureConnection]
    ) {
        heard.withLock { $0.start = startPTS }
    }

    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL, from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        heard.withLock { $0.error = error as? AVError }
        ended.signal()
    }

    func end() -> Bool { ended.wait(timeout: .now() + patience) == .success }
    var start: CMTime? { heard.withLock { $0.start } }
    var error: AVError? { heard.withLock { $0.error } }
    var isFileGood: Bool? { error?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool }
}

@Suite("Recordings in real files")
struct RecordingFileTests {
    /// A camera, its session and its movie output; `before` is called ahead of each frame.
    private final class Rig: CaptureObserver, @unchecked Sendable {
        private let wiring = Mutex<(@Sendable (Int, Rig) -> Void)?>(nil)
        private(set) var session: AVCaptureSession!
        private(set) var input: AVCaptureDeviceInput!
        let output: AVCaptureMovieFileOutput
        let environment: CaptureEnvironment
        let take = Take()
        let url: URL

        init(
            _ url: URL, source: GreySource = GreySource(), pixelFormat: String = "420v", freeSpace: Int64? = nil,
            before: @escaping @Sendable (Int, Rig) -> Void
        ) throws {
            var profile = CameraProfile.footage(source.description, name: "grey")
            profile.formats[0].pixelFormat = pixelFormat
            let relay = Relay()
            var environment = CaptureEnvironment(cameras: [profile], renderer: nil, observer: relay) { _ in
                CameraFeed(source: source, detector: NoDetector(), estimator: Flat())
            }.writingFiles()
            if let freeSpace { environment.freeDiskSpace = { _ in freeSpace } }
            self.environment = environment
            self.url = url
            output = CaptureEnvironment.$scoped.withValue(environment) { AVCaptureMovieFileOutput() }
            relay.target = self
            try CaptureEnvironment.$scoped.withValue(environment) {
                session = AVCaptureSession()
                input = try AVCaptureDeviceInput(device: try #require(AVCaptureDevice.default(for: .video)))
                session.addInput(input)
                session.addOutput(output)
            }
            wiring.withLock { $0 = before }
        }

        func willProcess(_ frame: Frame) { wiring.withLock { $0 }?(frame.index, self) }
        func didDecide(_ record: FrameRecord) {}

        func record() { output.startRecording(to: url, recordingDelegate: take) }

        /// Runs until the recording has ended, and gives what the file holds.
        func frames() throws -> [Frame] {
            session.startRunning()
            try #require(take.end(), "the recording did not end")
            session.stopRunning()
            let source = try VideoFileSource(path: url.path)
            var frames: [Frame] = []
            while let frame = try source.nextFrame() { frames.append(frame) }
            return frames
        }
    }

    private final class Relay: CaptureObserver, @unchecked Sendable {
        weak var target: Rig?
        func willProcess(_ frame: Frame) { target?.willProcess(frame) }
        func didDecide(_ record: FrameRecord) {}
    }

    private final class Flat: DisparityEstimator {
        func disparity(of frame: Frame) throws -> DisparityMap {
            let map = CVPixelBuffer(width: 2, height: 2, pixelFormat: kCVPixelFormatType_DisparityFloat32)
            for y in 0..<2 { map.plane(0).row(y, as: Float.self).update(repeating: 0.5, count: 2) }
            return DisparityMap(buffer: map)
        }
    }

    private static func luma(_ frame: Frame) -> Int { Int(frame.image.plane(0).row(18, as: UInt8.self)[32]) }

    enum End: String, CaseIterable {
        case stop, time, size, space, sessionStop, inputRemoved, outputRemoved, interruption, background, unplugged, sourceFails
    }

    @Test("whatever ends a recording, the file holds its frames", arguments: End.allCases)
    func ends(end: End) throws {
        let scratch = try Scratch()
        let source = GreySource(failsAt: end == .sourceFails ? 12 : nil)
        let rig = try Rig(URL(fileURLWithPath: scratch("take.mov")), source: source, freeSpace: end == .space ? 100 : nil) { index, rig in
            if index == 2 { rig.record() }
            guard index == 12 else { return }
            switch end {
            case .stop: rig.output.stopRecording()
            case .sessionStop: rig.session.stopRunning()
            case .inputRemoved: rig.session.removeInput(rig.input)
            case .outputRemoved: rig.session.removeOutput(rig.output)
            case .interruption: rig.environment.conditions.interrupt(.videoDeviceInUseByAnotherClient)
            case .background: rig.environment.conditions.interrupt(.videoDeviceNotAvailableInBackground)
            case .unplugged: rig.environment.conditions.disconnect(rig.input.device.uniqueID)
            case .space: rig.output.minFreeDiskSpaceLimit = 1000
            case .time, .size, .sourceFails: break
            }
        }
        if end == .time { rig.output.maxRecordedDuration = CMTime(value: 1, timescale: 3) }
        if end == .size { rig.output.maxRecordedFileSize = 600 }
        let frames = try rig.frames()
        let code: AVError.Code? =
            switch end {
            case .stop: nil
            case .time: .maximumDurationReached
            case .size: .maximumFileSizeReached
            case .space: .diskFull
            case .sessionStop, .interruption: .sessionWasInterrupted
            case .inputRemoved, .outputRemoved: .sessionConfigurationChanged
            case .background: .deviceIsNotAvailableInBackground
            case .unplugged: .deviceWasDisconnected
            case .sourceFails: .unknown
            }
        #expect(rig.take.error?.code == code && rig.take.isFileGood == (code == nil ? nil : true))
        #expect(rig.take.start == CMTime(value: 2, timescale: 30))
        // A limit on size ends where it ends, and a stop may catch the frame that is about to be written.
        if end == .size { #expect((1..<60).contains(frames.count)) } else { #expect((9...10).contains(frames.count), "\(frames.count) frames") }
        for frame in frames {
            #expect(frame.presentationTime == CMTime(value: Int64(frame.index), timescale: 30))
            #expect(abs(Self.luma(frame) - (34 + 2 * frame.index)) <= 2)
        }
        #expect(try scratch.names == ["take.mov"])
    }

    private static func time(_ frame: Int) -> CMTime { CMTime(value: Int64(frame), timescale: 30) }

    private static func slate(_ text: String, frame: Int) -> AVTimedMetadataGroup {
        let item = MovieTools.item("mdta/org.example.slate", kCMMetadataBaseDataType_UTF8 as String, NSString(string: text))
        return AVTimedMetadataGroup(items: [item], timeRange: CMTimeRange(start: time(frame), duration: .invalid))
    }

    @Test("an app's timed metadata make a track of their own")
    func timedMetadata() async throws {
        let scratch = try Scratch()
        let url = URL(fileURLWithPath: scratch("take.mov"))
        let input = Mutex<AVCaptureMetadataInput?>(nil)
        let rig = try Rig(url) { index, rig in
            switch index {
            case 2: rig.record()
            case 5, 9: #expect(throws: Never.self) { try input.withLock { try $0?.append(Self.slate("at \(index)", frame: index)) } }
            case 14: rig.output.stopRecording()
            default: break
            }
        }
        try CaptureEnvironment.$scoped.withValue(rig.environment) {
            let format = try #require(Self.slate("", frame: 0).copyFormatDescription())
            let made = AVCaptureMetadataInput(formatDescription: format, clock: try #require(rig.session.synchronizationClock))
            rig.session.addInput(made)
            #expect(rig.output.connection(with: .metadata)?.inputPorts == made.ports)
            input.withLock { $0 = made }
        }
        let count = try rig.frames().count
        let groups = try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.files()) { try await MovieTools.groups(of: url) }
        let places = groups.filter { !$0.items.isEmpty }
        #expect(places.flatMap(\.items).map(\.stringValue) == ["at 5", "at 9"])
        #expect(places.map(\.timeRange.start) == [3, 7].map(Self.time) && places.map(\.timeRange.end) == [7, count].map(Self.time))
    }

    @Test("a pause leaves no gap")
    func pause() throws {
        let scratch = try Scratch()
        let rig = try Rig(URL(fileURLWithPath: scratch("take.mp4"))) { index, rig in
            switch index {
            case 1: rig.record()
            case 5: rig.output.pauseRecording()
            case 20: rig.output.resumeRecording()
            case 25:
                #expect(rig.output.recordedDuration == CMTime(value: 9, timescale: 30) && rig.output.recordedFileSize > 0)
                rig.output.stopRecording()
            default: break
            }
        }
        let frames = try rig.frames()
        #expect(frames.map(\.presentationTime) == (0..<9).map { CMTime(value: $0, timescale: 30) })
        #expect(zip(frames.map(Self.luma), [32, 34, 36, 38, 70, 72, 74, 76, 78]).allSatisfy { abs($0 - $1) <= 2 })
    }

    @Test("codec, bits, posture and metadata are those that were asked for")
    func settings() throws {
        let scratch = try Scratch()
        let rig = try Rig(URL(fileURLWithPath: scratch("take.mov")), pixelFormat: "x420") { index, rig in
            if index == 0 { rig.record() }
            if index == 6 { rig.output.stopRecording() }
        }
        let connection = try #require(rig.output.connection(with: .video))
        try #require(rig.output.availableVideoCodecTypes == [.h264, .hevc])
        rig.output.setOutputSettings([AVVideoCodecKey: AVVideoCodecType.hevc], for: connection)
        connection.videoRotationAngle = 90
        let items =
            ([.commonIdentifierTitle: "Grey", .quickTimeMetadataMake: "rackfocus", AVMetadataIdentifier("uiso/titl"): "no"]
            as [AVMetadataIdentifier: String]).map { identifier, text in
                let item = AVMutableMetadataItem()
                item.identifier = identifier
                item.value = NSString(string: text)
                return item
            }
        rig.output.metadata = items
        let frames = try rig.frames()
        #expect(frames.count == 6 && CVPixelBufferGetWidth(frames[0].image) == 36 && CVPixelBufferGetHeight(frames[0].image) == 64)
        let metadata = try VideoFileSource(path: rig.url.path).metadata
        #expect(metadata["com.apple.quicktime.title"] == "Grey" && metadata["com.apple.quicktime.make"] == "rackfocus")
        let bytes = try Data(contentsOf: rig.url)
        // The second byte of hvcC is the profile: 2 is Main 10.
        let configuration = try #require(bytes.range(of: Data("hvcC".utf8)))
        #expect(bytes[configuration.upperBound + 1] & 31 == 2)
    }

    @Test("a take cannot overwrite another, and a missing directory ends in an error")
    func refusals() throws {
        let scratch = try Scratch()
        let path = try scratch.write("a take", to: "take.mov")
        for (url, code) in [(URL(fileURLWithPath: path), AVError.Code.fileAlreadyExists), (scratch.url.appending(path: "none/take.mov"), .unknown)] {
            let rig = try Rig(url) { index, rig in if index == 1 { rig.record() } }
            rig.session.startRunning()
            #expect(rig.take.end() && rig.take.error?.code == code && rig.take.isFileGood == false && rig.take.start == nil)
            rig.session.stopRunning()
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "a take")
        #expect(try scratch.names == ["take.mov"])
    }
}
