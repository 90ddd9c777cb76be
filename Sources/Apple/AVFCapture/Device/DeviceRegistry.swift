import Synchronization

/// The devices of one environment: one object per camera for as long as the environment lives.
final class DeviceRegistry: Sendable {
    private let devices = Mutex<[AVCaptureDevice]>([])

    /// The cameras of `environment` as devices, in its order.
    func all(in environment: CaptureEnvironment) -> [AVCaptureDevice] {
        devices.withLock { known in
            // Once pulled out an object never comes back to life.
            known.removeAll { !$0.isConnected }
            return environment.conditions.profiles(of: environment.cameras).map { profile in
                if let device = known.first(where: { $0.profile == profile }) { return device }
                let device = AVCaptureDevice(profile: profile, environment: environment.withoutDevices)
                known.append(device)
                environment.conditions.add(device)
                return device
            }
        }
    }
}
