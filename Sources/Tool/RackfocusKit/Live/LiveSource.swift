import AVFoundation
import CoreMedia
import Pipeline
import VideoDevice

/// Frames of a camera for the capture graph: with the light judged from the picture where the camera does not tell its exposure, and errors as
/// the capture API names them.
final class LiveSource: AdjustableSource {
    let camera: CameraSource
    private let metered: MeteredSource

    init(_ camera: CameraSource) { (self.camera, metered) = (camera, MeteredSource(camera)) }

    var description: SourceDescription { camera.description }
    var remarks: [String] { camera.remarks }
    func adjust(_ settings: CameraSettings) { camera.adjust(settings) }

    func nextFrame() throws -> Frame? {
        do { return try metered.nextFrame() } catch let error as VideoDeviceError { throw AVError(error) }
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
