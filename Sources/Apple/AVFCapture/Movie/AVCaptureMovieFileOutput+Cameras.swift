import Foundation

/// Recordings of two cameras, and of a virtual one; kept and unsupported, as pictures come from one source.
extension AVCaptureMovieFileOutput {
    /// Whether spatial video can be recorded; never here.
    public var isSpatialVideoCaptureSupported: Bool { false }
    /// Whether spatial video is recorded; false, raises where it is set to true.
    public var isSpatialVideoCaptureEnabled: Bool {
        get { false }
        set {
            guard newValue else { return }
            environment.raise(
                .invalidArgument, "-[AVCaptureMovieFileOutput setSpatialVideoCaptureEnabled:]", "Not supported - use isSpatialVideoCaptureSupported")
        }
    }
    /// Whether metadata for focusing again can be recorded beside other pictures than cinematic ones; never here.
    public var isCinematicVideoMetadataCaptureSupported: Bool { false }
    /// Whether such metadata is recorded; false, raises where it is set to true.
    public var isCinematicVideoMetadataCaptureEnabled: Bool {
        get { false }
        set {
            guard newValue else { return }
            environment.raise(
                .invalidArgument, "-[AVCaptureMovieFileOutput setCinematicVideoMetadataCaptureEnabled:]",
                "Not supported - use isCinematicVideoMetadataCaptureSupported")
        }
    }
    /// Whether the system decides on such metadata; true, and setting it changes nothing, as there is none.
    public var automaticallyAdjustsCinematicVideoMetadataCaptureEnabled: Bool {
        get { true }
        set {}
    }
    /// Whether a recording has its own way of changing between the cameras of a virtual one; never here.
    public var isPrimaryConstituentDeviceSwitchingBehaviorForRecordingEnabled: Bool {
        get { false }
        set {}
    }
    /// Way in which a recording changes between cameras: `.unsupported`.
    public var primaryConstituentDeviceSwitchingBehaviorForRecording: AVCaptureDevice.PrimaryConstituentDeviceSwitchingBehavior { .unsupported }
    /// Sets the way in which a recording changes between cameras; without effect.
    public func setPrimaryConstituentDeviceSwitchingBehaviorForRecording(
        _ switchingBehavior: AVCaptureDevice.PrimaryConstituentDeviceSwitchingBehavior,
        restrictedSwitchingBehaviorConditions: AVCaptureDevice.PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions
    ) {}
}
