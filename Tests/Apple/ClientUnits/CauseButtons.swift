import AVFoundation
import AVKit
import CoreImage
import Photos

// Cause: buttons of the phone, bytes of codes, edits of the library, and names beside them that newer code has.

/// Shutter under the phone's buttons: down focuses, up shoots, and volume up is a switch.
@MainActor
public final class ShutterButtons {
    public private(set) var log: [String] = []
    private var interaction: AVCaptureEventInteraction?

    public init() {}

    public var isEnabled: Bool {
        get { interaction?.isEnabled ?? false }
        set { interaction?.isEnabled = newValue }
    }

    public func attach() {
        interaction = AVCaptureEventInteraction(
            primary: { [weak self] event in
                switch event.phase {
                case .began: self?.log.append("focus")
                case .ended: self?.log.append("shoot")
                case .cancelled: self?.log.append("let go")
                @unknown default: break
                }
            },
            secondary: { [weak self] event in if event.phase == .ended { self?.log.append("switch") } })
    }

    /// One handler for every button.
    public func attachSimply() {
        interaction = AVCaptureEventInteraction { [weak self] event in
            if event.phase == .ended { self?.log.append("press") }
        }
    }
}

/// Bytes of a QR code in byte mode.
public func bytes(of code: AVMetadataMachineReadableCodeObject) -> Data? {
    guard let symbol = code.descriptor as? CIQRCodeDescriptor, let first = symbol.errorCorrectedPayload.first, first >> 4 == 4 else { return nil }
    let words = Array(symbol.errorCorrectedPayload)
    let start = symbol.symbolVersion < 10 ? 1 : 2
    let count = start == 1 ? Int(words[0] & 15) << 4 | Int(words[1] >> 4) : Int(words[0] & 15) << 12 | Int(words[1]) << 4 | Int(words[2] >> 4)
    return Data((0..<count).map { words[start + $0] << 4 | words[start + $0 + 1] >> 4 })
}

/// Watcher of what a device says of its framing; nil where it says nothing.
public func framings(of device: AVCaptureDevice, _ tell: @escaping @Sendable (AVCaptureFraming?) -> Void) -> NSKeyValueObservation? {
    device.smartFramingMonitor?.observe(\.recommendedFraming, options: [.initial, .new]) { monitor, _ in tell(monitor.recommendedFraming) }
}

/// Development of a raw file, where the system has one.
public func developed(_ file: URL) -> CIImage? {
    let filter = CIRAWFilter(imageURL: file)
    filter?.exposure = 0.5
    if filter?.isLensCorrectionSupported == true { filter?.isLensCorrectionEnabled = true }
    return filter?.outputImage
}
