import Foundation
import Pipeline
import Synchronization

/// Session of several cameras at once, whose formats the app chooses. Outputs of the same class are allowed, each with one camera.
///
/// Each camera has a pipeline of its own. That of the first leads: it brings the microphone's sound, and observers of the environment see its frames.
open class AVCaptureMultiCamSession: AVCaptureSession, @unchecked Sendable {
    /// Most cameras that run at once.
    static let mostCameras = 3

    /// Whether several cameras of the phone can run at once.
    open class var isMultiCamSupported: Bool {
        let environment = CaptureEnvironment.current
        let cameras = environment.devices.all(in: environment)
        return cameras.contains { camera in cameras.contains(where: camera.canRunBeside) }
    }

    /// Makes an empty session with the preset `.inputPriority`.
    public override init() {
        super.init()
        state.withLock { ($0.preset, $0.presetIsDue) = (.inputPriority, false) }
    }

    /// Share of the power that the phone can sustain: 0, as pictures made here heat nothing.
    open var systemPressureCost: Float { 0 }
}

extension AVCaptureDevice {
    /// Whether both are cameras of a phone that runs several at once, and share no sensor.
    func canRunBeside(_ other: AVCaptureDevice) -> Bool {
        // A virtual camera is made of all sensors of its side.
        let sharesSensor = position == other.position && (isVirtualDevice || other.isVirtualDevice)
        return self !== other && profile.hardware.hasMultiCam && other.profile.hardware.hasMultiCam && !sharesSensor
    }

    /// Sets of these cameras that can run at once, pairs first.
    static func sets(of devices: [AVCaptureDevice]) -> [Set<AVCaptureDevice>] {
        var sets: [Set<AVCaptureDevice>] = []
        var last = devices.map { [$0] }
        for _ in 1..<AVCaptureMultiCamSession.mostCameras {
            last = last.flatMap { set in
                let start = devices.firstIndex { $0 === set.last }.map { $0 + 1 } ?? devices.count
                return devices[start...].filter { device in set.allSatisfy(device.canRunBeside) }.map { set + [$0] }
            }
            sets += last.map { Set($0) }
        }
        return sets
    }
}

extension AVCaptureDevice.Format {
    /// Whether the format can run beside another camera: of at most 1920 pixels and 60 frames a second, of a phone that runs several at once.
    public var isMultiCamSupported: Bool { hasMultiCam && profile.width <= 1920 && profile.maxFrameRate <= 60 }
}
