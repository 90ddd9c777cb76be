import Foundation
import Synchronization

extension AVCaptureDevice {
    public enum TorchMode: Int, Sendable {
        case off = 0
        case on = 1
        case auto = 2
    }

    /// The brightest the torch may shine now.
    public static let maxAvailableTorchLevel = Float.greatestFiniteMagnitude

    public var hasTorch: Bool { profile.hardware.hasTorch }
    public var hasFlash: Bool { hasTorch }
    /// Too hot a phone lights no torch.
    public var isTorchAvailable: Bool { hasTorch && ![.critical, .shutdown].contains(systemPressureState.level) }
    public var isFlashAvailable: Bool { isTorchAvailable }
    public func isTorchModeSupported(_ torchMode: TorchMode) -> Bool { hasTorch || torchMode == .off }
    /// Observable.
    public var isTorchActive: Bool { torchLevel > 0 }
    /// 0…1; 0 is dark. Observable.
    public var torchLevel: Float { state.withLock { $0.controls.torchLevel } }

    /// `.auto` lights where there is not enough light while a movie is recorded. A commit of the session turns the torch off. Observable.
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

    /// Lights the torch at a level above 0 and up to 1; throws when it may not shine now.
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
}

extension AVCaptureDevice.Controls {
    var torchMode: AVCaptureDevice.TorchMode { isTorchAuto ? .auto : torchLevel > 0 ? .on : .off }
}
