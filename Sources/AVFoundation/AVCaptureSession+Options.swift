import CoreMedia
import Foundation
import Synchronization

extension AVCaptureSession {
    struct Options: Sendable {
        var usesAudioSession = true
        var configuresAudioSession = true
        var mixesWithOthers = false
        var choosesColor = true
    }

    /// There is no audio session to share; kept as it was set.
    public var usesApplicationAudioSession: Bool {
        get { state.withLock { $0.options.usesAudioSession } }
        set { state.withLock { $0.options.usesAudioSession = newValue } }
    }

    /// Kept as it was set.
    public var automaticallyConfiguresApplicationAudioSession: Bool {
        get { state.withLock { $0.options.configuresAudioSession } }
        set { state.withLock { $0.options.configuresAudioSession = newValue } }
    }

    /// Kept as it was set.
    public var configuresApplicationAudioSessionToMixWithOthers: Bool {
        get { state.withLock { $0.options.mixesWithOthers } }
        set { state.withLock { $0.options.mixesWithOthers = newValue } }
    }

    /// A preset that chooses a format chooses its colour space too: P3 for photos where the format has it, else sRGB.
    public var automaticallyConfiguresCaptureDeviceForWideColor: Bool {
        get { state.withLock { $0.options.choosesColor } }
        set { state.withLock { $0.options.choosesColor = newValue } }
    }

    /// The older name of `synchronizationClock`.
    public var masterClock: CMClock? { synchronizationClock }
}

/// A session for several cameras at once. No format here supports that: it takes one camera, and its app chooses the format.
public final class AVCaptureMultiCamSession: AVCaptureSession, @unchecked Sendable {
    public class var isMultiCamSupported: Bool { false }

    public override init() {
        super.init()
        state.withLock { ($0.preset, $0.presetIsDue) = (.inputPriority, false) }
    }

    /// The share of what the phone can bear for long; pictures made here heat nothing.
    public var systemPressureCost: Float { 0 }
}
