import CoreMedia
import Foundation
import Pipeline
import Synchronization

/// Pipeline of a session with a microphone alone: one thread, which hands on stretches of sound until the microphone has no more.
///
/// The clock shows the time of the stretch at hand; without a listener it goes on all the same. A stepper's step is one stretch; under the
/// wall clock a stretch comes when its time is over.
final class MicrophonePipeline: SessionPipeline, @unchecked Sendable {
    private let microphone: Microphone
    private let environment: CaptureEnvironment
    private let stepper: FrameStepper?
    private weak var session: AVCaptureSession?
    private let delivery: Delivery
    let threads = PipelineThreads()
    var hasEnded = false
    var input: AVCaptureDeviceInput { microphone.input }
    var isUpToDate: Bool { true }

    init(microphone: Microphone, session: AVCaptureSession) {
        self.microphone = microphone
        self.session = session
        environment = session.environment
        stepper = session.stepper
        delivery = Delivery(environment: session.environment)
    }

    func start(after before: [PipelineThreads]) {
        threads.start([.init("sound", listen)], in: environment, after: before, delivery: delivery)
    }

    func stop() {
        delivery.stop()
        stepper?.leave(self)
        threads.join()
    }

    private func listen() {
        var failure: (any Error)?
        do {
            var pace = WallPace()
            var isFirst = true
            while !delivery.isStopped, mayListen, let sound = try microphone.listen(isFirst: isFirst) {
                isFirst = false
                if environment.isWallClock {
                    let heard = sound.presentationTime + Sound.time(of: Int64(sound.sampleCount), sampleRate: sound.sampleRate)
                    guard delivery.wait(until: pace.date(of: heard, since: sound.presentationTime)) else { return }
                }
                session?.clock.advance(to: sound.presentationTime)
                session?.record(sound, by: delivery)
                session?.deliver(sound, by: delivery)
                for output in session?.soundOutputs ?? [] {
                    output.synchronizer?.expectFrame(at: sound.presentationTime)
                    output.synchronizer?.deliverFrames(through: sound.presentationTime, by: delivery)
                }
            }
        } catch {
            failure = error
        }
        session?.pipelineDidEnd(self, error: failure)
        stepper?.leave(self)
    }

    private var mayListen: Bool { stepper?.waitForFrame(self, after: nil) ?? true }
}

/// Role of what runs behind an input that sets the pace: a camera, without one the microphone.
protocol SessionPipeline: AnyObject, Sendable {
    var input: AVCaptureDeviceInput { get }
    /// Whether the input is as it was when it was opened.
    var isUpToDate: Bool { get }
    /// Whether its source has run out; under the lock of the session's state.
    var hasEnded: Bool { get set }
    /// Begins once the threads of stopped pipelines are over.
    func start(after before: [PipelineThreads])
    /// Threads of the pipeline, none of an inline session.
    var threads: PipelineThreads { get }
    /// Ends it and waits for its threads, apart from the one it is called on.
    func stop()
}
