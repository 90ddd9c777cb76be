import Foundation
import Pipeline

/// The same three stages, one after the other on the thread that starts the session.
extension CapturePipeline {
    /// Runs until the source is over, the session is stopped from a callback, or something fails.
    func runInline() {
        CaptureEnvironment.$scoped.withValue(environment) {
            let decider = makeDecider()
            do {
                while !delivery.hasStopped, let frame = try environment.timings.measure("source", feed.source.nextFrame) {
                    guard let decided = try decide(frame, with: decider) else { return }
                    if deliversMore { deliver(decided) }
                }
                session?.pipelineDidEnd(self, error: nil)
            } catch {
                session?.pipelineDidEnd(self, error: error)
            }
        }
    }

    /// Whether there is anything to do after the metadata were delivered and the movie was written.
    private var deliversMore: Bool {
        session?.outputs.contains { output in
            output.synchronizer != nil || !(output is AVCaptureMetadataOutput || output is AVCaptureFileOutput)
        } ?? false
    }
}
