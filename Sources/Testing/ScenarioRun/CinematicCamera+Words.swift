import AVFCapture
import CameraApp
import ScenarioFormat

extension CinematicCamera {
    /// Camera in use, in the words of the scenario format.
    var cameraInUse: Expectation.Camera { Expectation.Camera(device.deviceType) }
}

extension AVCaptureFileOutput {
    /// State of the output in the words of the scenario format.
    package var recording: Expectation.Recording {
        guard isRecording else { return lastRecordingError.map { .failed($0.code.word) } ?? .off }
        return isRecordingPaused ? .paused : .on
    }
}

extension Expectation.Camera {
    /// Word for the nearest of the scenario's cameras.
    package init(_ type: AVCaptureDevice.DeviceType) {
        switch type {
        case .builtInTrueDepthCamera: self = .trueDepth
        case .builtInUltraWideCamera: self = .ultraWide
        default: self = .dualWide
        }
    }
}

extension CinematicCamera.Event {
    /// Key and value of the event in the trace.
    var words: (key: StaticString, value: String) {
        switch self {
        case .recordingStarted: ("recording", "started")
        case .recordingPaused: ("recording", "paused")
        case .recordingResumed: ("recording", "resumed")
        case .recordingEnded(let code): ("recording", code?.word ?? "finished")
        case .photoTaken: ("photo", "taken")
        case .photoFailed(let code): ("photo", code.word)
        case .cameraSwitched(let type): ("camera", Expectation.Camera(type).rawValue)
        case .cameraRefused(let code): ("camera", code.word)
        }
    }
}

extension AVError.Code {
    /// Word of the scenario format for the error that ended a capture.
    fileprivate var word: String {
        switch self {
        case .diskFull: "diskFull"
        case .sessionWasInterrupted: "interrupted"
        case .deviceWasDisconnected: "disconnected"
        case .mediaServicesWereReset: "reset"
        case .sessionConfigurationChanged: "changed"
        case .applicationIsNotAuthorizedToUseDevice: "denied"
        default: "error \(rawValue)"
        }
    }
}
