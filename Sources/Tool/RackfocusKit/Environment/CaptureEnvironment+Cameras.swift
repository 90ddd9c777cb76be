import AVFoundation
import CoreMedia
import Foundation
import Pipeline
import VideoDevice
import Vision

extension CaptureEnvironment {
    /// Environment of an app that films with the cameras of this machine, each an external device with the formats that its driver offers.
    ///
    /// The clock is the wall's: a slow delegate loses frames. Distances are guessed, as of plain video; a camera with a depth camera in the same hardware is a
    /// LiDAR camera. Cameras that cannot be used are left out; `VideoCamera.all()` says why. Recordings and photos become files.
    public static func cameras(renderer: (any BokehRenderer)?, models: VisionModels = VisionModels()) -> CaptureEnvironment {
        cameras(LiveRig.all(of: VideoCamera.all().filter { $0.problem == nil }), renderer: renderer, models: models)
    }

    /// The same with rigs that are known.
    ///
    /// - Parameters:
    ///   - only: the one format that each has; nil for all.
    ///   - onOpen: receives each source that is opened.
    package static func cameras(
        _ rigs: [LiveRig], only: LiveFormat? = nil, in system: any VideoSystem = KernelVideo(), renderer: (any BokehRenderer)?,
        models: VisionModels = VisionModels(), detector: (any SubjectDetector)? = nil,
        onOpen: @escaping @Sendable (any LiveCameraSource) -> Void = { _ in }
    ) -> CaptureEnvironment {
        let profiles = rigs.map { $0.profile(only: only) }
        var environment = CaptureEnvironment(cameras: profiles, renderer: renderer) { profile in
            guard let index = profiles.firstIndex(where: { $0.uniqueID == profile.uniqueID }), let format = profile.formats.first else {
                throw AVError(.deviceNotConnected)
            }
            let detector = try detector ?? VisionDetector(models: models, pace: .free)
            do {
                let duration = CMTime(value: 1000, timescale: Int32((format.maxFrameRate * 1000).rounded()))
                let source = try rigs[index].open(width: format.width, height: format.height, frameDuration: duration, in: system)
                onOpen(source)
                return try rigs[index].feed(source, detector: detector, models: models)
            } catch let error as VideoDeviceError {
                throw AVError(error)
            }
        }
        environment.clock = .wall
        environment.date = { _ in Date() }
        return environment.writingFiles()
    }
}
