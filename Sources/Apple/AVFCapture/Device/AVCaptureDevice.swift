import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Synchronization

/// A camera or a microphone: its formats, its settings, and the focus calls of cinematic capture.
open class AVCaptureDevice: _SendableObject, _KeyValueObservable, @unchecked Sendable {
    package let profile: CameraProfile
    let environment: CaptureEnvironment
    let modes: [Format]
    /// Observers of this device's properties; for `observe(_:options:changeHandler:)` only.
    public let _observers = _KeyValueObservers()
    let state: Mutex<State>

    struct State: Sendable {
        var locks = 0
        var activeFormat: Format
        /// Nil: the format's first.
        var depthFormat: Format?
        /// Nil: the format's own.
        var minFrameDuration: CMTime?
        var maxFrameDuration: CMTime?
        var zoom: CGFloat = 1
        var focusMode = FocusMode.continuousAutoFocus
        /// Whether cinematic capture is enabled on the session's input of this device.
        var isCinematic = false
        var statuses: Set<AVCaptureSceneMonitoringStatus> = []
        var focusCalls: [FocusCall] = []
        var controls = Controls()
        /// Whether the last frame was too dark.
        var isDark = false
        var pressure = SystemPressureState(level: .nominal, factors: [])
        var isConnected = true
        weak var session: AVCaptureSession?
        /// Gains that made the mean of the last frame grey, when its session stopped.
        var grayWorldGains = SIMD3(repeating: 1.0)
        var switchingBehavior = PrimaryConstituentDeviceSwitchingBehavior.auto
        var switchingConditions: PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions = []
    }

    init(profile: CameraProfile, environment: CaptureEnvironment) {
        self.profile = profile
        self.environment = environment
        modes =
            profile.isMicrophone
            ? [Format.sound]
            : profile.formats.map { format in
                Format(
                    format, canRenderAperture: environment.renderer != nil, canFocus: !profile.hardware.isFixedFocus,
                    hasMultiCam: profile.hardware.hasMultiCam)
            }
        precondition(!modes.isEmpty, "camera \(profile.uniqueID) has no format")
        state = Mutex(State(activeFormat: modes[0], focusMode: profile.hardware.isFixedFocus ? .locked : .continuousAutoFocus))
    }

    // MARK: what an app's own device may override: Swift lets it override what stands in the class itself

    /// Modes of the device, in its profile's order; never empty.
    open var formats: [Format] { modes }

    /// Format in use, at first the first of `formats`. Setting it hands format control from the session's preset to the app. Observable.
    /// Resets zoom, frame durations, points of interest, ramp and torch. Raises without the lock, and for a format of another device.
    open var activeFormat: Format {
        get { state.withLock { $0.activeFormat } }
        set { choose(newValue) }
    }

    /// Takes the right to configure the device; nests. Throws `deviceNotConnected` when the device is gone.
    open func lockForConfiguration() throws {
        guard isConnected else { throw AVError(.deviceNotConnected) }
        state.withLock { $0.locks += 1 }
    }

    /// Ends one `lockForConfiguration()`; raises without one.
    open func unlockForConfiguration() {
        let wasLocked = state.withLock { state in
            defer { state.locks = max(state.locks - 1, 0) }
            return state.locks > 0
        }
        if !wasLocked { environment.raise(.generic, "-[AVCaptureDevice unlockForConfiguration]", "the device is not locked") }
    }

    /// Whether the device has a torch, by its profile.
    open var hasTorch: Bool { profile.hardware.hasTorch }
    /// Whether the device has a flash; true where it has a torch.
    open var hasFlash: Bool { hasTorch }
    /// Whether the torch can light now; not under critical system pressure.
    open var isTorchAvailable: Bool { hasTorch && ![.critical, .shutdown].contains(systemPressureState.level) }
    /// Whether the flash can fire now; as `isTorchAvailable`.
    open var isFlashAvailable: Bool { isTorchAvailable }
    /// Whether the device has the mode; without a flash only `.off`.
    open func isFlashModeSupported(_ flashMode: FlashMode) -> Bool { hasFlash || flashMode == .off }
    /// Whether the device has the mode; without a torch only `.off`.
    open func isTorchModeSupported(_ torchMode: TorchMode) -> Bool { hasTorch || torchMode == .off }
    /// Whether the camera has the mode: every one, unless its focus is fixed, which is `.locked` alone.
    open func isFocusModeSupported(_ focusMode: FocusMode) -> Bool { hasMediaType(.video) && (canFocus || focusMode == .locked) }
    /// Whether focus can prefer a point; false for a camera of fixed focus.
    open var isFocusPointOfInterestSupported: Bool { isFocusModeSupported(.autoFocus) }
    /// Whether a camera has the mode; a virtual one has no `.custom`, one without controls of exposure only the continuous, and a microphone none.
    open func isExposureModeSupported(_ exposureMode: ExposureMode) -> Bool {
        hasMediaType(.video) && (exposureMode != .custom || !isVirtualDevice)
            && (exposureMode == .continuousAutoExposure || profile.hardware.holdsExposure)
    }
    /// Whether exposure can prefer a point; true for every camera.
    open var isExposurePointOfInterestSupported: Bool { hasMediaType(.video) }

