import AVFoundation
import CaptureTesting
import Foundation
import Testing

@Suite("A pulse meter as a stranger writes it")
struct PulseTests {
    @Test("brightness that comes and goes is seen at a held exposure, in frames that come evenly")
    func pulse() async throws {
        var stage = TestStage.mayaWithTone
        stage.paintsPictures = true
        stage.light = 100
        try await withTestPhone(showing: stage) { phone in
            let meter = PulseMeter()
            try meter.start(framesPerSecond: 30)
            await phone.step(frames: 10)
            let device = try #require(meter.device)
            #expect(device.torchMode == .on && device.torchLevel == 0.5 && device.isTorchActive)
            try meter.hold()
            // Four beats of 0.8 s: 75 in a minute.
            for _ in 0..<4 {
                phone.setLight(60)
                await phone.step(frames: 12)
                phone.setLight(200)
                await phone.step(frames: 12)
            }
            let samples = meter.samples
            #expect(samples.count == 96 && zip(samples, samples.dropFirst()).allSatisfy { abs(($1.time - $0.time).seconds - 1.0 / 30) < 1e-6 })
            let (low, high) = (samples.map(\.green).min() ?? 0, samples.map(\.green).max() ?? 0)
            #expect(high > low + 10, "\(low) … \(high)")
            #expect(try abs(#require(meter.beatsPerMinute) - 75) < 1)
            meter.stop()
            #expect(device.torchMode == .off && phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }
}
