import AVFoundation
import CoreMedia
import CoreVideo
import Foundation
import Media
import Pipeline
import Synchronization
import TestSupport
import Testing

@testable import RackfocusKit

/// A cinematic recording of a scenario with what the app saw meanwhile: the baked pictures, and the decision on each frame.
struct CinematicTake {
    /// Two people and a tap: the focus racks, and detections have all they may have.
    static let text = """
        scenario: Two people
        clip: {source: synthetic, size: 128x72, fps: 30000/1001, length: 40f, seed: 3}
        device: {aperture: f/2, focalLength: 60mm}
        subjects:
          maya: {kind: face, box: [0.20, 0.25, 0.15, 0.35], depth: 1.5m, sound: {tone: 440Hz, level: -12dB}}
          tom: {kind: face, box: [0.65, 0.30, 0.10, 0.25], depth: 4m}
        timeline:
          - 0.4s: {tap: tom}
        """

    /// Time of some frames of a take at its rate.
    static func frames(_ range: Range<Int>) -> CMTimeRange {
        func time(_ frame: Int) -> CMTime { CMTime(value: Int64(frame) * 1001, timescale: 30_000) }
        return CMTimeRange(start: time(range.lowerBound), end: time(range.upperBound))
    }

    let path: String
    /// Pictures as the video data output delivered them.
    private(set) var baked: [CVPixelBuffer] = []
    private(set) var records: [FrameRecord] = []

    /// Records the frames of a scenario; the first of them starts the take.
    ///
    /// - Parameters:
    ///   - quality: of the coded picture, 0…100; 100 loses nothing.
    ///   - footage: films this in place of the scenario's stage.
    ///   - isSpatial: whether the sound is ambisonics, with stereo beside it.
    ///   - start: number of the first frame that is recorded.
    ///   - pause: numbers of frames during which the recording is paused.
    init(
        _ text: String = Self.text, in scratch: Scratch, named name: String = "take.mov", quality: Double = 100, footage: ClipSource? = nil,
        isSpatial: Bool = false, from start: Int = 0, pausing pause: Range<Int>? = nil
    ) throws {
        path = scratch(name)
        let scenario = try ScenarioFile.parse(text, path: "take.yaml", ReadingOptions(source: footage))
        var environment = try CaptureEnvironment.scenario(scenario, renderer: VulkanBokehRenderer(options: BokehOptions(highlights: 8)))
        environment.clock = .lockStep
        environment.openMovie = { url, movie in
            try MovieFileWriter(path: url.path, movie: movie, settings: .init(preset: .ultrafast, rate: .quality(quality)))
        }
        let (watch, take) = (Watch(scenario), Take())
        let shots = Mutex<[CVPixelBuffer]>([])
        environment.observer = watch
        let url = URL(fileURLWithPath: path)
        let camera = try CaptureEnvironment.$scoped.withValue(environment) {
            let camera = try CinematicCamera(aperture: scenario.device.aperture.map(Float.init), outputs: [.video, .movie])
            let microphone = try AVCaptureDeviceInput(device: try #require(AVCaptureDevice.default(for: .audio)))
            if isSpatial { microphone.multichannelAudioMode = .firstOrderAmbisonics }
            camera.session.addInput(microphone)
            return camera
        }
        watch.script.connect(camera)
        watch.onFrame.withLock {
            $0 = { frame in
                if frame == start { camera.movieOutput?.startRecording(to: url, recordingDelegate: take) }
                if frame == pause?.lowerBound { camera.movieOutput?.pauseRecording() }
                if frame == pause?.upperBound { camera.movieOutput?.resumeRecording() }
            }
        }
        let end = camera.play { shot in
            shots.withLock { $0.append(CMSampleBufferGetImageBuffer(shot.sampleBuffer)!) }
        }
        if case .failed(let error) = end { throw error }
        try #require(take.end(), "the recording did not end")
        baked = shots.withLock { $0 }
        records = watch.records.withLock { $0 }
    }

    /// Plays the scenario, tells when a frame is due, and keeps the records.
    private final class Watch: CaptureObserver {
        let script: ScenarioObserver
        let records = Mutex<[FrameRecord]>([])
        let onFrame = Mutex<(@Sendable (Int) -> Void)?>(nil)

        init(_ scenario: ScenarioFile) { script = ScenarioObserver(scenario) }

        func willProcess(_ frame: Frame) {
            onFrame.withLock { $0 }?(frame.index)
            script.willProcess(frame)
        }

        func didDecide(_ record: FrameRecord) {
            records.withLock { $0.append(record) }
            script.didDecide(record)
        }
    }
}