    /// Identifier that stays the same over launches.
    open var uniqueID: String { profile.uniqueID }
    /// Identifier of the model, the same for all devices of a kind.
    open var modelID: String { profile.modelID }
    /// Maker: always `rackfocus`.
    open var manufacturer: String { "rackfocus" }
    /// Name to show to people.
    open var localizedName: String { profile.name }
    /// Kind of camera, or microphone.
    open var deviceType: DeviceType { DeviceType(rawValue: profile.deviceType) }
    /// Side of the phone that the device is on; `.unspecified` for external ones.
    open var position: Position { Position(rawValue: profile.position) ?? .unspecified }
    /// Whether the device is plugged in; false for good once it was pulled out. Observable.
    open var isConnected: Bool { state.withLock { $0.isConnected } }
    /// Whether another app has the device; never here.
    open var isInUseByAnotherApplication: Bool { false }
    /// Whether the device is closed off, as by a lid; never here.
    open var isSuspended: Bool { false }
    /// Whether the device delivers that media: a camera video and, where a format of it has depth, depth; a microphone audio.
    open func hasMediaType(_ mediaType: AVMediaType) -> Bool {
        mediaType == self.mediaType || mediaType == .depthData && formats.contains { !$0.supportedDepthDataFormats.isEmpty }
    }
    var mediaType: AVMediaType { profile.isMicrophone ? .audio : .video }
    /// Whether the device is made of several cameras.
    open var isVirtualDevice: Bool { profile.hardware.isVirtual }
    /// Connected cameras that a virtual one is made of; empty for a physical one.
    open var constituentDevices: [AVCaptureDevice] {
        profile.hardware.constituents.compactMap { id in environment.conditions.devices.first { $0.uniqueID == id && $0.isConnected } }
    }

    /// Warnings about the scene for cinematic capture; empty is fine. Observable.
    open var cinematicVideoCaptureSceneMonitoringStatuses: Set<AVCaptureSceneMonitoringStatus> { state.withLock { $0.statuses } }

    func setStatuses(_ statuses: Set<AVCaptureSceneMonitoringStatus>) {
        let old = cinematicVideoCaptureSceneMonitoringStatuses
        guard old != statuses else { return }
        _observers.change(\AVCaptureDevice.cinematicVideoCaptureSceneMonitoringStatuses, from: old, to: statuses) {
            state.withLock { $0.statuses = statuses }
        }
    }

    /// Side of the phone; searches with `.unspecified` take any.
    public enum Position: Int, Sendable {
        /// No side, as of an external device.
        case unspecified = 0
        /// Side away from the screen.
        case back = 1
        /// Side of the screen.
        case front = 2
    }

    /// Kind of device.
    public struct DeviceType: RawRepresentable, Hashable, Sendable {
        /// Name of the kind, as Apple spells it.
        public let rawValue: String
        /// Makes a kind from its name; any name is accepted.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Single camera of the usual field of view.
        public static let builtInWideAngleCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInWideAngleCamera")
        /// Single camera of a wider field of view.
        public static let builtInUltraWideCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInUltraWideCamera")
        /// Single camera of a narrower field of view.
        public static let builtInTelephotoCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInTelephotoCamera")
        /// Wide and telephoto camera as one virtual device.
        public static let builtInDualCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInDualCamera")
        /// Ultra-wide and wide camera as one virtual device, with depth and cinematic capture.
        public static let builtInDualWideCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInDualWideCamera")
        /// Ultra-wide, wide and telephoto camera as one virtual device.
        public static let builtInTripleCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInTripleCamera")
        /// Front camera with depth, for cinematic capture at the front.
        public static let builtInTrueDepthCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInTrueDepthCamera")
        /// Wide camera with the depth of a laser scanner.
        public static let builtInLiDARDepthCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInLiDARDepthCamera")
        /// Camera outside of the phone, such as one on USB.
        public static let external = DeviceType(rawValue: "AVCaptureDeviceTypeExternal")
        /// Device of sound.
        public static let microphone = DeviceType(rawValue: "AVCaptureDeviceTypeMicrophone")
    }

    /// Mode of the physical lens's focus.
    public enum FocusMode: Int, Sendable {
        /// The lens stays where it is.
        case locked = 0
        /// One scan, then `.locked`.
        case autoFocus = 1
        /// Focus follows the scene; the default.
        case continuousAutoFocus = 2
    }

    /// Firmness with which cinematic focus stays on an object.
    public enum CinematicVideoFocusMode: Int, Sendable {
        /// Read: not in focus; passed: taken as `.weak`, with a diagnostic.
        case none = 0
        /// Stays until the object leaves the scene.
        case strong = 1
        /// May leave for a more prominent object.
        case weak = 2
    }
}
