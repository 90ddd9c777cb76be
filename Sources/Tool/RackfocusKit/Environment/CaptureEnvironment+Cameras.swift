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
    /// LiDAR camera, and two whose calibration names them are a Dual Wide camera. Cameras that cannot be used are left out; `VideoCamera.all()` and
    /// `rackfocus devices` say why. Recordings and photos become files.
    ///
    /// A camera that is plugged in later appears, with `AVCaptureDevice.wasConnectedNotification`; one that is pulled out is gone, and ends its session.
    ///
    /// - Parameter rigs: calibrations of pairs; by default those that `RACKFOCUS_RIGS` lists, or that lie in `RigFile.folderName`.
    public static func cameras(
        renderer: (any BokehRenderer)?, models: VisionModels = VisionModels(), rigs: [RigFile] = RigFile.all()
    ) -> CaptureEnvironment {
        let watch = DeviceWatch()
        let plugs = LivePlugs(pairs: rigs, in: KernelVideo())
        let environment = cameras(plugs, in: KernelVideo(), renderer: renderer, models: models)
        plugs.watch(watch, telling: environment.conditions)
        return environment
    }

    /// The same with the devices that are plugged in now, and those that `plugs` tells of.
    static func cameras(
        _ plugs: LivePlugs, in system: any VideoSystem, renderer: (any BokehRenderer)?, models: VisionModels = VisionModels(),
        detector: (any SubjectDetector)? = nil
    ) -> CaptureEnvironment {
        live(plugs.profiles, in: system, renderer: renderer, models: models, detector: detector) { plugs.rig(of: $0.uniqueID) }
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
        return live(profiles, in: system, renderer: renderer, models: models, detector: detector, onOpen: onOpen) { profile in
            profiles.firstIndex { $0.uniqueID == profile.uniqueID }.map { rigs[$0] }
        }
    }

    private static func live(
        _ profiles: [CameraProfile], in system: any VideoSystem, renderer: (any BokehRenderer)?, models: VisionModels,
        detector: (any SubjectDetector)?, onOpen: @escaping @Sendable (any LiveCameraSource) -> Void = { _ in },
        rig: @escaping @Sendable (CameraProfile) -> LiveRig?
    ) -> CaptureEnvironment {
        var environment = CaptureEnvironment(cameras: profiles, renderer: renderer) { profile in
            guard let rig = rig(profile), let format = profile.formats.first else { throw AVError(.deviceNotConnected) }
            let detector = try detector ?? VisionDetector(models: models, pace: .free)
            do {
                let duration = CMTime(value: 1000, timescale: Int32((format.maxFrameRate * 1000).rounded()))
                let source = try rig.open(width: format.width, height: format.height, frameDuration: duration, in: system)
                onOpen(source)
                return try rig.feed(source, detector: detector, models: models)
            } catch let error as VideoDeviceError {
                throw AVError(error)
            }
        }
        environment.clock = .wall
        environment.date = { _ in Date() }
        return environment.writingFiles()
    }
}
