import AVFoundation
import Pipeline
import Synchronization
import Testing

@Suite("The rate of frames")
struct FrameRateTests {
    /// A wide camera from 1 to 60 frames a second before a source of 30.
    private func environment(frames: Int, lux: @escaping @Sendable (Int) -> Double = { _ in 200 }) -> CaptureEnvironment {
        let source = CountingSource(count: frames, lux: lux)
        var profile = CameraProfile.footage(source.description, name: "rates")
        (profile.formats[0].minFrameRate, profile.formats[0].maxFrameRate, profile.formats[0].cinematic) = (1, 60, nil)
        var environment = CaptureEnvironment(cameras: [profile], renderer: nil) { _ in
            CameraFeed(source: source, detector: ScriptedDetector { _ in [] })
        }
        environment.clock = .lockStep
        return environment
    }

    private func times(_ app: CameraApp) -> [Int64] {
        app.samples.map { $0.presentationTimeStamp.value * 30 / Int64($0.presentationTimeStamp.timescale) }
    }

    @Test(
        "is what the frame durations say, as near as the source has frames", arguments: [(24, 97), (25, 101), (30, 121), (15, 61), (60, 121), (1, 5)])
    func durations(rate: Int, count: Int) throws {
        try inEnvironment(environment(frames: 121)) {
            let app = try CameraApp(isCinematic: false)
            let frame = CMTime(value: 1, timescale: CMTimeScale(rate))
            app.configure {
                $0.activeVideoMinFrameDuration = frame
                $0.activeVideoMaxFrameDuration = frame
            }
            try app.run()
            let times = times(app)
            #expect(times.count == count && times.first == 0)
            #expect(app.metadata.count == count)
            #expect(app.samples.last?.duration == max(frame, CMTime(value: 1, timescale: 30)))
            // No frame is nearer to the one before than a source's frame below what was asked for.
            for (a, b) in zip(times, times.dropFirst()) { #expect(abs(Double(b - a) - 30 / min(Double(rate), 30)) < 1) }
        }
    }

    @Test("an automatic rate falls to 24 in the dark, and an input's override stands for the fastest")
    func automatic() throws {
        try inEnvironment(environment(frames: 180) { $0 < 90 ? 200 : 5 }) {
            let app = try CameraApp(isCinematic: false)
            app.configure { $0.isAutoVideoFrameRateEnabled = true }
            try app.run()
            let times = times(app)
            #expect(times.filter { $0 < 90 }.count == 90)
            // Half a second of darkness is waited for.
            #expect(times.filter { $0 >= 120 }.count == 48)
        }
        try inEnvironment(environment(frames: 30)) {
            let app = try CameraApp(isCinematic: false)
            app.input.videoMinFrameDurationOverride = CMTime(value: 1, timescale: 10)
            try app.run()
            #expect(times(app) == [0, 3, 6, 9, 12, 15, 18, 21, 24, 27])
        }
    }
}
