import AVFoundation
import CoreMedia
import Pipeline
import VideoDevice
import Vision

/// Cameras of this machine that film as one device: one alone, two eyes whose geometry `rackfocus calibrate` measured, or one with a depth camera.
package struct LiveRig: Sendable {
    /// Second camera and its part.
    package enum Partner: Sendable {
        /// Right eye of a Dual Wide device.
        case right(VideoCamera, StereoCalibration)
        /// Depth in the picture's own view, of a device like a LiDAR camera.
        case depth(VideoCamera)
    }

    /// Camera whose pictures are filmed.
    package var main: VideoCamera
    /// Second camera; nil without one, and then distances are guessed.
    package var partner: Partner?

    package init(_ main: VideoCamera, partner: Partner? = nil) { (self.main, self.partner) = (main, partner) }

    /// Cameras as rigs: one that delivers depth goes with the picture of the same hardware.
    package static func all(of cameras: [VideoCamera]) -> [LiveRig] {
        cameras.filter { !$0.isDepth }.map { camera in
            LiveRig(camera, partner: cameras.first { $0.isDepth && $0.isPart(of: camera) && $0.problem == nil }.map(Partner.depth))
        }
    }

    /// Device of the rig; `wanted` is the one format there is to be, nil for all of the main camera's.
    func profile(only wanted: LiveFormat?) -> CameraProfile {
        var profile = CameraProfile(main, only: wanted)
        switch partner {
        case nil: return profile
        case .right(let right, let calibration):
            profile.uniqueID += "+" + right.uniqueID
            profile.name += " and " + right.name
            profile.deviceType = AVCaptureDevice.DeviceType.builtInDualWideCamera.rawValue
            profile.focalLength = calibration.left.focalLength[0] / Double(calibration.width) * 36
        case .depth: profile.deviceType = AVCaptureDevice.DeviceType.builtInLiDARDepthCamera.rawValue
        }
        profile.position = 1
        return profile
    }

    /// Opens the cameras at a size and a rate. Throws `VideoDeviceError`.
    func open(width: Int, height: Int, frameDuration: CMTime, in system: any VideoSystem) throws(VideoDeviceError) -> any LiveCameraSource {
        func open(_ camera: VideoCamera, _ width: Int, _ height: Int) throws(VideoDeviceError) -> CameraSource {
            try CameraSource(try camera.located(in: system), width: width, height: height, frameDuration: frameDuration, in: system)
        }
        let first = try open(main, width, height)
        switch partner {
        case nil: return first
        case .right(let right, _): return try PairedCameraSource(first, with: try open(right, width, height))
        case .depth(let depth):
            guard let size = depth.depthSize(besides: width, height) else {
                throw VideoDeviceError(.unsupported, depth.path, "has no depth in the shape of \(width)x\(height)")
            }
            return try PairedCameraSource(first, with: try open(depth, size.width, size.height))
        }
    }

    /// Feed of an opened source.
    func feed(_ source: any LiveCameraSource, detector: any SubjectDetector, models: VisionModels) throws -> CameraFeed {
        switch partner {
        case nil:
            let estimator = try MonocularDepthEstimator(focalLength: CameraProfile.plainFocalLength / 36, model: models.depth)
            return CameraFeed(source: LiveSource(source), detector: detector, monocular: estimator)
        case .right(_, let calibration):
            return CameraFeed(source: LiveSource(source), detector: detector, estimator: StereoDisparityEstimator(calibration: calibration))
        case .depth: return CameraFeed(source: LiveSource(source, refiner: DisparityRefiner(width: 960)), detector: detector)
        }
    }
}

extension VideoCamera {
    /// Largest size of depth that has the shape of a picture, to within 2 %, and is no larger; nil without one.
    fileprivate func depthSize(besides width: Int, _ height: Int) -> (width: Int, height: Int)? {
        sizes.map { ($0.width, $0.height) }.first { $0.0 <= width && abs($0.0 * height - width * $0.1) * 50 <= width * $0.1 }
    }
}
