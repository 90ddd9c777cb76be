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

/// Pipelines of the cameras beside the first.
extension AVCaptureSession {
    /// Cameras among the inputs, the first of which leads.
    var cameraInputs: [AVCaptureDeviceInput] {
        inputs.compactMap { $0 as? AVCaptureDeviceInput }.filter { $0.device.hasMediaType(.video) }
    }

    /// Opens the cameras beside the first that have no pipeline.
    func openOthers() throws -> [CapturePipeline] {
        let running = state.withLock { $0.others }
        return try cameraInputs.dropFirst().filter { input in !running.contains { $0.input === input } }.map { try openCamera($0, leads: false) }
    }

    /// Makes pipelines run beside the first.
    func install(_ others: [CapturePipeline], in state: inout State) {
        state.others += others
        for pipeline in others { environment.stepper?.enter(pipeline, of: self) }
    }

    /// Stops the pipelines of cameras that left, lead now, or have another format.
    func closeStaleOthers() {
        let inputs = cameraInputs.dropFirst()
        let stale = state.withLock { state in
            let stale = state.others.filter { pipeline in
                !inputs.contains { $0 === pipeline.input } || pipeline.format !== pipeline.input.device.activeFormat
            }
            state.others.removeAll { pipeline in stale.contains { $0 === pipeline } }
            return stale
        }
        for pipeline in stale { pipeline.stop() }
    }

    /// Opens and starts the pipelines that a session which runs lacks; one that cannot be opened stops the session with a runtime error.
    func openMissingOthers() {
        do {
            let others = try openOthers()
            let mayRun = state.withLock { state in
                guard state.phase == .running else { return false }
                install(others, in: &state)
                return true
            }
            if mayRun { for pipeline in others { pipeline.start(after: nil) } }
        } catch {
            fail((error as? AVError) ?? AVError(.unknown, underlying: error))
        }
    }

    /// Pipeline that runs for a camera; nil without one.
    func pipeline(of device: AVCaptureDevice) -> CapturePipeline? {
        state.withLock { state in
            (state.others + [state.pipeline].compactMap { $0 as? CapturePipeline }).first { $0.input.device === device }
        }
    }

    /// Hands sound of the microphone to the cameras beside the first, whose movies may have it.
    func share(_ sound: Sound) { for pipeline in state.withLock({ $0.others }) { pipeline.hear(sound) } }
}
