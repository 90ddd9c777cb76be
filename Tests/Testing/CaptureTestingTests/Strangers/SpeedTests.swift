import AVFoundation
import CaptureTesting
import Foundation
import TestSupport
import Testing

@Suite("A camera as a slow-motion app writes it")
struct SpeedTests {
    /// Times of a movie that a mode makes of 20 frames of a stage.
    private func movie(
        _ mode: SpeedRecorder.Mode, frames: Int, stageRate: Int
    ) async throws -> (times: [Double], rate: Double, durations: Set<Double>) {
        let scratch = try Scratch()
        let url = scratch.url.appending(path: "speed.mov")
        var stage = TestStage.mayaWithTone
        stage.frameRate = stageRate
        return try await withTestPhone(showing: stage) { phone in
            let recorder = SpeedRecorder(mode)
            try recorder.start()
            try recorder.record(to: url)
            recorder.session.startRunning()
            await phone.step(frames: frames)
            let written = try await phone.result { try await recorder.finish() }
            let movie = try #require(phone.movies.last)
            #expect(written == url && movie.isFinished && phone.violations.isEmpty && phone.diagnostics.isEmpty)
            return (movie.times.map(\.seconds), recorder.rate, recorder.durations)
        }
    }

    @Test("slow motion takes the camera's fastest pictures, and plays them slowly")
    func slow() async throws {
        let (times, rate, durations) = try await movie(.slow(factor: 4), frames: 10, stageRate: 240)
        // As long as the movie ends a frame or two may come.
        #expect(rate == 240 && durations == [1.0 / 240] && (10...12).contains(times.count))
        #expect(times.enumerated().allSatisfy { abs($1 - Double($0) / 60) < 1e-6 })
    }

    @Test("time lapse takes a picture now and then, of a camera set to few")
    func lapse() async throws {
        let (times, rate, durations) = try await movie(.lapse(interval: 0.5), frames: 91, stageRate: 30)
        #expect(rate == 10 && durations == [0.1] && times.count == 7)
        #expect(times.enumerated().allSatisfy { abs($1 - Double($0) / 30) < 1e-6 })
    }
}
