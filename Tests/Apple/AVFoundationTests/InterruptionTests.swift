import AVFoundation
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("A session's interruptions and failures")
struct InterruptionTests {
    /// Notifications of a session, in order.
    final class Log: Sendable {
        private let lines = Mutex<[String]>([])
        private nonisolated(unsafe) var tokens: [any NSObjectProtocol] = []

        init(_ session: AVCaptureSession) {
            let names: [(Notification.Name, String)] = [
                (.AVCaptureSessionWasInterrupted, "interrupted"), (AVCaptureSession.interruptionEndedNotification, "ended"),
                (.AVCaptureSessionDidStartRunning, "started"), (AVCaptureSession.didStopRunningNotification, "stopped"),
                (.AVCaptureSessionRuntimeError, "error"),
            ]
            for (name, word) in names {
                tokens.append(
                    NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) { [weak self] notification in
                        let info = notification.userInfo
                        let reason = (info?[AVCaptureSessionInterruptionReasonKey] as? NSNumber).map { " \($0.intValue)" } ?? ""
                        let error = (info?[AVCaptureSessionErrorKey] as? AVError).map { " \($0.code.rawValue)" } ?? ""
                        self?.lines.withLock { $0.append(word + reason + error) }
                    })
            }
        }

        deinit { tokens.forEach { NotificationCenter.default.removeObserver($0) } }
        var all: [String] { lines.withLock { $0 } }
    }

    /// A session with a camera whose footage does not end soon.
    func running(_ environment: CaptureEnvironment) throws -> (AVCaptureSession, Log) {
        let session = AVCaptureSession()
        let device = try #require(AVCaptureDevice.default(for: .video))
        session.addInput(try AVCaptureDeviceInput(device: device))
        let log = Log(session)
        session.startRunning()
        try #require(session.isRunning)
        return (session, log)
    }

    func endless() -> CaptureEnvironment { fakeEnvironment(source: CountingSource(count: 10_000_000)) }

    @Test("an interrupted session stops, says why, and runs again when it ends")
    func resumes() throws {
        let environment = endless()
        try inEnvironment(environment) {
            let (session, log) = try running(environment)
            environment.conditions.interrupt(.videoDeviceInUseByAnotherClient)
            #expect(session.isInterrupted && !session.isRunning)
            environment.conditions.endInterruption()
            #expect(!session.isInterrupted && session.isRunning)
            session.stopRunning()
            #expect(log.all == ["started", "interrupted 3", "stopped", "ended", "started", "stopped"])
        }
    }

    @Test("the footage goes on where the interruption cut it")
    func footageGoesOn() throws {
        let seen = Mutex<[Int]>([])
        let environmentBox = Mutex<CaptureEnvironment?>(nil)
        let observer = ScriptedObserver { index in
            seen.withLock { $0.append(index) }
            if index == 3 { environmentBox.withLock { $0 }?.conditions.interrupt(.videoDeviceNotAvailableInBackground) }
        }
        let environment = fakeEnvironment(source: CountingSource(count: 40), observer: observer)
        environmentBox.withLock { $0 = environment }
        defer { environmentBox.withLock { $0 = nil } }
        try inEnvironment(environment) {
            let app = try CameraApp()
            let interrupted = DispatchSemaphore(value: 0)
            let token = NotificationCenter.default.addObserver(
                forName: AVCaptureSession.didStopRunningNotification, object: app.session, queue: nil
            ) { _ in interrupted.signal() }
            defer { NotificationCenter.default.removeObserver(token) }
            app.session.startRunning()
            try #require(interrupted.wait(timeout: .now() + patience) == .success)
            environment.conditions.endInterruption()
            try #require(interrupted.wait(timeout: .now() + patience) == .success)
            let frames = seen.withLock { $0 }
            #expect(frames.starts(with: [0, 1, 2, 3]))
            #expect(frames == frames.sorted() && Set(frames).count == frames.count && frames.last == 39)
        }
    }

    @Test("stopped during an interruption: stays stopped; started during it: runs afterwards")
    func wishes() throws {
        let environment = endless()
        try inEnvironment(environment) {
            let (session, _) = try running(environment)
            environment.conditions.interrupt(.videoDeviceNotAvailableInBackground)
            session.stopRunning()
            environment.conditions.endInterruption()
            #expect(!session.isRunning)
            environment.conditions.interrupt(.videoDeviceNotAvailableInBackground)
            session.startRunning()
            #expect(!session.isRunning)
            environment.conditions.endInterruption()
            #expect(session.isRunning)
            session.stopRunning()
        }
    }

    @Test("a reason that does not concern the session leaves it running")
    func unconcerned() throws {
        let environment = endless()
        try inEnvironment(environment) {
            let (session, log) = try running(environment)
            environment.conditions.interrupt(.audioDeviceInUseByAnotherClient)
            session.isMultitaskingCameraAccessEnabled = true
            environment.conditions.interrupt(.videoDeviceNotAvailableWithMultipleForegroundApps)
            #expect(session.isRunning && !session.isInterrupted)
            #expect(log.all == ["started"])
            session.stopRunning()
        }
    }

    @Test("a camera too hot is taken away with its pressure state, and comes back when cool")
    func pressure() throws {
        let environment = endless()
        try inEnvironment(environment) {
            let (session, log) = try running(environment)
            let device = try #require(AVCaptureDevice.default(for: .video))
            let levels = Mutex<[AVCaptureDevice.SystemPressureState.Level]>([])
            let token = device.observe(\.systemPressureState, options: .new) { _, change in
                levels.withLock { $0 += [change.newValue?.level].compactMap { $0 } }
            }
            environment.conditions.setPressure(.serious, of: device.uniqueID)
            #expect(session.isRunning)
            environment.conditions.setPressure(.shutdown, of: device.uniqueID)
            #expect(session.isInterrupted)
            environment.conditions.setPressure(.nominal, of: device.uniqueID)
            #expect(session.isRunning)
            session.stopRunning()
            #expect(log.all == ["started", "interrupted 5", "stopped", "ended", "started", "stopped"])
            #expect(levels.withLock { $0 } == [.serious, .shutdown, .nominal])
            withExtendedLifetime(token) {}
        }
    }

    @Test("reset media services and a pulled camera stop the session with their errors; then it may start again, or not")
    func failures() throws {
        let environment = endless()
        try inEnvironment(environment) {
            let (session, log) = try running(environment)
            environment.conditions.fail(.mediaServicesWereReset)
            #expect(!session.isRunning)
            session.startRunning()
            #expect(session.isRunning)
            let device = try #require(AVCaptureDevice.default(for: .video))
            environment.conditions.disconnect(device.uniqueID)
            #expect(!session.isRunning && !device.isConnected)
            session.startRunning()
            #expect(!session.isRunning)
            #expect(log.all == ["started", "error -11819", "stopped", "started", "error -11808", "stopped", "error -11814"])
        }
    }

    @Test("two 4K outputs of 30 frames fit the hardware, three do not run")
    func hardwareCost() throws {
        var profile = CameraProfile.footage(CountingSource(count: 1).description, name: "4K")
        (profile.formats[0].width, profile.formats[0].height) = (3840, 2160)
        let environment = fakeEnvironment(cameras: [profile])
        try inEnvironment(environment) {
            let session = AVCaptureSession()
            session.addInput(try AVCaptureDeviceInput(device: try #require(AVCaptureDevice.default(for: .video))))
            session.addOutput(AVCaptureVideoDataOutput())
            #expect(session.hardwareCost == 0)
            session.addOutput(AVCaptureVideoDataOutput())
            #expect(session.hardwareCost == 1)
            session.addOutput(AVCaptureVideoDataOutput())
            let log = Log(session)
            session.startRunning()
            #expect(!session.isRunning)
            #expect(log.all == ["error -11872"])
        }
    }
}
