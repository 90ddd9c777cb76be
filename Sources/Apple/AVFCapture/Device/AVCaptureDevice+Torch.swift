import Foundation
import Synchronization

extension AVCaptureDevice {
    /// Use of the torch.
    public enum TorchMode: Int, Sendable {
        /// Dark.
        case off = 0
        /// Lit.
        case on = 1
        /// Lit in the dark while a movie is recorded.
        case auto = 2
    }

    /// Placeholder for the brightest level available.
    public static let maxAvailableTorchLevel = Float.greatestFiniteMagnitude

    /// Whether the torch is lit. Observable.
    public var isTorchActive: Bool { torchLevel > 0 }
    /// Brightness of the torch, 0…1; 0 is dark. Observable.
    public var torchLevel: Float { state.withLock { $0.controls.torchLevel } }

    /// Use of the torch; a commit of the session turns it off. Observable. Raises without the lock, and for a mode the device lacks.
    public var torchMode: TorchMode {
        get { state.withLock { $0.controls.torchMode } }
        set {
            guard requiresLock("setTorchMode:"), requires(isTorchModeSupported(newValue), "setTorchMode:", "isTorchModeSupported:") else { return }
            change { state in
                state.controls.isTorchAuto = newValue == .auto
                state.controls.torchLevel = newValue == .on ? 1 : 0
            }
        }
    }

    /// Lights the torch at a level above 0 and up to 1; throws `torchLevelUnavailable` when it cannot light now.
    /// Raises without the lock or a torch, and for other levels than those and `maxAvailableTorchLevel`.
    public func setTorchModeOn(level torchLevel: Float) throws {
        let selector = "setTorchModeOnWithLevel:error:"
        guard requiresLock(selector), requires(hasTorch, selector, "hasTorch") else { return }
        let level = torchLevel == Self.maxAvailableTorchLevel ? 1 : torchLevel
        guard level > 0, level <= 1 else {
            return environment.raise(.invalidArgument, "-[AVCaptureDevice \(selector)]", "\(torchLevel) is not above 0 and up to 1")
        }
        guard isTorchAvailable else { throw AVError(.torchLevelUnavailable) }
        change { state in
            state.controls.isTorchAuto = false
            state.controls.torchLevel = level
        }
    }

    /// Whether the flash would fire, by the mode of the device; false, as settings of a photo say whether it does.
    public var isFlashActive: Bool { false }

    /// Use of the flash; default `.off`, kept: settings of a photo say whether it fires. Raises without the lock, and for a mode the device lacks.
    public var flashMode: FlashMode {
        get { state.withLock { $0.controls.flashMode } }
        set {
            guard requiresLock("setFlashMode:"), requires(isFlashModeSupported(newValue), "setFlashMode:", "isFlashModeSupported:") else { return }
            change { $0.controls.flashMode = newValue }
        }
    }
}

extension AVCaptureDevice.Controls {
    var torchMode: AVCaptureDevice.TorchMode { isTorchAuto ? .auto : torchLevel > 0 ? .on : .off }
}
