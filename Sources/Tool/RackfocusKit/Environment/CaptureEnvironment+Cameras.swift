import AVFoundation
import CoreMedia
import Foundation
import Pipeline
import VideoDevice
import Vision

extension CaptureEnvironment {
    /// Environment of an app that films with the cameras of this machine, each an external device with the formats that its driver offers.
    ///
    /// The clock is the wall's: a slow delegate loses frames. Distances are guessed, as of plain video. Cameras that cannot be used are left out;
    /// `VideoCamera.all()` says why. Recordings and photos become files.
    public static func cameras(renderer: (any BokehRenderer)?, models: VisionModels = VisionModels()) -> CaptureEnvironment {
        cameras(VideoCamera.all().filter { $0.problem == nil }, renderer: renderer, models: models)
    }

    /// The same with cameras that are known.
    ///
    /// - Parameters:
    ///   - only: the one format that each has; nil for all.
    ///   - onOpen: receives each source that is opened.
    package static func cameras(
        _ cameras: [VideoCamera], only: LiveFormat? = nil, in system: any VideoSystem = KernelVideo(), renderer: (any BokehRenderer)?,
        models: VisionModels = VisionModels(), detector: (any SubjectDetector)? = nil, onOpen: @escaping @Sendable (CameraSource) -> Void = { _ in }
    ) -> CaptureEnvironment {
        var environment = CaptureEnvironment(cameras: cameras.map { CameraProfile($0, only: only) }, renderer: renderer) { profile in
            guard let camera = cameras.first(where: { $0.uniqueID == profile.uniqueID }), let format = profile.formats.first else {
                throw AVError(.deviceNotConnected)
            }
            let detector = try detector ?? VisionDetector(models: models, pace: .free)
            let estimator = try MonocularDepthEstimator(focalLength: CameraProfile.plainFocalLength / 36, model: models.depth)
            do {
                let found = try camera.located(in: system)
                let duration = CMTime(value: 1000, timescale: Int32((format.maxFrameRate * 1000).rounded()))
                let source = try CameraSource(found, width: format.width, height: format.height, frameDuration: duration, in: system)
                onOpen(source)
                return CameraFeed(source: LiveSource(source), detector: detector, monocular: estimator)
            } catch let error as VideoDeviceError {
                throw AVError(error)
            }
        }
        environment.clock = .wall
        environment.date = { _ in Date() }
        return environment.writingFiles()
    }
}
