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
        /// Photos so far.
        var photos: [AVCapturePhoto] = []
        /// Indices of the frames on their way, of the steps after `photos`.
        var coming: [Int] = []

        /// Step to set the source to; nil where every one without a photo has its frame on the way.
        var due: Step? { photos.count + coming.count < steps.count ? steps[photos.count + coming.count] : nil }

        /// Sets the source again to every step without a photo.
        mutating func reissue() { coming = [] }

        /// Takes note of a frame that arrives. One on the way that never came, or that cannot be used, is asked for again, with those after it.
        mutating func meet(_ index: Int, isUsable: Bool) {
            guard let first = coming.first, first < index || (first == index && !isUsable) else { return }
            reissue()
        }

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

    /// Exposure of the source's next frame and the number of its settings; nil where no bracket waits for a frame.
    var dueBracketStep: (request: Int64, metering: CameraSettings.Metering)? {
        state.withLock { state in
            for request in state.waiting {
                if let step = request.bracket?.due { return (request.uniqueID, step.metering) }
            }
            return nil
        }
    }

    /// Takes note of the frame that was exposed for the step that is due.
    func expectBracketFrame(_ index: Int, for request: Int64) {
        state.withLock { state in
            guard let place = state.waiting.firstIndex(where: { $0.uniqueID == request }) else { return }
            state.waiting[place].bracket?.coming.append(index)
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
            if state.waiting[index].bracket?.coming.isEmpty == false { state.waiting[index].bracket?.coming.removeFirst() }
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
