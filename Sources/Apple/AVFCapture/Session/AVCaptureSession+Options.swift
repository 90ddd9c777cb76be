import CoreMedia
import Foundation
import Synchronization

extension AVCaptureSession {
    struct Options: Sendable {
        var usesAudioSession = true
        var configuresAudioSession = true
        var mixesWithOthers = false
        var choosesColor = true
        var wantsBluetoothRecording = false
    }

    /// Whether the app's audio session is used; default true, kept without effect.
    public var usesApplicationAudioSession: Bool {
        get { state.withLock { $0.options.usesAudioSession } }
        set { state.withLock { $0.options.usesAudioSession = newValue } }
    }

    /// Whether the app's audio session is configured for capture; default true, kept without effect.
    public var automaticallyConfiguresApplicationAudioSession: Bool {
        get { state.withLock { $0.options.configuresAudioSession } }
        set { state.withLock { $0.options.configuresAudioSession = newValue } }
    }

    /// Whether that configuration lets other apps sound; default false, kept without effect.
    public var configuresApplicationAudioSessionToMixWithOthers: Bool {
        get { state.withLock { $0.options.mixesWithOthers } }
        set { state.withLock { $0.options.mixesWithOthers = newValue } }
    }

    /// Whether that configuration takes the better sound of wireless earphones; default false, kept without effect.
    public var configuresApplicationAudioSessionForBluetoothHighQualityRecording: Bool {
        get { state.withLock { $0.options.wantsBluetoothRecording } }
        set { state.withLock { $0.options.wantsBluetoothRecording = newValue } }
    }

    /// Whether a preset that chooses a format chooses its colour space too (default): P3 for photos where there is one, else sRGB.
    public var automaticallyConfiguresCaptureDeviceForWideColor: Bool {
        get { state.withLock { $0.options.choosesColor } }
        set { state.withLock { $0.options.choosesColor = newValue } }
    }

    /// Clock of all time stamps, by the older name of `synchronizationClock`.
    public var masterClock: CMClock? { synchronizationClock }
}
