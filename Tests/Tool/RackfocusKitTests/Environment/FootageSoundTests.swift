import CoreMedia
import Foundation
import RackfocusKit
import TestSupport
import Testing

@Suite("The sound of footage in an app")
struct FootageSoundTests {
    @Test("reaches the microphone, and a session without a camera records it alone")
    func recorded() throws {
        let scratch = try Scratch()
        let track = MovieDescription.SoundTrack(layout: .mono, sampleRate: 48_000)
        let thirtieth = CMTime(value: 1, timescale: 30)
        let movie = try MovieFileWriter(
            path: scratch("clip.mov"), movie: MovieDescription(width: 64, height: 36, frameDuration: thirtieth, sound: track))
        for index in 0..<30 {
            let time = CMTime(value: Int64(index), timescale: 30)
            let picture = CVPixelBuffer(width: 64, height: 36, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
            try movie.append(picture, at: time)
            let wave = (0..<1600).map { 0.5 * sinf(2 * .pi * 440 * Float(1600 * index + $0) / 48_000) }
            try movie.append(Sound(presentationTime: time, sampleRate: 48_000, layout: .mono, samples: wave))
        }
        try movie.finish()
        let scenario = try ScenarioFile.parse(
            "scenario: Footage\nclip: {source: {video: clip.mov, disparity: clip.mov}}", path: scratch("footage.yaml"))
        let take = Take()
        try CaptureEnvironment.$scoped.withValue(try CaptureEnvironment.scenario(scenario, renderer: nil)) {
            let (session, output) = (AVCaptureSession(), AVCaptureMovieFileOutput())
            session.addInput(try AVCaptureDeviceInput(device: #require(AVCaptureDevice.default(for: .audio))))
            session.addOutput(output)
            let url = URL(fileURLWithPath: scratch("take.mov"))
            let token = NotificationCenter.default.addObserver(forName: .AVCaptureSessionDidStartRunning, object: session, queue: nil) { _ in
                output.startRecording(to: url, recordingDelegate: take)
            }
            defer { NotificationCenter.default.removeObserver(token) }
            session.startRunning()
            #expect(take.end() && take.isFileGood == true)
        }
        let sound = try SoundFile.read(scratch("take.mov"))
        #expect(sound.layout == .mono && abs(sound.sampleCount - 48_000) <= 4096)
        let middle = sound.samples[9_600..<38_400]
        let rises = zip(middle, middle.dropFirst()).count { $0 < 0 && $1 >= 0 }
        #expect(abs(rises - 264) <= 2, "0.6 s of 440 Hz")
        #expect(throws: MediaError.self) { try VideoFileSource(path: scratch("take.mov")) }
    }
}
