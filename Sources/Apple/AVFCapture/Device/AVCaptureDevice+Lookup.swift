import Foundation

/// Role that lets an initializer return an existing device; nothing in it is for clients.
public protocol _CaptureDeviceLookup {}

extension AVCaptureDevice: _CaptureDeviceLookup {}

extension _CaptureDeviceLookup {
    /// Finds the connected device of that ID; nil where there is none.
    public init?(uniqueID deviceUniqueID: String) {
        let environment = CaptureEnvironment.current
        guard let device = environment.devices.all(in: environment).first(where: { $0.uniqueID == deviceUniqueID }) as? Self else { return nil }
        self = device
    }
}
