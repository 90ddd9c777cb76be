import AVFoundation
import Pipeline
import Synchronization
import TestSupport
import Testing

@Suite("When something fails")
struct FailureTests {
    @Test("a torn source delivers what came before, reports an error with the one beneath it, and stops")
    func sourceFails() throws {
        try inEnvironment(fakeEnvironment(source: CountingSource(count: 10, failsAt: 4))) {
            let app = try CameraApp()
            try app.run()
            #expect(app.samples.count == 4)
            #expect(app.events == ["started", "error", "stopped"])
            #expect(app.errors[0].code == .unknown)
            #expect(app.errors[0].userInfo[NSUnderlyingErrorKey] as? FakeFailure == FakeFailure(what: "cable cut"))
        }
    }

    @Test("a detector that throws ends the session the same way")
    func detectorFails() throws {
        let detector = ScriptedDetector { index in
            if index == 2 { throw FakeFailure(what: "blind") }
            return []
        }
        try inEnvironment(fakeEnvironment(detector: detector)) {
            let app = try CameraApp()
            try app.run()
            #expect(app.samples.count == 2)
            #expect(app.errors.map { $0.underlyingError as? FakeFailure } == [FakeFailure(what: "blind")])
        }
    }

    @Test("a lens that fails passes the frame sharp, tells the app once and the observer each time, and goes on")
    func lensFails() throws {
        let observer = ScriptedObserver()
        try inEnvironment(fakeEnvironment(renderer: GlassRenderer { $0 == 3 || $0 == 5 }, observer: observer)) {
            let app = try CameraApp()
            try app.run()
            #expect(app.samples.count == 10)
            #expect(app.events == ["started", "error", "stopped"])
            #expect(observer.sharpFrames.withLock { $0 } == [3, 5])
        }
    }

    @Test("a camera that does not open is a runtime error, and the session stays stopped")
    func cameraDoesNotOpen() throws {
        try inEnvironment(phoneEnvironment()) {
            let app = try CameraApp()
            app.session.startRunning()
            #expect(!app.session.isRunning)
            #expect(app.events == ["error"])
        }
    }
}

@Suite("Stopping")
struct StoppingTests {
    @Test("from the delegate queue, inside a callback, returns and ends the callbacks")
    func stopInsideCallback() throws {
        try inEnvironment(fakeEnvironment(source: CountingSource(count: 1000))) {
            let app = try CameraApp()
            app.onSample = { [unowned app] _ in app.session.stopRunning() }
            try app.run()
            let count = app.samples.count
            #expect(count < 1000)
            app.queue.sync {}
            #expect(app.samples.count == count)
        }
    }

    @Test("from a block on the delegate queue does not wait for the callbacks behind it")
    func stopOnDelegateQueue() throws {
        try inEnvironment(fakeEnvironment(source: CountingSource(count: 100_000))) {
            let app = try CameraApp()
            app.session.startRunning()
            app.queue.sync { app.session.stopRunning() }
            let count = app.samples.count
            #expect(!app.session.isRunning)
            app.queue.sync {}
            #expect(app.samples.count == count)
            #expect(app.events == ["started", "stopped"])
        }
    }

    @Test("from the observer works too")
    func stopInObserver() throws {
        let app = Mutex<CameraApp?>(nil)
        let observer = ScriptedObserver { index in
            if index == 3 { app.withLock { $0 }?.session.stopRunning() }
        }
        try inEnvironment(fakeEnvironment(observer: observer)) {
            let running = try CameraApp()
            app.withLock { $0 = running }
            try running.run()
            #expect(observer.all.count <= 4)
        }
    }

    @Test("a session nobody holds any more stops")
    func abandonedSession() throws {
        let gone = DispatchSemaphore(value: 0)
        let environment = CaptureEnvironment(
            cameras: [.footage(CountingSource(count: 1).description, name: "fake")], renderer: GlassRenderer()
        ) { _ in CameraFeed(source: CountingSource(count: .max, isGone: { gone.signal() }), detector: ScriptedDetector { _ in [] }) }
        try inEnvironment(environment) {
            var app: CameraApp? = try CameraApp()
            app?.session.startRunning()
            weak let session = app?.session
            app = nil
            #expect(gone.wait(timeout: .now() + patience) == .success)
            #expect(session == nil)
        }
    }

    @Test("an error is made of an NSError of its domain, and has another beneath it")
    func bridged() {
        let own = AVError(_nsError: NSError(domain: AVFoundationErrorDomain, code: -11807, userInfo: [NSLocalizedDescriptionKey: "full"]))
        #expect(own.code == .diskFull && own.localizedDescription == "full")
        let other = NSError(domain: NSPOSIXErrorDomain, code: 28)
        #expect(AVError(_nsError: other).code == .unknown && (AVError(_nsError: other).underlyingError as? NSError)?.code == 28)
    }
}
