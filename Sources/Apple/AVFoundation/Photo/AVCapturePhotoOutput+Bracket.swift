import CoreVideo
import Foundation
import Pipeline
import Synchronization

/// Brackets: consecutive frames of the source, each exposed for one step.
///
/// The source is set to a step before it makes the frame, and the frame carries the number of the settings. Footage keeps the light it was
/// filmed in, so that its brackets are consecutive frames. Other outputs show the frames of a bracket, too, in its exposures.
extension AVCapturePhotoOutput {
    /// Number of photos in one bracketed capture: 3, or 0 until the output is connected.
    public var maxBracketedCapturePhotoCount: Int { connections.isEmpty ? 0 : 3 }

    /// Bracket under way.
    struct Bracket: @unchecked Sendable {
        struct Step: Sendable {
            let settings: AVCaptureBracketedStillImageSettings
            let metering: CameraSettings.Metering
        }

        let steps: [Step]
        /// Number of steps that the source was set to.
        var issued = 0
        /// Photos so far.
        var photos: [AVCapturePhoto] = []

        /// Sets the source again to every step without a photo.
        mutating func reissue() { issued = photos.count }

        /// Step of the photo to come.
        var next: (index: Int, settings: AVCaptureBracketedStillImageSettings) { (photos.count, steps[photos.count].settings) }
    }

    /// Reason why a capture of this bracket raises; nil when it does not, and for settings of a single photo.
    func bracketRefusal(of settings: AVCapturePhotoSettings) -> String? {
        guard let settings = settings as? AVCapturePhotoBracketSettings else { return nil }
        let steps = settings.bracketedSettings
        if steps.isEmpty { return "settings.bracketedSettings must not be empty" }
        if steps.count > maxBracketedCapturePhotoCount { return "settings.bracketedSettings must not exceed maxBracketedCapturePhotoCount" }
        if steps.contains(where: { type(of: $0) != type(of: steps[0]) }) { return "settings.bracketedSettings must all be of the same class" }
        if settings.isLensStabilizationEnabled {
            return "settings.lensStabilizationEnabled may not be YES when output.lensStabilizationDuringBracketedCaptureSupported is NO"
        }
        guard let device, steps.allSatisfy({ device.metering(of: $0) != nil }) else {
            return "settings.bracketedSettings must lie within the exposure ranges of the device and its activeFormat"
        }
        return nil
    }

    /// Bracket of settings that are allowed; nil for a single photo.
    func bracket(of settings: AVCapturePhotoSettings) -> Bracket? {
        guard let settings = settings as? AVCapturePhotoBracketSettings, let device else { return nil }
        let steps = settings.bracketedSettings.compactMap { step in
            device.metering(of: step).map { Bracket.Step(settings: step, metering: $0) }
        }
        return Bracket(steps: steps)
    }

    /// Takes the exposure of the source's next frame and the number of its settings; nil where no bracket waits for a frame.
    func takeBracketStep() -> (request: Int64, metering: CameraSettings.Metering)? {
        state.withLock { state in
            for index in state.waiting.indices {
                guard let bracket = state.waiting[index].bracket, bracket.issued < bracket.steps.count else { continue }
                state.waiting[index].bracket?.issued += 1
                return (state.waiting[index].uniqueID, bracket.steps[bracket.issued].metering)
            }
            return nil
        }
    }

    /// Asks again for frames that an earlier source was set for and did not bring.
    func renewBrackets() {
        state.withLock { state in
            for index in state.waiting.indices { state.waiting[index].bracket?.reissue() }
        }
    }

    /// Keeps a photo for its request; returns all its photos and ends its wait with the last one, else nil.
    func collect(_ photo: AVCapturePhoto, for request: Request) -> [AVCapturePhoto]? {
        state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0.uniqueID == request.uniqueID }) else { return nil }
            let photos = (state.waiting[index].bracket?.photos ?? []) + [photo]
            guard photos.count >= request.bracket?.steps.count ?? 1 else {
                state.waiting[index].bracket?.photos = photos
                return nil
            }
            state.waiting.remove(at: index)
            state.processing += 1
            return photos
        }
    }
}
