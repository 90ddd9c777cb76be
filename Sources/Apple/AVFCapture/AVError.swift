import CoreMedia
import Foundation

/// Domain of capture errors as `NSError`.
public let AVFoundationErrorDomain = "AVFoundationErrorDomain"
/// User info key of a runtime error notification's `AVError`.
public let AVCaptureSessionErrorKey = "AVCaptureSessionErrorKey"

/// User info key of the time in the media at which an error came about, a `CMTime`.
public let AVErrorTimeKey = "AVErrorTimeKey"
/// User info key of the size of a recording in bytes.
public let AVErrorFileSizeKey = "AVErrorFileSizeKey"
/// User info key of the device that an error is of.
public let AVErrorDeviceKey = "AVErrorDeviceKey"

/// Error of capture; the error beneath is under `NSUnderlyingErrorKey` of `userInfo`.
public struct AVError: CustomNSError, LocalizedError, Hashable, Sendable {
    /// Number of a capture error.
    public enum Code: Int, Sendable {
        /// Error -11800: any other failure; the error beneath says which.
        case unknown = -11800
        /// Error -11801: there is no memory for it.
        case outOfMemory = -11801
        /// Error -11803: the session does not run.
        case sessionNotRunning = -11803
        /// Error -11804: another session has the device.
        case deviceAlreadyUsedByAnotherSession = -11804
        /// Error -11805: a recording ended before its first frame.
        case noDataCaptured = -11805
        /// Error -11806: the session's configuration changed under a recording or photo.
        case sessionConfigurationChanged = -11806
        /// Error -11807: the disk is full, or below the limit set.
        case diskFull = -11807
        /// Error -11808: the device was pulled out while in use.
        case deviceWasDisconnected = -11808
        /// Error -11809: the format of the media changed.
        case mediaChanged = -11809
        /// Error -11810: a recording reached its greatest length.
        case maximumDurationReached = -11810
        /// Error -11811: a recording reached its greatest size.
        case maximumFileSizeReached = -11811
        /// Error -11812: media is missing in between.
        case mediaDiscontinuity = -11812
        /// Error -11814: the device is not plugged in.
        case deviceNotConnected = -11814
        /// Error -11815: another app has the device.
        case deviceInUseByAnotherApplication = -11815
        /// Error -11817: another process holds the device's configuration.
        case deviceLockedForConfigurationByAnotherProcess = -11817
        /// Error -11818: the session was stopped or interrupted.
        case sessionWasInterrupted = -11818
        /// Error -11819: the media services were reset; a session must be started again.
        case mediaServicesWereReset = -11819
        /// Error -11821: media cannot be decoded.
        case decodeFailed = -11821
        /// Error -11822: media cannot be put where they are to go, as sound into pictures.
        case invalidSourceMedia = -11822
        /// Error -11823: there is a file at the URL of a recording.
        case fileAlreadyExists = -11823
        /// Error -11825: a part of a composition has no length above zero, or would begin before zero.
        case invalidCompositionTrackSegmentDuration = -11825
        /// Error -11826: a part of a composition begins outside of the track that it is of.
        case invalidCompositionTrackSegmentSourceStartTime = -11826
        /// Error -11828: a file is of no known format.
        case fileFormatNotRecognized = -11828
        /// Error -11829: a file is damaged.
        case fileFailedToParse = -11829
        /// Error -11832: an asset has no picture at a time.
        case noImageAtTime = -11832
        /// Error -11833: no decoder for the coding is there.
        case decoderNotFound = -11833
        /// Error -11834: no encoder for the coding is there.
        case encoderNotFound = -11834
        /// Error -11837: the app is in the background, which has no camera.
        case deviceIsNotAvailableInBackground = -11837
        /// Error -11838: the operation is not supported with this asset.
        case operationNotSupportedForAsset = -11838
        /// Error -11841: a video composition cannot be drawn.
        case invalidVideoComposition = -11841
        /// Error -11843: the extension of a file is that of another kind.
        case invalidOutputURLPathExtension = -11843
        /// Error -11846: the torch cannot light now, as when it is too hot.
        case torchLevelUnavailable = -11846
        /// Error -11847: the operation was interrupted.
        case operationInterrupted = -11847
        /// Error -11852: the user has not allowed the device.
        case applicationIsNotAuthorizedToUseDevice = -11852
        /// Error -11859: a recording is under way.
        case recordingAlreadyInProgress = -11859
        /// Error -11861: the output settings are not supported.
        case unsupportedOutputSettings = -11861
        /// Error -11862: the operation is not allowed now.
        case operationNotAllowed = -11862
        /// Error -11864: the format is not supported.
        case formatUnsupported = -11864
        /// Error -11871: the operation is not supported with the session's preset.
        case operationNotSupportedForPreset = -11871
        /// Error -11872: the session's `hardwareCost` is above 1.
        case sessionHardwareCostOverage = -11872
        /// Error -11873: the device's active format is not supported.
        case unsupportedDeviceActiveFormat = -11873
        /// Error -11875: the configuration is wrong.
        case incorrectlyConfigured = -11875
        /// Error -11883: encoding failed.
        case encodeFailed = -11883
    }

