import CoreMedia
import Foundation
import Pipeline
import Synchronization

/// What runs behind a session that only listens: one thread, which hands on stretches of sound until the microphone has no more.
///
/// The clock shows the time of the stretch at hand; without a listener it goes on all the same. A stepper's step is one stretch; under the
/// wall clock a stretch comes when it has been heard.
final class MicrophonePipeline: SessionPipeline, @unchecked Sendable {
    private let microphone: Microphone
    private let environment: CaptureEnvironment
    private weak var session: AVCaptureSession?
    private let delivery: Delivery
    private let run = Mutex<Run?>(nil)

    private struct Run: @unchecked Sendable {
        let thread: Thread
        let end: DispatchGroup
    }

    init(microphone: Microphone, session: AVCaptureSession) {
        self.microphone = microphone
        self.session = session
        environment = session.environment
        delivery = Delivery(environment: session.environment)
    }

    func start() {
        let end = DispatchGroup()
        end.enter()
        let thread = Thread { [self] in
            CaptureEnvironment.$scoped.withValue(environment) { listen() }
            // The thread holds the pipeline; a finished one must not be held back.
            run.withLock { $0 = nil }
            end.leave()
        }
        thread.name = "rackfocus sound"
        let started = Run(thread: thread, end: end)
        run.withLock { $0 = started }
        environment.stepper?.enter(self)
        thread.start()
    }

    func stop() {
        delivery.stop()
        environment.stepper?.leave(self)
        guard let run = run.withLock({ $0 }), run.thread !== Thread.current else { return }
        run.end.wait()
    }

    private func listen() {
        var failure: (any Error)?
        do {
            var pace = WallPace()
            while !delivery.isStopped, mayListen, let sound = try microphone.listen() {
                if environment.isWallClock {
                    let heard = sound.presentationTime + Sound.time(of: Int64(sound.sampleCount), sampleRate: sound.sampleRate)
                    guard delivery.wait(until: pace.date(of: heard, since: sound.presentationTime)) else { return }
                }
                session?.advanceClock(to: sound.presentationTime)
                session?.deliver(sound, by: delivery)
                for output in session?.soundOutputs ?? [] { output.synchronizer?.deliverFrame(at: sound.presentationTime, by: delivery) }
            }
        } catch {
            failure = error
        }
        session?.pipelineDidEnd(self, error: failure)
        environment.stepper?.leave(self)
    }

    private var mayListen: Bool { environment.stepper?.waitForFrame(self) ?? true }
}

/// What runs behind a session.
protocol SessionPipeline: AnyObject, Sendable {
    func start()
    /// Ends it and waits for its threads, apart from the one it is called on.
    func stop()
}
