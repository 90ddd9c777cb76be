import AVFoundation
import CoreMedia
import Pipeline
import VideoDevice
import Vision

/// Frames of a camera for the capture graph: with the light judged from the picture where the camera does not tell its exposure, and errors as
/// the capture API names them.
final class LiveSource: AdjustableSource {
    private let camera: any LiveCameraSource
    private let metered: MeteredSource
    /// Makes measured depth fit for the lens; nil where the source brings none.
    private let refiner: DisparityRefiner?

    init(_ camera: any LiveCameraSource, refiner: DisparityRefiner? = nil) {
        (self.camera, metered, self.refiner) = (camera, MeteredSource(camera), refiner)
    }

    var description: SourceDescription { camera.description }
    var remarks: [String] { camera.remarks }
    func adjust(_ settings: CameraSettings) { camera.adjust(settings) }

    func nextFrame() throws -> Frame? {
        do {
            guard var frame = try metered.nextFrame() else { return nil }
            if let refiner, let map = frame.disparity { frame.disparity = try refiner.refine(map, of: frame.image) }
            return frame
        } catch let error as VideoDeviceError { throw AVError(error) }
    }
}

extension AVError {
    /// The capture API's error for a camera's, with that beneath.
    init(_ error: VideoDeviceError) {
        let code: AVError.Code =
            switch error.code {
            case .disconnected: .deviceWasDisconnected
            case .missing: .deviceNotConnected
            case .permission: .applicationIsNotAuthorizedToUseDevice
            case .busy: .deviceInUseByAnotherApplication
            case .unsupported: .formatUnsupported
            case .wrongKind, .noFrames, .failed: .unknown
            }
        self.init(code, userInfo: [NSUnderlyingErrorKey: error, NSLocalizedDescriptionKey: error.description])
    }
}
