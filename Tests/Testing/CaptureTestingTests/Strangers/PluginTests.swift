import AVFoundation
import CaptureTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("A camera as a plugin writes it")
struct PluginTests {
    private let stage = TestStage.mayaWithTone

    private func camera(_ position: AVCaptureDevice.Position) throws -> AVCaptureDevice {
        try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: position))
    }

    @Test("a plugin films with a session for pictures and one for sound, through a pause and another camera")
    func plugin() async throws {
        let scratch = try Scratch()
        let folder = scratch.url
        try await withTestPhone(showing: stage) { phone in
            let plugin = try PluginCamera(cameraID: camera(.back).uniqueID, resolution: .high, framesPerSecond: nil)
            try plugin.setFlash(.off)
            #expect(plugin.previewSize == CGSize(width: 1280, height: 720))
            plugin.start()
            let movie = folder.appending(path: "take.mp4")
            try plugin.record(to: movie)
            await phone.step(frames: 30)
            #expect(plugin.planeSizes == [720 * 1280 * 4])
            plugin.pause()
            await phone.step(frames: 20)
            plugin.resume()
            await phone.step(frames: 30)
            let photo = Mutex<Result<URL, any Error>?>(nil)
            plugin.takePicture(to: folder.appending(path: "photo.jpg")) { result in photo.withLock { $0 = result } }
            try await phone.until(within: .seconds(1)) { photo.withLock { $0 != nil } }
            let url = try #require(try photo.withLock { try $0?.get() })
            #expect(try Data(contentsOf: url).starts(with: [0xFF, 0xD8]))
            #expect(throws: PluginCamera.Failure.self) { try plugin.setZoom(0.2) }
            try plugin.lockExposure(at: CGPoint(x: 0.3, y: 0.3), bias: -1)
            try plugin.use(cameraID: camera(.front).uniqueID)
            await phone.step(frames: 30)
            let ended = Mutex<Result<URL, any Error>?>(nil)
            plugin.finish { result in ended.withLock { $0 = result } }
            try await phone.until(within: .seconds(1)) { ended.withLock { $0 != nil } }
            #expect(try ended.withLock { try $0?.get() } == movie)
            let taken = try #require(phone.movies.last)
            // No gap of more than a few frames, where 20 were left out and a camera came.
            let steps = zip(taken.times, taken.times.dropFirst()).map { ($1 - $0).seconds }
            #expect(taken.isFinished && taken.times.count > 80 && steps.allSatisfy { $0 > 0 && $0 < 0.11 })
            // The sessions deliver by turns, so that a pause cuts off the same of the sound each time; frames may still come as the movie ends.
            #expect(taken.soundDuration > 2.99)
            plugin.stop()
            #expect(plugin.errors == [] && phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("a plugin asked for the most takes the largest format")
    func largest() async throws {
        try await withTestPhone(showing: stage) { phone in
            let plugin = try PluginCamera(cameraID: camera(.back).uniqueID, resolution: .max, framesPerSecond: nil)
            let sizes = try camera(.back).formats.map { $0.formatDescription.dimensions }.map { CGFloat($0.width) * CGFloat($0.height) }
            #expect(plugin.previewSize.width * plugin.previewSize.height == sizes.max())
            #expect(plugin.videoSession.sessionPreset == .inputPriority && phone.violations.isEmpty)
        }
    }
}
