import CoreMedia
import CoreVideo
import Foundation
import Synchronization

/// Source of media for a session, with one port per stream.
open class AVCaptureInput: _SendableObject, @unchecked Sendable {
    let environment: CaptureEnvironment
    private struct State: Sendable {
        var ports: [Port] = []
        weak var session: AVCaptureSession?
    }

    private let state = Mutex(State())

    init(environment: CaptureEnvironment) { self.environment = environment }

    /// Streams of the input: of a camera video, metadata and perhaps depth, of a microphone audio, of an app's own metadata these.
    open var ports: [Port] { state.withLock { $0.ports } }

    func carries(_ mediaType: AVMediaType) -> Bool { ports.contains { $0.mediaType == mediaType } }

    func setPorts(_ ports: [Port]) { state.withLock { $0.ports = ports } }

    var session: AVCaptureSession? { state.withLock { $0.session } }

    /// Takes note of the session that took the input in, or let it go.
    func join(_ session: AVCaptureSession?) { state.withLock { $0.session = session } }

    /// One stream of an input.
    open class Port: NSObject, @unchecked Sendable {
        private struct State: Sendable {
            weak var input: AVCaptureInput?
            var isEnabled = true
        }

        private let state: Mutex<State>
        /// Kind of media of the stream.
        public let mediaType: AVMediaType
        /// Device behind the port; nil for an app's own metadata.
        let device: AVCaptureDevice?
        /// Format of an app's own metadata.
        private let metadataFormat: CMFormatDescription?
        /// Side that sound is to come from; nil for the device's.
        private let side: AVCaptureDevice.Position?

        private let environment: CaptureEnvironment

        init(
            input: AVCaptureInput, mediaType: AVMediaType, device: AVCaptureDevice?, metadataFormat: CMFormatDescription? = nil,
            side: AVCaptureDevice.Position? = nil
        ) {
            self.side = side
            state = Mutex(State(input: input))
            environment = input.environment.withoutDevices
            self.mediaType = mediaType
            self.device = device
            self.metadataFormat = metadataFormat
        }

        /// Input that the port is of; an empty one once that is gone.
        public var input: AVCaptureInput { owner ?? AVCaptureInput(environment: environment) }
        private var owner: AVCaptureInput? { state.withLock { $0.input } }
        /// Type of the device behind the port.
        public var sourceDeviceType: AVCaptureDevice.DeviceType? { device?.deviceType }
        /// Side of the phone that the device is on, or that its sound is to come from.
        public var sourceDevicePosition: AVCaptureDevice.Position { side ?? device?.position ?? .unspecified }
        /// Format of the stream: the device's active one, or that of an app's own metadata; nil for a camera's metadata.
        public var formatDescription: CMFormatDescription? {
            switch mediaType {
            case .video, .audio: device?.activeFormat.formatDescription
            case .depthData: device?.activeDepthDataFormat?.formatDescription
            default: metadataFormat
            }
        }

        /// Clock of the port's times: the session's, or that of an app's own metadata. Nil outside a session.
        public var clock: CMClock? { (input as? AVCaptureMetadataInput)?.clock ?? input.session?.synchronizationClock }

        /// Posted when the device's format became another, with the port as object.
        public static let formatDescriptionDidChangeNotification = Notification.Name("AVCaptureInputPortFormatDescriptionDidChangeNotification")

        /// Whether the stream is let through to its connections; default true. Photos that wait for a frame fail where none can come any more.
        public var isEnabled: Bool {
            get { state.withLock { $0.isEnabled } }
            set {
                state.withLock { $0.isEnabled = newValue }
                GraphRevision.advance()
                for case let output as AVCapturePhotoOutput in input.session?.outputs ?? [] { output.failWhereCutOff() }
            }
        }
    }
}

extension NSNotification.Name {
    /// The older name of `AVCaptureInput.Port.formatDescriptionDidChangeNotification`.
    public static var AVCaptureInputPortFormatDescriptionDidChange: Notification.Name { AVCaptureInput.Port.formatDescriptionDidChangeNotification }
}
