import AVFoundation
import Foundation
import Support
import Synchronization
import VideoDevice

/// Devices of this machine as an app finds them, kept up to date: a camera that is plugged in appears, one that is pulled out is gone, and a pair is there
/// while both of its cameras are.
final class LivePlugs: Sendable {
    private struct Device {
        var rig: LiveRig
        var profile: CameraProfile
    }

    private let pairs: [RigFile]
    private let system: any VideoSystem
    private let devices: Mutex<[Device]>

    /// Looks at the nodes there are.
    init(pairs: [RigFile], in system: any VideoSystem) {
        (self.pairs, self.system) = (pairs, system)
        devices = Mutex(Self.devices(pairs, system))
    }

    private static func devices(_ pairs: [RigFile], _ system: any VideoSystem) -> [Device] {
        let rigs = LiveRig.all(of: VideoCamera.all(in: system).filter { $0.problem == nil }, pairs: pairs)
        return rigs.map { Device(rig: $0, profile: $0.profile(only: nil)) }
    }

    /// Devices there are.
    var profiles: [CameraProfile] { devices.withLock { $0.map(\.profile) } }

    /// Cameras behind a device; nil for one that is gone.
    func rig(of uniqueID: String) -> LiveRig? { devices.withLock { $0.first { $0.profile.uniqueID == uniqueID }?.rig } }

    /// Looks at the nodes again, and tells of devices that came and went.
    func look(telling conditions: CaptureConditions) {
        let now = Self.devices(pairs, system)
        let before = devices.withLock { devices in
            defer { devices = now }
            return devices
        }
        for device in before where !now.contains(where: { $0.profile.uniqueID == device.profile.uniqueID }) {
            conditions.disconnect(device.profile.uniqueID)
        }
        for device in now where !before.contains(where: { $0.profile.uniqueID == device.profile.uniqueID }) { conditions.connect(device.profile) }
    }

    /// Looks again whenever nodes change, on a thread of its own, for as long as somebody holds this. A node gets its group and its permissions a moment
    /// after it is there, which is a change, too.
    func watch(_ watch: DeviceWatch, telling conditions: CaptureConditions) {
        Thread.detach(named: "plugs") { [weak self] in
            while self != nil { if watch.wait(milliseconds: 1000) { self?.look(telling: conditions) } }
        }
    }
}
