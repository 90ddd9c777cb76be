import AVFoundation
import Testing

/// Sessions that want the cameras at the same time.
extension InterruptionTests {
    @Test("a second session's start interrupts the first, which runs again once the second is over", arguments: [false, true])
    func secondSession(isGone: Bool) throws {
        let environment = endless()
        try inEnvironment(environment) {
            let (first, log) = try running(environment)
            var (second, secondLog): (AVCaptureSession?, Log) = try running(environment)
            #expect(first.isInterrupted && !first.isRunning)
            if isGone { second = nil } else { second?.stopRunning() }
            #expect(!first.isInterrupted && first.isRunning && second?.isRunning != true)
            first.stopRunning()
            #expect(log.all == ["started", "interrupted 3", "stopped", "ended", "started", "stopped"])
            #expect(secondLog.all.first == "started" && !secondLog.all.contains("interrupted 3"))
        }
    }

    @Test("started again, the first takes the cameras back, and gives them to the second when it stops")
    func takenBack() throws {
        let environment = endless()
        try inEnvironment(environment) {
            let (first, log) = try running(environment)
            let (second, secondLog) = try running(environment)
            first.startRunning()
            #expect(first.isRunning && second.isInterrupted)
            first.stopRunning()
            #expect(!first.isRunning && second.isRunning)
            second.stopRunning()
            #expect(!first.isRunning && !second.isRunning)
            #expect(log.all == ["started", "interrupted 3", "stopped", "ended", "started", "stopped"])
            #expect(secondLog.all == ["started", "interrupted 3", "stopped", "ended", "started", "stopped"])
        }
    }

    @Test("stopped while another has the cameras: it is told when they are back, and stays stopped; one before it runs")
    func stoppedWhileWaiting() throws {
        let environment = endless()
        try inEnvironment(environment) {
            let (first, _) = try running(environment)
            let (second, log) = try running(environment)
            let (third, _) = try running(environment)
            second.stopRunning()
            #expect(second.isInterrupted && third.isRunning)
            third.stopRunning()
            #expect(log.all == ["started", "interrupted 3", "stopped", "ended"])
            #expect(first.isRunning && !second.isRunning && !third.isRunning)
            first.stopRunning()
        }
    }

    @Test("when the phone takes the cameras from all, the last session has them afterwards")
    func phoneInterruption() throws {
        let environment = endless()
        try inEnvironment(environment) {
            let (first, _) = try running(environment)
            let (second, log) = try running(environment)
            environment.conditions.interrupt(.videoDeviceNotAvailableInBackground)
            first.startRunning()
            #expect(!first.isRunning && !second.isRunning)
            environment.conditions.endInterruption()
            #expect(!first.isRunning && second.isRunning)
            environment.conditions.interrupt(.videoDeviceNotAvailableInBackground)
            second.stopRunning()
            #expect(first.isInterrupted)
            environment.conditions.endInterruption()
            #expect(first.isRunning && !second.isRunning)
            first.stopRunning()
            #expect(log.all == ["started", "interrupted 1", "stopped", "ended", "started", "interrupted 1", "stopped", "ended"])
        }
    }

    @Test("a reset reaches the session that has the cameras and those that wait for them, whichever was made first", arguments: [false, true])
    func reset(isFirstRunning: Bool) throws {
        let environment = endless()
        try inEnvironment(environment) {
            let (first, log) = try running(environment)
            let (second, secondLog) = try running(environment)
            if isFirstRunning { first.startRunning() }
            let before = (log.all.count, secondLog.all.count)
            environment.conditions.fail(.mediaServicesWereReset)
            for session in [first, second] { #expect(!session.isRunning && !session.isInterrupted) }
            let (runner, waiter) = (["error -11819", "stopped"], ["ended", "error -11819"])
            #expect(Array(log.all.dropFirst(before.0)) == (isFirstRunning ? runner : waiter))
            #expect(Array(secondLog.all.dropFirst(before.1)) == (isFirstRunning ? waiter : runner))
        }
    }

    @Test("started again as it is told of its error, a session has the cameras, and another takes them from it")
    func startedWhenTold() throws {
        let environment = endless()
        try inEnvironment(environment) {
            let (first, _) = try running(environment)
            let token = NotificationCenter.default.addObserver(forName: .AVCaptureSessionRuntimeError, object: first, queue: nil) { _ in
                first.startRunning()
            }
            defer { NotificationCenter.default.removeObserver(token) }
            environment.conditions.fail(.mediaServicesWereReset)
            #expect(first.isRunning)
            let (second, _) = try running(environment)
            #expect(first.isInterrupted && !first.isRunning)
            second.stopRunning()
            #expect(first.isRunning)
            first.stopRunning()
        }
    }

    @Test("a camera added to a running session takes the cameras, removed it gives them back; sound alone disturbs nobody")
    func addedCamera() throws {
        let environment = soundEnvironment(TestVoice(samples: 480_000_000), source: CountingSource(count: 10_000_000))
        try inEnvironment(environment) {
            let (first, _) = try running(environment)
            let second = AVCaptureSession()
            second.addInput(try AVCaptureDeviceInput(device: try #require(AVCaptureDevice.default(for: .audio))))
            second.startRunning()
            #expect(first.isRunning && second.isRunning)
            let camera = try AVCaptureDeviceInput(device: try #require(AVCaptureDevice.default(for: .video)))
            second.addInput(camera)
            #expect(first.isInterrupted && second.isRunning)
            second.removeInput(camera)
            #expect(first.isRunning && second.isRunning)
            second.stopRunning()
            first.stopRunning()
        }
    }

    @Test("a session that is started during an interruption is told of it, and runs when it ends")
    func startedMeanwhile() throws {
        let environment = endless()
        try inEnvironment(environment) {
            environment.conditions.interrupt(.videoDeviceNotAvailableInBackground)
            let session = AVCaptureSession()
            session.addInput(try AVCaptureDeviceInput(device: try #require(AVCaptureDevice.default(for: .video))))
            let log = Log(session)
            session.startRunning()
            #expect(session.isInterrupted && !session.isRunning)
            environment.conditions.endInterruption()
            #expect(session.isRunning)
            session.stopRunning()
            #expect(log.all == ["interrupted 1", "ended", "started", "stopped"])
        }
    }
}
