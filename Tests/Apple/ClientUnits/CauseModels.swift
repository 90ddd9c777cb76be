import AVFoundation
import SwiftUI
import os.log

// Cause 6: model files that import SwiftUI for Combine and a few values, and `os.log`.

private let log = OSLog(subsystem: "unit", category: "camera")

/// Model of a camera's screen.
@MainActor
public final class CameraScreenModel: ObservableObject {
    public enum Flash: String {
        case on, off
    }

    @Published public private(set) var isRecording = false
    @Published public var thumbnail: Image?
    @Published public var tint = Color.white
    @AppStorage("flash") public var flash = Flash.off
    private let logger = Logger(subsystem: "unit", category: "screen")

    public init() {}

    public func toggle() {
        withAnimation(.easeInOut(duration: 0.2)) { isRecording.toggle() }
        tint = isRecording ? Color(red: 1, green: 0.2, blue: 0.2) : .white
        logger.info("recording: \(self.isRecording)")
    }

    public func show(_ photo: CGImage) { thumbnail = Image(decorative: photo, scale: 2, orientation: .right) }

    public func zoom(of device: AVCaptureDevice) -> Binding<CGFloat> {
        Binding(
            get: { device.videoZoomFactor },
            set: { factor in
                guard (try? device.lockForConfiguration()) != nil else { return }
                device.videoZoomFactor = factor
                device.unlockForConfiguration()
            })
    }
}
