import AVFoundation
import Foundation
import Pipeline
import Synchronization
import TestSupport
import Testing

@Suite("A session that runs again")
struct RestartTests {
    /// Frames that came and were lost, and why.
    private final class Client: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
        let seen = Mutex<[String]>([])

        func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
            seen.withLock { $0.append("\(sampleBuffer.presentationTimeStamp.value)") }
        }

        func captureOutput(_ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
            func attached(_ key: CFString) -> String { CMGetAttachment(sampleBuffer, key: key, attachmentModeOut: nil) as? String ?? "" }
            let reason = attached(kCMSampleBufferAttachmentKey_DroppedFrameReason) + attached(kCMSampleBufferAttachmentKey_DroppedFrameReasonInfo)
            seen.withLock { $0.append("\(reason) \(sampleBuffer.presentationTimeStamp.value)") }
        }

        func take() -> [String] {
            seen.withLock { seen in
                defer { seen = [] }
                return seen
            }
        }
    }

    /// Every start begins with frame 0.
    private func environment(frames: Int) -> CaptureEnvironment {
        let cameras = [CameraProfile.footage(CountingSource(count: 1).description, name: "fake")]
        return CaptureEnvironment(cameras: cameras, renderer: GlassRenderer()) { _ in
            CameraFeed(source: CountingSource(count: frames), detector: ScriptedDetector { _ in [] })
        }
    }

    @Test("finds its client idle, however busy it was before")
    func idle() throws {
        var environment = environment(frames: 3)
        environment.videoClientTime = { _ in CMTime(value: 10, timescale: 1) }
        try inEnvironment(environment) {
            let (app, client) = (try CameraApp(), Client())
            app.videoOutput.setSampleBufferDelegate(client, queue: app.queue)
            for _ in 0..<2 {
                try app.run()
                #expect(client.take() == ["0", "FrameWasLate 1", "FrameWasLate 2"])
            }
        }
    }

    @Test("tells of the gap when another camera takes over in the middle, and of none when it is started anew")
    func modeSwitch() async throws {
        var environment = environment(frames: 1000)
        let stepper = FrameStepper()
        environment.clock = .stepped(stepper)
        let (app, client) = try inEnvironment(environment) { (try CameraApp(), Client()) }
        app.videoOutput.setSampleBufferDelegate(client, queue: app.queue)
        app.session.startRunning()
        await stepper.step(frames: 2)
        try inEnvironment(environment) {
            app.session.beginConfiguration()
            app.session.removeInput(app.input)
            app.session.addInput(try AVCaptureDeviceInput(device: app.device))
            app.session.commitConfiguration()
        }
        await stepper.step(frames: 2)
        app.session.stopRunning()
        app.session.startRunning()
        await stepper.step()
        app.session.stopRunning()
        #expect(client.take() == ["0", "1", "DiscontinuityCameraModeSwitch 0", "0", "1", "0"])
    }

    @Test(
        "is waited for by a step of whoever is told that it runs, and by none once it is stopped there", .serialized, arguments: [false, true])
    func toldOfStart(isStopped: Bool) async throws {
        var environment = environment(frames: 1000)
        let stepper = FrameStepper()
        environment.clock = .stepped(stepper)
        let (app, client) = try inEnvironment(environment) { (try CameraApp(), Client()) }
        app.videoOutput.setSampleBufferDelegate(client, queue: app.queue)
        let step = Mutex<Task<[String], Never>?>(nil)
        let isStepping = DispatchSemaphore(value: 0)
        let center = NotificationCenter.default
        let token = center.addObserver(forName: AVCaptureSession.didStartRunningNotification, object: app.session, queue: nil) { _ in
            if isStopped { app.session.stopRunning() }
            let task = Task {
                isStepping.signal()
                await stepper.step()
                return client.take()
            }
            step.withLock { $0 = task }
            _ = isStepping.wait(timeout: .now() + 1)
            Thread.sleep(forTimeInterval: 0.02)
        }
        defer { center.removeObserver(token) }
        app.session.startRunning()
        #expect(await step.withLock { $0 }?.value == (isStopped ? [] : ["0"]))
        await stepper.step()
        #expect(client.take() == (isStopped ? [] : ["1"]))
        app.session.stopRunning()
    }

    @Test("stays stopped where another thread stops it while its next camera opens", arguments: [false, true])
    func stoppedInSwitch(startsAgain: Bool) throws {
        let opened = Mutex(0)
        let session = Mutex<AVCaptureSession?>(nil)
        let cameras = [CameraProfile.footage(CountingSource(count: 1).description, name: "fake")]
        let environment = CaptureEnvironment(cameras: cameras, renderer: GlassRenderer()) { _ in
            let isSwitch = opened.withLock { opened in
                opened += 1
                return opened == 2
            }
            if isSwitch, let session = session.withLock({ $0 }) {
                session.stopRunning()
                if startsAgain { session.startRunning() }
            }
            return CameraFeed(source: CountingSource(count: 1000), detector: ScriptedDetector { _ in [] })
        }
        try inEnvironment(environment) {
            let app = try CameraApp()
            session.withLock { $0 = app.session }
            defer { session.withLock { $0 = nil } }
            app.session.startRunning()
            app.session.beginConfiguration()
            app.session.removeInput(app.input)
            app.session.addInput(try AVCaptureDeviceInput(device: app.device))
            app.session.commitConfiguration()
            #expect(app.session.isRunning == startsAgain && opened.withLock { $0 } == (startsAgain ? 3 : 2))
            app.session.stopRunning()
            let count = app.seen.withLock { $0.samples.count }
            #expect(!eventually(within: 0.03) { app.seen.withLock { $0.samples.count } != count }, "no pipeline is left running")
        }
    }

    @Test("does not start against the rule on metadata types")
    func refused() throws {
        try inEnvironment(environment(frames: 3)) {
            let (session, metadata) = (AVCaptureSession(), AVCaptureMetadataOutput())
            let input = try AVCaptureDeviceInput(device: #require(AVCaptureDevice.default(for: .video)))
            session.addInput(input)
            input.isCinematicVideoCaptureEnabled = true
            session.addOutput(metadata)
            let raised = CaptureEnvironment.violations { session.startRunning() }
            #expect(raised.map(\.name) == [.invalidArgument] && raised.first?.selector == "-[AVCaptureSession startRunning]")
            #expect(!session.isRunning)
            metadata.metadataObjectTypes = metadata.requiredMetadataObjectTypesForCinematicVideoCapture
            session.startRunning()
            #expect(CaptureEnvironment.violations { session.stopRunning() }.isEmpty)
        }
    }

    /// Interrupts on the session's own thread, and dwells on that frame until it is let go.
    private final class Dweller: CaptureObserver, @unchecked Sendable {
        let (interrupted, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let seen = Mutex<(frames: [Int], inside: Int, overlapped: Bool)>(([], 0, false))
        var interrupt: @Sendable () -> Void = {}

        func willProcess(_ frame: Frame) {
            seen.withLock { seen in
                seen.inside += 1
                seen.overlapped = seen.overlapped || seen.inside > 1
                seen.frames.append(frame.index)
            }
            if frame.index == 2 {
                interrupt()
                interrupted.signal()
                go.wait()
            }
            seen.withLock { $0.inside -= 1 }
        }

        func didDecide(_ record: FrameRecord) {}
    }

    @Test("goes on after an interruption only when the frame in flight is over", arguments: [true, false])
    func noOverlap(isLockStep: Bool) throws {
        let observer = Dweller()
        var environment = fakeEnvironment(source: CountingSource(count: 30), observer: observer)
        if isLockStep { environment.clock = .lockStep }
        try inEnvironment(environment) {
            let app = try CameraApp()
            observer.interrupt = { [conditions = environment.conditions] in conditions.interrupt(.videoDeviceInUseByAnotherClient) }
            app.session.startRunning()
            observer.interrupted.wait()
            environment.conditions.endInterruption()
            #expect(app.session.isRunning)
            #expect(!eventually(within: 0.03) { observer.seen.withLock { $0.overlapped } }, "the frame in flight is waited for")
            observer.go.signal()
            #expect(eventually { !app.session.isRunning })
            let seen = observer.seen.withLock { $0 }
            #expect(!seen.overlapped && seen.frames.first == 0 && seen.frames == seen.frames.sorted() && seen.frames.contains(2))
            #expect(seen.frames.last == 29)
        }
    }
}
