import Foundation

/// Automatic focus that follows a subject without cinematic capture, as of iOS 27: unsupported, off, and raising where it is asked for.
extension AVCaptureDevice {
    /// Whether continuous focus follows what is at `focusPointOfInterest`; false. Raises without the lock, and where it is set to true.
    public var isContinuousAutoFocusTrackingEnabled: Bool {
        get { false }
        set {
            let selector = "setContinuousAutoFocusTrackingEnabled:"
            guard requiresLock(selector) else { return }
            _ = requires(!newValue, selector, "activeFormat.isContinuousAutoFocusTrackingSupported")
        }
    }
    /// Whether somebody or something is followed; never here.
    public var isContinuousAutoFocusTrackingSubjectAcquired: Bool { false }
    /// Part of the subject to have sharpest, from -1 (nearest) to 1 (farthest); 0. Raises without the lock, and for another value, as nothing is followed.
    public var continuousAutoFocusTrackingLensPositionBias: Float {
        get { 0 }
        set {
            let selector = "setContinuousAutoFocusTrackingLensPositionBias:"
            guard requiresLock(selector) else { return }
            _ = requires(newValue == 0, selector, "isContinuousAutoFocusTrackingEnabled")
        }
    }
}

extension AVCaptureDevice.Format {
    /// Whether continuous focus can follow a subject; never here.
    public var isContinuousAutoFocusTrackingSupported: Bool { false }
}

extension AVMetadataObject.ObjectType {
    /// Subject of continuous focus; no detector here reports it.
    public static let focusTrackedObject = Self(rawValue: "focusTrackedObject")
    /// Metadata for focusing a recording again; nothing here reports it.
    public static let cinematicVideoMetadata = Self(rawValue: "cinematicVideoMetadata")
}

/// Subject of continuous focus; no detector here reports it.
public final class AVMetadataFocusTrackedObject: AVMetadataObject, @unchecked Sendable {}

/// Metadata for focusing a recording again, as an app may write them beside pictures of its own; nothing here reports it.
public final class AVMetadataCinematicVideoMetadataObject: AVMetadataObject, @unchecked Sendable {
    /// Metadata of the frame; nil.
    public var timedMetadataGroup: AVTimedMetadataGroup? { nil }
    /// Format of such metadata, for an `AVAssetWriterInput`; nil, as there is none.
    public class var cinematicVideoMetadataFormatDescription: CMMetadataFormatDescription? { nil }
}
