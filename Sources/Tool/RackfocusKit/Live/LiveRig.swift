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

    /// Second camera; nil without one.
    package var second: VideoCamera? { partner?.camera }

    /// Distance of two eyes in metres; nil for other rigs.
    package var baseline: Double? { if case .right(_, let calibration) = partner { calibration.baseline } else { nil } }

    /// Devices that cameras make: the pairs that files name, as far as their cameras are there, then each camera, one that delivers depth together with
    /// the picture of the same hardware.
    package static func all(of cameras: [VideoCamera], pairs: [RigFile] = []) -> [LiveRig] {
        pairs.compactMap { try? $0.rig(among: cameras) }
            + cameras.filter { !$0.isDepth }.map { camera in
                LiveRig(camera, partner: cameras.first { $0.isDepth && $0.isPart(of: camera) && $0.problem == nil }.map(Partner.depth))
            }
    }

    /// Device of the rig; `wanted` is the one format there is to be, nil for all of the main camera's in which the second one keeps up.
    func profile(only wanted: LiveFormat?) -> CameraProfile {
        var profile = CameraProfile(main, only: wanted)
        guard let partner else { return profile }
        profile.position = 1
        // The geometry of two views holds for one zoom.
        profile.hardware.zoomsLens = false
        profile.formats = profile.formats.compactMap { format in
            guard wanted != nil || partner.rates(besides: format) != nil else { return nil }
            return format.unzoomed(within: wanted == nil ? partner.rates(besides: format) : nil)
        }
        switch partner {
        case .right(let right, let calibration):
            profile.uniqueID += "+" + right.uniqueID
            profile.name += " and " + right.name
            profile.deviceType = AVCaptureDevice.DeviceType.builtInDualWideCamera.rawValue
            profile.focalLength = calibration.left.focalLength[0] / Double(calibration.width) * 36
            (profile.hardware.isVirtual, profile.hardware.constituents) = (true, [main.uniqueID, right.uniqueID])
        case .depth: profile.deviceType = AVCaptureDevice.DeviceType.builtInLiDARDepthCamera.rawValue
        }
        return profile
    }

    /// Formats of the device in words: `1280x720 at 30 fps`.
    package var formatList: [String] {
        profile(only: nil).formats.map { "\($0.width)x\($0.height) at \(LiveFormat.text($0.maxFrameRate)) fps" }
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
            return CameraFeed(
                source: LiveSource(source), detector: detector, estimator: StereoDisparityEstimator(calibration: calibration),
                upsampler: JointUpsampler.ofPairs)
        case .depth:
            return CameraFeed(
                source: LiveSource(source, refiner: DisparityRefiner()), detector: detector,
                upsampler: JointUpsampler.ofPairs)
        }
    }
}

extension LiveRig.Partner {
    /// Second camera.
    fileprivate var camera: VideoCamera {
        switch self {
        case .right(let camera, _), .depth(let camera): camera
        }
    }

    /// Rates that the second camera has for pictures of a format of the first; nil where it has none of the size, or of another shape than was measured.
    fileprivate func rates(besides format: CameraProfile.Format) -> ClosedRange<Double>? {
        let size: (width: Int, height: Int)?
        switch self {
        case .right(_, let calibration):
            let skew = abs(format.width * calibration.height - format.height * calibration.width)
            size = skew * 100 <= format.width * calibration.height ? (format.width, format.height) : nil
        case .depth(let depth): size = depth.depthSize(besides: format.width, format.height)
        }
        guard let size, let modes = camera.sizes.first(where: { $0.width == size.width && $0.height == size.height })?.modes else { return nil }
        let rates = modes.map(\.frameRates)
        guard
            let least = rates.map(\.lowerBound).min(), let most = rates.map(\.upperBound).max(), least <= format.maxFrameRate,
            most >= format.minFrameRate
        else { return nil }
        return max(least, format.minFrameRate)...min(most, format.maxFrameRate)
    }
}

extension CameraProfile.Format {
    /// The same without zoom, and within some rates; nil leaves them.
    fileprivate func unzoomed(within rates: ClosedRange<Double>?) -> CameraProfile.Format {
        var format = self
        let rates = rates ?? minFrameRate...maxFrameRate
        (format.maxZoom, format.minFrameRate, format.maxFrameRate) = (1, rates.lowerBound, rates.upperBound)
        format.cinematic?.maxZoom = 1
        format.cinematic?.minFrameRate = rates.lowerBound
        format.cinematic?.maxFrameRate = rates.upperBound
        return format
    }
}

extension VideoCamera {
    /// Largest size of depth that has the shape of a picture, to within 2 %, and is no larger; nil without one.
    fileprivate func depthSize(besides width: Int, _ height: Int) -> (width: Int, height: Int)? {
        sizes.map { ($0.width, $0.height) }.first { $0.0 <= width && abs($0.0 * height - width * $0.1) * 50 <= width * $0.1 }
    }
}
