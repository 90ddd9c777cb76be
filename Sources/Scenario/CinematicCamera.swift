import AVFoundation
import Foundation
import Synchronization

/// A cinematic camera app, written against the mirrored API and nothing else: what `render` runs, and what an iOS app would do.
///
/// Session set-up in Apple's order, focus by tap and long press as in Apple's interaction model. Frames come out with the metadata
/// objects and the scene status of the same presentation time.
public final class CinematicCamera: NSObject, Sendable {
    /// One frame as the user sees it.
    public struct Shot: Sendable {
        public var sampleBuffer: CMSampleBuffer
        public var objects: [AVMetadataObject]
        public var statuses: Set<AVCaptureSceneMonitoringStatus>
        public var simulatedAperture: Float
    }

    public enum SetUpError: Error, CustomStringConvertible {
        case noCamera
        case noCinematicFormat(camera: String)
        case apertureOutOfRange(Float, supported: ClosedRange<Float>)

        public var description: String {
            switch self {
            case .noCamera: "no camera found that can capture cinematic video"
            case .noCinematicFormat(let camera): "the camera \(camera) has no format for cinematic video"
            case .apertureOutOfRange(let fNumber, let supported):
                "f/\(fNumber) is not an aperture of this camera: it has f/\(supported.lowerBound) to f/\(supported.upperBound)"
            }
        }
    }

    public let session = AVCaptureSession()
    public let previewLayer: AVCaptureVideoPreviewLayer
    public let device: AVCaptureDevice
    let input: AVCaptureDeviceInput
    /// Records the sharp picture; only in a camera that was made to record.
    public let movieOutput: AVCaptureMovieFileOutput?
    private let videoOutput = AVCaptureVideoDataOutput()
    private let metadataOutput = AVCaptureMetadataOutput()
    private let queue = DispatchQueue(label: "camera")
    private let state: Mutex<State>

    private struct State {
        var gesture: TapOrPress
        /// The objects of the newest metadata callback.
        var objects: [AVMetadataObject] = []
        /// Metadata that waits for its picture: one callback a frame, both in frame order.
        var waiting: [(objects: [AVMetadataObject], statuses: Set<AVCaptureSceneMonitoringStatus>)] = []
        var onShot: (@Sendable (Shot) -> Void)?
    }

    /// Finds a cinematic camera, connects it, and enables cinematic video at `aperture` (nil: the format's default).
    ///
    /// - Parameter records: whether a movie output is connected beside the others.
    public init(aperture: Float? = nil, longPress: Int64 = 300_000_000, records: Bool = false) throws {
        let discovery = AVCaptureDevice.DiscoverySession(
            deviceTypes: [.builtInDualWideCamera, .builtInTrueDepthCamera, .builtInUltraWideCamera, .external], mediaType: .video,
            position: .unspecified)
        guard let device = discovery.devices.first(where: { $0.formats.contains(where: \.isCinematicVideoCaptureSupported) }) else {
            throw SetUpError.noCamera
        }
        self.device = device
        input = try AVCaptureDeviceInput(device: device)
        previewLayer = AVCaptureVideoPreviewLayer(session: session)
        movieOutput = records ? AVCaptureMovieFileOutput() : nil
        state = Mutex(State(gesture: TapOrPress(pressTime: longPress)))
        super.init()

        try connectInput()
        if let aperture { try setAperture(aperture) }
        connectOutputs()
    }

    /// Starts the session; `onShot` is called for each frame, in order, until the session stops.
    public func start(onShot: @escaping @Sendable (Shot) -> Void) {
        state.withLock { $0.onShot = onShot }
        session.startRunning()
    }

    /// What can be tapped and is drawn: bodies are left out, as in Apple's sample, to keep the picture uncluttered.
    public static func isShown(_ object: AVMetadataObject) -> Bool {
        ![.humanBody, .catBody, .dogBody].contains(object.type)
    }

    var tappable: [AVMetadataObject] { state.withLock { $0.objects.filter(Self.isShown) } }

    func withGesture<Result: Sendable>(_ body: (inout sending TapOrPress) -> sending Result) -> Result {
        state.withLock { body(&$0.gesture) }
    }

    /// The user turns the aperture ring.
    public func setAperture(_ fNumber: Float) throws {
        let format = device.activeFormat
        guard format.minSimulatedAperture <= fNumber, fNumber <= format.maxSimulatedAperture else {
            throw SetUpError.apertureOutOfRange(fNumber, supported: format.minSimulatedAperture...format.maxSimulatedAperture)
        }
        input.simulatedAperture = fNumber
    }

    private func connectInput() throws {
        session.addInput(input)
        guard let format = device.formats.first(where: \.isCinematicVideoCaptureSupported) else {
            throw SetUpError.noCinematicFormat(camera: device.localizedName)
        }
        session.beginConfiguration()
        try device.lockForConfiguration()
        device.activeFormat = format
        device.unlockForConfiguration()
        session.commitConfiguration()
        guard input.isCinematicVideoCaptureSupported else { throw SetUpError.noCinematicFormat(camera: device.localizedName) }
        input.isCinematicVideoCaptureEnabled = true
    }

    private func connectOutputs() {
        session.addOutput(metadataOutput)
        metadataOutput.metadataObjectTypes = metadataOutput.requiredMetadataObjectTypesForCinematicVideoCapture
        metadataOutput.setMetadataObjectsDelegate(self, queue: queue)
        session.addOutput(videoOutput)
        videoOutput.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange]
        videoOutput.setSampleBufferDelegate(self, queue: queue)
        if let movieOutput { session.addOutput(movieOutput) }
    }
}

extension CinematicCamera: AVCaptureMetadataOutputObjectsDelegate {
    public func metadataOutput(
        _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject], from connection: AVCaptureConnection
    ) {
        let statuses = device.cinematicVideoCaptureSceneMonitoringStatuses
        state.withLock {
            $0.objects = metadataObjects
            $0.waiting.append((metadataObjects, statuses))
        }
    }
}

extension CinematicCamera: AVCaptureVideoDataOutputSampleBufferDelegate {
    public func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        let aperture = input.simulatedAperture
        let (shot, onShot) = state.withLock { state in
            let metadata = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
            let shot = Shot(
                sampleBuffer: sampleBuffer, objects: metadata?.objects ?? [], statuses: metadata?.statuses ?? [], simulatedAperture: aperture)
            return (shot, state.onShot)
        }
        onShot?(shot)
    }
}
