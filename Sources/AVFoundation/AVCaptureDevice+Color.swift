import Foundation
import Synchronization

/// The colours a camera can tell apart.
public enum AVCaptureColorSpace: Int, Sendable {
    case sRGB = 0
    case P3_D65 = 1
    case HLG_BT2020 = 2
    case appleLog = 3
    case appleLog2 = 4
}

extension AVCaptureDevice.Format {
    /// Narrow to wide: HLG where the pictures have ten bits.
    public var supportedColorSpaces: [AVCaptureColorSpace] {
        guard mediaType == .video else { return [] }
        return profile.pixelFormat.hasPrefix("x4") ? [.sRGB, .P3_D65, .HLG_BT2020] : [.sRGB, .P3_D65]
    }

    public var isVideoHDRSupported: Bool { false }
}

extension AVCaptureDevice {
    /// Kept and checked; pictures stay BT.709. A change while a movie is recorded ends it, and photos under way fail. Observable.
    public var activeColorSpace: AVCaptureColorSpace {
        get { state.withLock { $0.controls.colorSpace } }
        set {
            let selector = "setActiveColorSpace:"
            guard requiresLock(selector),
                requires(activeFormat.supportedColorSpaces.contains(newValue), selector, "activeFormat.supportedColorSpaces")
            else { return }
            let old = change { $0.controls.colorSpace = newValue }
            if old.controls.colorSpace != newValue { state.withLock { $0.session }?.endCaptures(error: AVError(.sessionConfigurationChanged)) }
        }
    }

    /// The session chooses the colour space with the format.
    func chooseColorSpace(isWide: Bool) {
        let space: AVCaptureColorSpace = isWide && activeFormat.supportedColorSpaces.contains(.P3_D65) ? .P3_D65 : .sRGB
        change { $0.controls.colorSpace = space }
    }

    /// No format has it; see `Format.isVideoHDRSupported`.
    public var automaticallyAdjustsVideoHDREnabled: Bool {
        get { state.withLock { $0.controls.adjustsHDR } }
        set {
            guard requiresLock("setAutomaticallyAdjustsVideoHDREnabled:") else { return }
            change { $0.controls.adjustsHDR = newValue }
        }
    }

    /// Raises while it is adjusted automatically, and where the format has none.
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
