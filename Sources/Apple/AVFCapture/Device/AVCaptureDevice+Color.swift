import Foundation
import Synchronization

/// Colour space of a camera's pictures, narrow to wide.
public enum AVCaptureColorSpace: Int, Sendable {
    /// BT.709 primaries with the sRGB transfer function.
    case sRGB = 0
    /// DCI-P3 primaries with the white point D65.
    case P3_D65 = 1
    /// BT.2020 primaries with hybrid log-gamma, in ten bits.
    case HLG_BT2020 = 2
    /// Apple Log; no format here has it.
    case appleLog = 3
    /// Apple Log 2; no format here has it.
    case appleLog2 = 4
}

extension AVCaptureDevice.Format {
    /// Colour spaces from narrow to wide; HLG only in formats of ten bits, none for a microphone.
    public var supportedColorSpaces: [AVCaptureColorSpace] {
        guard mediaType == .video else { return [] }
        return profile.pixelFormat.hasPrefix("x4") ? [.sRGB, .P3_D65, .HLG_BT2020] : [.sRGB, .P3_D65]
    }

    /// Whether the format has high dynamic range video; never here.
    public var isVideoHDRSupported: Bool { false }
}

extension AVCaptureDevice {
    /// Colour space in use; kept and checked only, pictures stay BT.709. Observable.
    /// A change ends the recording of a movie and fails photos under way. Raises without the lock, and for one the format lacks.
    public var activeColorSpace: AVCaptureColorSpace {
        get { state.withLock { $0.controls.colorSpace } }
        set {
            let selector = "setActiveColorSpace:"
            guard requiresLock(selector),
                requires(activeFormat.supportedColorSpaces.contains(newValue), selector, "activeFormat.supportedColorSpaces")
            else { return }
            let old = change { $0.controls.colorSpace = newValue }
            guard old.controls.colorSpace != newValue, let session = state.withLock({ $0.session }) else { return }
            session.endCaptures(of: session.outputs(of: [session.pipeline(of: self)].compactMap { $0 }), error: AVError(.sessionConfigurationChanged))
        }
    }

    /// Sets the colour space that goes with the format the session chose.
    func chooseColorSpace(isWide: Bool) {
        let space: AVCaptureColorSpace = isWide && activeFormat.supportedColorSpaces.contains(.P3_D65) ? .P3_D65 : .sRGB
        change { $0.controls.colorSpace = space }
    }

    /// Whether high dynamic range is adjusted automatically; at first true, without effect as no format has it.
    public var automaticallyAdjustsVideoHDREnabled: Bool {
        get { state.withLock { $0.controls.adjustsHDR } }
        set {
            guard requiresLock("setAutomaticallyAdjustsVideoHDREnabled:") else { return }
            change { $0.controls.adjustsHDR = newValue }
        }
    }

    /// Whether high dynamic range is on: never. Setting it raises while it is adjusted automatically; true always raises.
    public var isVideoHDREnabled: Bool {
        get { false }
        set {
            let selector = "setVideoHDREnabled:"
            guard requiresLock(selector) else { return }
            guard !automaticallyAdjustsVideoHDREnabled else {
                return environment.raise(
                    .generic, "-[AVCaptureDevice \(selector)]", "May not be called while automaticallyAdjustsVideoHDREnabled is YES")
            }
            _ = requires(!newValue, selector, "activeFormat.isVideoHDRSupported")
        }
    }
}
