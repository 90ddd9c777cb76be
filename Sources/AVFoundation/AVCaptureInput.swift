import CoreMedia
import Foundation
import Synchronization

/// What brings media into a session, one port per stream.
public class AVCaptureInput: NSObject, @unchecked Sendable {
    let environment: CaptureEnvironment
    private let madePorts = Mutex<[Port]>([])

    init(environment: CaptureEnvironment) { self.environment = environment }

    public var ports: [Port] { madePorts.withLock { $0 } }

    func carries(_ mediaType: AVMediaType) -> Bool { ports.contains { $0.mediaType == mediaType } }

    func setPorts(_ ports: [Port]) { madePorts.withLock { $0 = ports } }

    /// One stream of an input.
    public final class Port: NSObject, @unchecked Sendable {
        private struct State: Sendable {
            weak var input: AVCaptureInput?
            var isEnabled = true
        }

        private let state: Mutex<State>
        public let mediaType: AVMediaType
        /// The camera behind the port, if one is.
        let device: AVCaptureDevice?

        init(input: AVCaptureInput, mediaType: AVMediaType, device: AVCaptureDevice?) {
            state = Mutex(State(input: input))
            self.mediaType = mediaType
            self.device = device
        }

        /// Nil once the input is gone.
        public var input: AVCaptureInput? { state.withLock { $0.input } }
        public var sourceDeviceType: AVCaptureDevice.DeviceType? { device?.deviceType }
        public var sourceDevicePosition: AVCaptureDevice.Position { device?.position ?? .unspecified }
        public var formatDescription: CMFormatDescription? {
            switch mediaType {
            case .video, .audio: device?.activeFormat.formatDescription
            case .depthData: device?.activeDepthDataFormat?.formatDescription
            default: nil
            }
        }

        /// The clock of the port's times: the session's. Nil outside one.
        public var clock: CMClock? { (input as? AVCaptureDeviceInput)?.session?.synchronizationClock }

        /// Another format or another size came, with the port as object.
        public static let formatDescriptionDidChangeNotification = Notification.Name("AVCaptureInputPortFormatDescriptionDidChangeNotification")

        public var isEnabled: Bool {
            get { state.withLock { $0.isEnabled } }
            set {
                state.withLock { $0.isEnabled = newValue }
                GraphRevision.advance()
            }
        }
    }
}
