import CoreMedia
import Foundation
import Synchronization

/// A camera or a microphone: its formats, its settings, and the focus calls of cinematic capture.
public final class AVCaptureDevice: NSObject, _KeyValueObservable, @unchecked Sendable {
    package let profile: CameraProfile
    let environment: CaptureEnvironment
    public let formats: [Format]
    public let _observers = _KeyValueObservers()
    let state: Mutex<State>

    struct State: Sendable {
        var locks = 0
        var activeFormat: Format
        /// Nil: the format's own.
        var depthFormat: Format?
        /// Nil: the format's own.
        var minFrameDuration: CMTime?
        var maxFrameDuration: CMTime?
        var zoom: CGFloat = 1
        var focusMode = FocusMode.continuousAutoFocus
        /// Cinematic capture is enabled on the input that a session has of this device.
        var isCinematic = false
        var statuses: Set<AVCaptureSceneMonitoringStatus> = []
        var focusCalls: [FocusCall] = []
        var controls = Controls()
        var pressure = SystemPressureState(level: .nominal, factors: [])
        var isConnected = true
        weak var session: AVCaptureSession?
    }

    init(profile: CameraProfile, environment: CaptureEnvironment) {
        self.profile = profile
        self.environment = environment
        formats =
            profile.isMicrophone
            ? [Format.sound]
            : profile.formats.map { Format($0, canRenderAperture: environment.renderer != nil, canFocus: !profile.hardware.isFixedFocus) }
        precondition(!formats.isEmpty, "camera \(profile.uniqueID) has no format")
        state = Mutex(State(activeFormat: formats[0], focusMode: profile.hardware.isFixedFocus ? .locked : .continuousAutoFocus))
    }

    public var uniqueID: String { profile.uniqueID }
    public var modelID: String { profile.modelID }
    public var manufacturer: String { "rackfocus" }
    public var localizedName: String { profile.name }
    public var deviceType: DeviceType { DeviceType(rawValue: profile.deviceType) }
    public var position: Position { Position(rawValue: profile.position) ?? .unspecified }
    /// False for good once the device was pulled out. Observable.
    public var isConnected: Bool { state.withLock { $0.isConnected } }
    public var isInUseByAnotherApplication: Bool { false }
    public var isSuspended: Bool { false }
    public func hasMediaType(_ mediaType: AVMediaType) -> Bool { mediaType == self.mediaType }
    var mediaType: AVMediaType { profile.isMicrophone ? .audio : .video }
    public var isVirtualDevice: Bool { profile.hardware.isVirtual }
    /// The cameras a virtual one is made of, those that are there.
    public var constituentDevices: [AVCaptureDevice] {
        profile.hardware.constituents.compactMap { id in environment.conditions.devices.first { $0.uniqueID == id && $0.isConnected } }
    }

    /// Warnings about the scene for cinematic capture; empty is fine. Observable.
    public var cinematicVideoCaptureSceneMonitoringStatuses: Set<AVCaptureSceneMonitoringStatus> { state.withLock { $0.statuses } }

    func setStatuses(_ statuses: Set<AVCaptureSceneMonitoringStatus>) {
        let old = cinematicVideoCaptureSceneMonitoringStatuses
        guard old != statuses else { return }
        _observers.change(\AVCaptureDevice.cinematicVideoCaptureSceneMonitoringStatuses, from: old, to: statuses) {
            state.withLock { $0.statuses = statuses }
        }
    }

    public enum Position: Int, Sendable {
        case unspecified = 0
        case back = 1
        case front = 2
    }

    public struct DeviceType: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let builtInWideAngleCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInWideAngleCamera")
        public static let builtInUltraWideCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInUltraWideCamera")
        public static let builtInTelephotoCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInTelephotoCamera")
        public static let builtInDualCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInDualCamera")
        public static let builtInDualWideCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInDualWideCamera")
        public static let builtInTripleCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInTripleCamera")
        public static let builtInTrueDepthCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInTrueDepthCamera")
        public static let builtInLiDARDepthCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInLiDARDepthCamera")
        public static let external = DeviceType(rawValue: "AVCaptureDeviceTypeExternal")
        public static let microphone = DeviceType(rawValue: "AVCaptureDeviceTypeMicrophone")
    }

    public enum FocusMode: Int, Sendable {
        case locked = 0
        case autoFocus = 1
        case continuousAutoFocus = 2
    }

    /// How firmly cinematic focus stays on an object.
    public enum CinematicVideoFocusMode: Int, Sendable {
        case none = 0
        case strong = 1
        case weak = 2
    }
}
