import CoreVideo
import Pipeline
import Synchronization

/// The third stage: the picture through the lens. On failure the frame passes sharp: reported to the observer each time, to the app once.
final class LensStage: Sendable {
    private let environment: CaptureEnvironment
    private let onFirstFailure: @Sendable (AVError) -> Void
    private let hasFailed = Mutex(false)
    private let isReady = Mutex(false)

    init(environment: CaptureEnvironment, onFirstFailure: @escaping @Sendable (AVError) -> Void) {
        (self.environment, self.onFirstFailure) = (environment, onFirstFailure)
    }

    /// Blur of a frame and who draws it; nil for one that stays sharp.
    private func drawing(of next: DecidedFrame) -> (blur: DecidedFrame.Blur, renderer: any BokehRenderer)? {
        guard let blur = next.blur, let renderer = environment.renderer, environment.isDrawn?(next.frame) ?? true else { return nil }
        return (blur, renderer)
    }

    /// Starts the lens on a frame, and prepares it for the first; failures show when the picture is asked for.
    func begin(_ next: DecidedFrame) -> PendingPicture? {
        guard let (blur, renderer) = drawing(of: next) else { return nil }
        do {
            try isReady.withLock { isReady in
                if !isReady {
                    try environment.timings.measure("prepare") { try renderer.prepare(for: next.frame.picture, disparity: blur.disparity) }
                }
                isReady = true
            }
            return try environment.timings.measure("bokeh begin") {
                try renderer.begin(next.frame.picture, disparity: blur.disparity, circle: blur.circle)
            }
        } catch {
            return PendingPicture { throw error }
        }
    }

    /// Waits for the picture, or has it made now where nobody seemed to want one before.
    func picture(of next: DecidedFrame, begun: PendingPicture?) -> CVPixelBuffer {
        guard let (blur, renderer) = drawing(of: next) else { return next.frame.picture }
        do {
            return try environment.timings.measure("bokeh") {
                try begun?.finish() ?? renderer.render(next.frame.picture, disparity: blur.disparity, circle: blur.circle)
            }
        } catch {
            environment.observer?.didPassThrough(next.frame, because: error)
            let isFirst = hasFailed.withLock { failed in
                defer { failed = true }
                return !failed
            }
            if isFirst { onFirstFailure(AVError(.unknown, underlying: error)) }
            return next.frame.picture
        }
    }
}
