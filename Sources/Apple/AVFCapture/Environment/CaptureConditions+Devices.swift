import CoreMedia
import Foundation
import Synchronization

extension CaptureConditions {
    /// Plugs a camera or microphone in, or back in: a new device appears.
    public func connect(_ profile: CameraProfile) {
        state.withLock { state in
            state.unplugged.removeAll { $0 == profile.uniqueID }
            state.plugged.removeAll { $0.uniqueID == profile.uniqueID }
            state.plugged.append(profile)
        }
        let devices = refreshSearches()
        guard let device = devices.first(where: { $0.uniqueID == profile.uniqueID }) else { return }
        NotificationCenter.default.post(name: AVCaptureDevice.wasConnectedNotification, object: device)
    }

    /// Pulls a camera or microphone out: its device object stays disconnected for good, and a session running with it fails.
    public func disconnect(_ uniqueID: String) {
        let gone = state.withLock { state in
            state.plugged.removeAll { $0.uniqueID == uniqueID }
            if !state.unplugged.contains(uniqueID) { state.unplugged.append(uniqueID) }
            return state.devices.compactMap(\.object).filter { $0.uniqueID == uniqueID && $0.isConnected }
        }
        for device in gone { device.change { $0.isConnected = false } }
        refreshSearches()
        for device in gone {
            NotificationCenter.default.post(name: AVCaptureDevice.wasDisconnectedNotification, object: device)
            device.state.withLock { $0.session }?.fail(AVError(.deviceWasDisconnected))
        }
    }

    /// Sets a camera's system pressure. `.shutdown` interrupts its session (reason 5), which resumes when the level falls.
    public func setPressure(
        _ level: AVCaptureDevice.SystemPressureState.Level, factors: AVCaptureDevice.SystemPressureState.Factors = [.systemTemperature],
        of uniqueID: String
    ) {
        let pressure = AVCaptureDevice.SystemPressureState(level: level, factors: level == .nominal ? [] : factors)
        for device in devices where device.uniqueID == uniqueID {
            let was = device.systemPressureState.level
            device.change { $0.pressure = pressure }
            guard let session = device.state.withLock({ $0.session }), was != level else { continue }
            if level == .shutdown {
                session.interrupt(Interruption(reason: .videoDeviceNotAvailableDueToSystemPressure, pressure: pressure))
            } else if was == .shutdown {
                session.endInterruption()
            }
        }
    }

    /// Changes the picture much: devices that monitor it post `subjectAreaDidChangeNotification`.
    public func changeSubjectArea() {
        for device in devices where device.isSubjectAreaChangeMonitoringEnabled {
            NotificationCenter.default.post(name: AVCaptureDevice.subjectAreaDidChangeNotification, object: device)
        }
    }

    var devices: [AVCaptureDevice] { state.withLock { $0.devices.compactMap(\.object) } }

    func add(_ device: AVCaptureDevice) {
        state.withLock { state in
            state.devices.removeAll { $0.object == nil }
            state.devices.append(Weak(object: device))
        }
    }

    /// Devices of the environment that are plugged in now.
    func profiles(of cameras: [CameraProfile]) -> [CameraProfile] {
        let (plugged, unplugged) = state.withLock { ($0.plugged, $0.unplugged) }
        return cameras.filter { camera in !unplugged.contains(camera.uniqueID) && !plugged.contains { $0.uniqueID == camera.uniqueID } } + plugged
    }

    /// Repeats the search of every discovery session; returns the devices found.
    @discardableResult
    private func refreshSearches() -> [AVCaptureDevice] {
        let searches = state.withLock { $0.searches.compactMap(\.object) }
        for search in searches { search.refresh() }
        tellPreferences()
        let environment = CaptureEnvironment.current
        let found = environment.conditions === self ? environment.devices.all(in: environment) : []
        return found + searches.flatMap(\.devices)
    }
}
