import CoreMedia
import Foundation
import Pipeline
import Synchronization

/// What runs behind a session that only listens: one thread, which hands on stretches of sound until the microphone has no more.
///
/// The clock shows the time of the stretch at hand; without a listener it goes on all the same.
final class MicrophonePipeline: SessionPipeline, @unchecked Sendable {
    private let microphone: Microphone
    private let environment: CaptureEnvironment
    private weak var session: AVCaptureSession?
    private let delivery: Delivery
    private let isStopped = Mutex(false)
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
        thread.start()
    }

    func stop() {
        isStopped.withLock { $0 = true }
        delivery.stop()
        guard let run = run.withLock({ $0 }), run.thread !== Thread.current else { return }
        run.end.wait()
    }

    private func listen() {
        do {
            while !isStopped.withLock({ $0 }), let sound = try microphone.listen() {
                session?.advanceClock(to: sound.presentationTime)
                session?.deliver(sound, by: delivery)
                session?.synchronizeSound(at: sound.presentationTime, by: delivery)
            }
            session?.pipelineDidEnd(self, error: nil)
        } catch {
            session?.pipelineDidEnd(self, error: error)
        }
    }
}

/// What runs behind a session.
protocol SessionPipeline: AnyObject, Sendable {
    func start()
    /// Ends it and waits for its threads, apart from the one it is called on.
    func stop()
}
