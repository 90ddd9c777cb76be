import Foundation
import Synchronization

extension AVCaptureDevice {
    /// Connected camera that the user chose last, else the default; setting nil does nothing. Observable on the class.
    public class var userPreferredCamera: AVCaptureDevice? {
        get {
            let environment = CaptureEnvironment.current
            let cameras = environment.devices.all(in: environment).filter { $0.hasMediaType(.video) }
            let history = environment.conditions.state.withLock { $0.preferences }
            return history.lazy.compactMap { id in cameras.first { $0.uniqueID == id } }.first ?? `default`(for: .video)
        }
        set {
            guard let id = newValue?.uniqueID else { return }
            let conditions = CaptureEnvironment.current.conditions
            conditions.state.withLock { state in
                state.preferences.removeAll { $0 == id }
                state.preferences.insert(id, at: 0)
            }
            conditions.tellPreferences()
        }
    }

    /// Camera that the system would choose: a connected external one, unless the user chose; else the user's. Observable on the class.
    public class var systemPreferredCamera: AVCaptureDevice? {
        let environment = CaptureEnvironment.current
        let hasChosen = environment.conditions.state.withLock { !$0.preferences.isEmpty }
        let external = environment.devices.all(in: environment).first { $0.deviceType == .external && $0.hasMediaType(.video) }
        return hasChosen ? userPreferredCamera : external ?? userPreferredCamera
    }

}
