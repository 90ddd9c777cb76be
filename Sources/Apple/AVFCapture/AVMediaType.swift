import Foundation

/// Kind of media that a port or a device carries.
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
    /// Four-character code of the kind, as text.
    public let rawValue: String
    /// Makes a kind from its code; any code is accepted.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Makes a kind from its code; any code is accepted.
    public init(_ rawValue: String) { self.rawValue = rawValue }
    /// Pictures.
    public static let video = AVMediaType(rawValue: "vide")
    /// Sound.
    public static let audio = AVMediaType(rawValue: "soun")
    /// Timed metadata for recordings; never connected automatically.
    public static let metadata = AVMediaType(rawValue: "meta")
    /// Objects seen in frames.
    public static let metadataObject = AVMediaType(rawValue: "mobj")
    /// Depth or disparity maps.
    public static let depthData = AVMediaType(rawValue: "dpth")
    /// Pictures beside the pictures, as the disparity of a cinematic movie.
    public static let auxiliaryPicture = AVMediaType(rawValue: "auxv")
    /// Text.
    public static let text = AVMediaType(rawValue: "text")
    /// Timecode.
    public static let timecode = AVMediaType(rawValue: "tmcd")
    /// Several kinds in one stream.
    public static let muxed = AVMediaType(rawValue: "muxx")
}

/// Property of media by which tracks are chosen.
public struct AVMediaCharacteristic: RawRepresentable, Hashable, Sendable {
    /// Name of the property.
    public let rawValue: String
    /// Makes a property from its name; any is accepted.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Can be seen.
    public static let visual = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicVisual")
    /// Can be heard.
    public static let audible = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicAudible")
    /// Is made of frames.
    public static let frameBased = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicFrameBased")
    /// Has pictures in HLG or PQ.
    public static let containsHDRVideo = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicContainsHDRVideo")
}

/// Format of a file's metadata.
public struct AVMetadataFormat: RawRepresentable, Hashable, Sendable {
    /// Name of the format.
    public let rawValue: String
    /// Makes a format from its name; any is accepted.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Metadata of QuickTime.
    public static let quickTimeMetadata = AVMetadataFormat(rawValue: "com.apple.quicktime.mdta")
    /// User data of QuickTime, of which none is read.
    public static let quickTimeUserData = AVMetadataFormat(rawValue: "com.apple.quicktime.udta")
    /// User data of ISO files, of which none is read.
    public static let isoUserData = AVMetadataFormat(rawValue: "org.mp4ra")
}

/// The user's consent to an app's use of cameras or microphones.
public enum AVAuthorizationStatus: Int, Sendable {
    /// The user was not asked.
    case notDetermined = 0
    /// The user may not consent, as under parental controls.
    case restricted = 1
    /// The user refused.
    case denied = 2
    /// The user agreed.
    case authorized = 3
}

/// Fit of a picture into a layer of another shape.
public struct AVLayerVideoGravity: RawRepresentable, Hashable, Sendable {
    /// Name of the fit, as Apple spells it.
    public let rawValue: String
    /// Makes a fit from its name; an unknown one fits as `resizeAspect`.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// All of the picture, bars beside it; the default.
    public static let resizeAspect = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResizeAspect")
    /// All of the layer, edges of the picture cut off.
    public static let resizeAspectFill = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResizeAspectFill")
    /// All of both, out of proportion.
    public static let resize = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResize")
}

/// Warning about the scene in front of the camera.
public struct AVCaptureSceneMonitoringStatus: RawRepresentable, Hashable, Sendable {
    /// Name of the warning, as Apple spells it.
    public let rawValue: String
    /// Makes a warning from its name; any name is accepted.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The scene is too dark for cinematic capture, or the lens is covered.
    public static let notEnoughLight = AVCaptureSceneMonitoringStatus(rawValue: "AVCaptureSceneMonitoringStatusNotEnoughLight")
}
