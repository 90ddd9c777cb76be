import AVFCapture
import CoreMedia
import ScenarioFormat

extension CaptureConditions {
    /// Plays a fault that happens around the camera; the others happen in its feed.
    package func play(_ fault: Fault, camera: String, disk: ScriptedDisk) {
        switch fault {
        case .missDetection, .swapIDs, .dropFrames: break
        case .interrupt(.otherApp, _): interrupt(.videoDeviceInUseByAnotherClient)
        case .interrupt(.background, _): interrupt(.videoDeviceNotAvailableInBackground)
        case .interrupt(.splitScreen, _): interrupt(.videoDeviceNotAvailableWithMultipleForegroundApps)
        case .interrupt(.pressure, _): interrupt(.videoDeviceNotAvailableDueToSystemPressure)
        case .runtimeError: fail(.mediaServicesWereReset)
        case .disconnect: disconnect(camera)
        case .diskFull: disk.isFull = true
        case .lateMetadata(let frames, let until): delayMetadata(frames: frames, until: CMTime(value: until, timescale: 1_000_000_000))
        case .deny: setAuthorization(.denied, for: .video)
        case .pressure(let level): setPressure(.init(level), of: camera)
        }
    }
}

extension AVCaptureDevice.SystemPressureState.Level {
    fileprivate init(_ level: Fault.Pressure) {
        switch level {
        case .nominal: self = .nominal
        case .fair: self = .fair
        case .serious: self = .serious
        case .critical: self = .critical
        }
    }
}

extension ScenarioFile {
    /// Whether the user has refused before the app begins.
    package var isDeniedAtStart: Bool {
        timeline.contains { ($0.verb as? FaultVerb)?.fault == .deny && $0.time == 0 }
    }
}
