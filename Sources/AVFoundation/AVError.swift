import Foundation

public let AVFoundationErrorDomain = "AVFoundationErrorDomain"
/// Under this key of a runtime error's user info lies its `AVError`.
public let AVCaptureSessionErrorKey = "AVCaptureSessionErrorKey"

/// What goes wrong in capture; what lies beneath is under `NSUnderlyingErrorKey` of `userInfo`.
public struct AVError: CustomNSError, LocalizedError, Hashable, Sendable {
    public enum Code: Int, Sendable {
        case unknown = -11800
        case sessionNotRunning = -11803
        case deviceAlreadyUsedByAnotherSession = -11804
        case noDataCaptured = -11805
        case sessionConfigurationChanged = -11806
        case diskFull = -11807
        case deviceWasDisconnected = -11808
        case mediaChanged = -11809
        case maximumDurationReached = -11810
        case maximumFileSizeReached = -11811
        case mediaDiscontinuity = -11812
        case deviceNotConnected = -11814
        case deviceInUseByAnotherApplication = -11815
        case deviceLockedForConfigurationByAnotherProcess = -11817
        case sessionWasInterrupted = -11818
        case mediaServicesWereReset = -11819
        case fileAlreadyExists = -11823
        case deviceIsNotAvailableInBackground = -11837
        case torchLevelUnavailable = -11846
        case operationInterrupted = -11847
        case applicationIsNotAuthorizedToUseDevice = -11852
        case recordingAlreadyInProgress = -11859
        case unsupportedOutputSettings = -11861
        case operationNotAllowed = -11862
        case formatUnsupported = -11864
        case operationNotSupportedForPreset = -11871
        case sessionHardwareCostOverage = -11872
        case unsupportedDeviceActiveFormat = -11873
        case incorrectlyConfigured = -11875
        case encodeFailed = -11883
    }

    public let code: Code
    private let error: NSError

    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        error = NSError(domain: AVFoundationErrorDomain, code: code.rawValue, userInfo: userInfo)
    }

    init(_ code: Code, underlying: any Error) {
        self.init(code, userInfo: [NSUnderlyingErrorKey: underlying, NSLocalizedDescriptionKey: String(describing: underlying)])
    }

    public static var errorDomain: String { AVFoundationErrorDomain }
    public var errorCode: Int { code.rawValue }
    public var userInfo: [String: Any] { error.userInfo }
    public var errorUserInfo: [String: Any] { error.userInfo }
    /// What failed beneath; nil when the mirror itself found the fault.
    public var underlyingError: (any Error)? { error.userInfo[NSUnderlyingErrorKey] as? any Error }
    public var localizedDescription: String { error.localizedDescription }
    public var errorDescription: String? { error.localizedDescription }
}

extension AVError {
    public static var unknown: Code { .unknown }
    public static var mediaServicesWereReset: Code { .mediaServicesWereReset }
    public static var sessionHardwareCostOverage: Code { .sessionHardwareCostOverage }
    public static var applicationIsNotAuthorizedToUseDevice: Code { .applicationIsNotAuthorizedToUseDevice }
    public static var deviceNotConnected: Code { .deviceNotConnected }
}
