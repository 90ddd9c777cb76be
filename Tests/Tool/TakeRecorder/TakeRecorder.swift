import AVFoundation
import CoreMedia
import CoreVideo
import Foundation
import Optics
import Pipeline
import RackfocusKit
import Synchronization

/// Records a painted take with sound, and a place from its third frame on, through `AVCaptureMovieFileOutput`, for tests that fail its calls or kill it.
///
///     take-recorder TAKE.mov INTERVAL FRAMES LOG [cinematic]
///
/// INTERVAL is `default`, `none` or seconds. LOG holds, in eight bytes, the number of frames that the output has written. Ends with 74 and a message when
/// the take is not complete.
@main
enum TakeRecorder {
    static func main() throws {
        let words = CommandLine.arguments.dropFirst().map { $0 }
        guard (4...5).contains(words.count), let frames = Int(words[2]) else { fail("take-recorder TAKE.mov INTERVAL FRAMES LOG [cinematic]", 64) }
        let isCinematic = words.last == "cinematic"
        let text = """
            scenario: A take
            clip: {source: synthetic, size: 64x36, fps: 30, length: \(frames + 10)f, seed: 3}
            subjects:
              maya: {kind: face, box: [0.30, 0.25, 0.13, 0.30], depth: 1.5m, sound: {tone: 440Hz, level: -12dB}}
            """
        let take = Take(path: words[0], frames: frames, log: words[3])
        var environment = try CaptureEnvironment.scenario(ScenarioFile.parse(text, path: "take.yaml"), renderer: isCinematic ? Pinhole() : nil)
        environment.observer = take
        try CaptureEnvironment.$scoped.withValue(environment) {
            let session = AVCaptureSession()
            for kind in [AVMediaType.video, .audio] {
                guard let device = AVCaptureDevice.default(for: kind) else { fail("there is no device for \(kind.rawValue)", 3) }
                let input = try AVCaptureDeviceInput(device: device)
                session.addInput(input)
                if isCinematic, kind == .video { input.isCinematicVideoCaptureEnabled = true }
            }
            let output = AVCaptureMovieFileOutput()
            session.addOutput(output)
            switch words[1] {
            case "default": break
            case "none": output.movieFragmentInterval = .invalid
            default: output.movieFragmentInterval = CMTime(seconds: Double(words[1]) ?? 10, preferredTimescale: 600)
            }
            let place = AVMutableMetadataItem()
            place.identifier = .quickTimeMetadataLocationISO6709
            place.dataType = kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709 as String
            place.value = "+59.33+018.07/" as NSString
            guard let clock = session.synchronizationClock,
                let format = AVTimedMetadataGroup(items: [place], timeRange: .invalid).copyFormatDescription()
            else { fail("there is no input for the place", 3) }
            let input = AVCaptureMetadataInput(formatDescription: format, clock: clock)
            session.addInputWithNoConnections(input)
            session.addConnection(AVCaptureConnection(inputPorts: input.ports, output: output))
            take.output = output
            take.showPlace = {
                try input.append(AVTimedMetadataGroup(items: [place], timeRange: CMTimeRange(start: clock.time, duration: .invalid)))
            }
            session.startRunning()
            let error = take.end()
            session.stopRunning()
            if let error { fail("\(words[0]): \(error)", 74) }
        }
    }

    private static func fail(_ message: String, _ code: Int32) -> Never {
        FileHandle.standardError.write(Data("take-recorder: \(message)\n".utf8))
        exit(code)
    }
}

/// Starts the recording with the first frame, ends it after the last and keeps count.
private final class Take: NSObject, AVCaptureFileOutputRecordingDelegate, CaptureObserver, @unchecked Sendable {
    var output: AVCaptureMovieFileOutput?
    var showPlace: (() throws -> Void)?
    private let url: URL
    private let frames: Int
    private let log: Int32
    private let failure = Mutex<(any Error)?>(nil)
    private let ended = DispatchSemaphore(value: 0)

    init(path: String, frames: Int, log: String) {
        (url, self.frames) = (URL(fileURLWithPath: path), frames)
        self.log = open(log, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
    }

    func willProcess(_ frame: Frame) {
        if frame.index == 0 { output?.startRecording(to: url, recordingDelegate: self) }
        if frame.index == 2 { do { try showPlace?() } catch { failure.withLock { $0 = error } } }
        if frame.index == frames { output?.stopRecording() }
    }

    /// By now the frames before are written, unless the recording has ended early.
    func didDecide(_ record: FrameRecord) {
        guard output?.isRecording == true else { return }
        var count = record.frame.index
        pwrite(log, &count, MemoryLayout<Int>.size, 0)
    }

    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL, from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        failure.withLock { $0 = error }
        ended.signal()
    }

    func end() -> (any Error)? {
        ended.wait()
        return failure.withLock { $0 }
    }
}

/// Lens that blurs nothing: without one there is no cinematic capture.
private final class Pinhole: BokehRenderer {
    func render(_ image: CVPixelBuffer, disparity: DisparityMap, circle: CircleOfConfusion) throws -> CVPixelBuffer { image }
}
