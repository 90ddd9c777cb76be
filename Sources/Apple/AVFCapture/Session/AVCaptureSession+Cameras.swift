import Foundation
import Pipeline
import Synchronization

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
