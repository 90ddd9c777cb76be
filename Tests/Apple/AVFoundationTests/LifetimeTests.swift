import AVFoundation
import Pipeline
import Synchronization
import TestSupport
import Testing

@Suite("Lifetimes")
struct LifetimeTests {
    private struct Weak: Sendable {
        weak var object: (any AnyObject & Sendable)?
    }

    /// Starts, changes everything while running, and stops; returns what must be gone afterwards.
    private func cycle() throws -> [Weak] {
        let app = try CameraApp()
        let preview = AVCaptureVideoPreviewLayer(session: app.session)
        let movie = AVCaptureMovieFileOutput()
        let observation = app.session.observe(\.isRunning, options: .new) { _, _ in }
        app.session.startRunning()
        app.session.addOutput(movie)
        app.session.beginConfiguration()
        app.session.removeOutput(app.videoOutput)
        app.session.removeInput(app.input)
        app.session.commitConfiguration()
        app.session.addInput(app.input)
        app.session.addOutput(app.videoOutput)
        app.session.stopRunning()
        observation.invalidate()
        let objects: [any AnyObject & Sendable] =
            [app, app.session, app.input, app.videoOutput, app.metadataOutput, movie, preview, app.queue] + app.session.connections
        return objects.map { Weak(object: $0) }
    }

    @Test("after many cycles of start, change and stop nothing is left of any, in lock step and out of it", arguments: [true, false])
    func cycles(isLockStep: Bool) throws {
        let opened = Mutex(0)
        let gone = Mutex(0)
        let cameras = [CameraProfile.footage(CountingSource(count: 1).description, name: "fake")]
        var environment = CaptureEnvironment(cameras: cameras, renderer: GlassRenderer()) { _ in
            opened.withLock { $0 += 1 }
            return CameraFeed(
                source: CountingSource(count: 100_000, isGone: { gone.withLock { $0 += 1 } }), detector: ScriptedDetector { _ in [] })
        }
        if isLockStep { environment.clock = .lockStep }
        try inEnvironment(environment) {
            var left: [Weak] = []
            for _ in 0..<100 { left += try cycle() }
            // Queues and threads let go a little later than they return.
            #expect(eventually { left.allSatisfy { $0.object == nil } })
            #expect(opened.withLock { $0 } == 200)
            #expect(eventually { gone.withLock { $0 } == 200 })
        }
    }
}