    /// Number of the error.
    public let code: Code
    private let error: NSError

    /// Makes an error with a number and details.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        error = NSError(domain: AVFoundationErrorDomain, code: code.rawValue, userInfo: userInfo)
    }

    package init(_ code: Code, underlying: any Error) {
        self.init(code, userInfo: [NSUnderlyingErrorKey: underlying, NSLocalizedDescriptionKey: String(describing: underlying)])
    }

    /// Makes the error of an `NSError` of `AVFoundationErrorDomain`; `unknown`, with the error beneath, of any other.
    public init(_nsError error: NSError) {
        if error.domain == AVFoundationErrorDomain, let code = Code(rawValue: error.code) {
            self.init(code, userInfo: error.userInfo)
        } else {
            self.init(.unknown, underlying: error)
        }
    }

    /// Domain of the error: `AVFoundationErrorDomain`.
    public static var errorDomain: String { AVFoundationErrorDomain }
    /// Raw value of the error's number.
    public var errorCode: Int { code.rawValue }
    /// Details of the error, by the keys of `NSError`.
    public var userInfo: [String: Any] { error.userInfo }
    /// Details of the error, by the keys of `NSError`.
    public var errorUserInfo: [String: Any] { error.userInfo }
    /// Error beneath this one; nil when the capture API itself found the fault.
    public var underlyingError: (any Error)? { error.userInfo[NSUnderlyingErrorKey] as? any Error }
    /// Text of the error.
    public var localizedDescription: String { error.localizedDescription }
    /// Text of the error; never nil.
    public var errorDescription: String? { error.localizedDescription }
}

extension AVError {
    /// Error whose text is `reason`.
    package init(_ code: Code, reason: String) { self.init(code, userInfo: [NSLocalizedDescriptionKey: reason]) }

    /// Time in the media at which the error came about; nil where it has none.
    public var time: CMTime? { errorUserInfo[AVErrorTimeKey] as? CMTime }
    /// Size of the recording in bytes; nil where the error has none.
    public var fileSize: Int64? { (errorUserInfo[AVErrorFileSizeKey] as? NSNumber)?.int64Value }
    /// Device that the error is of; nil where it has none.
    public var device: AVCaptureDevice? { errorUserInfo[AVErrorDeviceKey] as? AVCaptureDevice }
}

extension AVError {
    /// Error -11800: any other failure.
    public static var unknown: Code { .unknown }
    /// Error -11819: the media services were reset.
    public static var mediaServicesWereReset: Code { .mediaServicesWereReset }
    /// Error -11872: the session's `hardwareCost` is above 1.
    public static var sessionHardwareCostOverage: Code { .sessionHardwareCostOverage }
    /// Error -11852: the user has not allowed the device.
    public static var applicationIsNotAuthorizedToUseDevice: Code { .applicationIsNotAuthorizedToUseDevice }
    /// Error -11814: the device is not plugged in.
    public static var deviceNotConnected: Code { .deviceNotConnected }
}
