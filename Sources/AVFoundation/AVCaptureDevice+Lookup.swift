import Foundation

/// Lets an initializer give a device that is already there; nothing in it is for clients.
public protocol _CaptureDeviceLookup {}

extension AVCaptureDevice: _CaptureDeviceLookup {}

extension _CaptureDeviceLookup {
    /// The device of that ID, if it is there.
    public init?(uniqueID deviceUniqueID: String) {
        let environment = CaptureEnvironment.current
        guard let device = environment.devices.all(in: environment).first(where: { $0.uniqueID == deviceUniqueID }) as? Self else { return nil }
        self = device
    }
}
