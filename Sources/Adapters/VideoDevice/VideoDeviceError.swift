import Foundation

/// Failure of a camera or a microphone: the device, the reason with a remedy, and the errno beneath.
public struct VideoDeviceError: Error, Sendable, Equatable, CustomStringConvertible, LocalizedError {
    /// Kind of failure.
    public enum Code: String, Sendable {
        /// No device of that name or path.
        case missing
        /// The user may not open the device.
        case permission
        /// Another program has the device.
        case busy
        /// A video node that delivers, or takes, no pictures.
        case wrongKind
        /// A size, rate or pixel format that the device does not offer, or pictures that cannot be converted.
        case unsupported
        /// The device delivers nothing: a cable without a signal, a camera that hangs.
        case noFrames
        /// A request to the driver failed.
        case failed
        /// The device was pulled out.
        case disconnected
    }

    /// Kind of failure.
    public var code: Code
    /// Path or name of the device.
    public var device: String
    /// Fault and remedy in words, to be read after the device.
    public var reason: String
    /// The errno beneath; nil when the refusal is ours.
    public var errorNumber: Int32?

    /// Creates an error; `reason` reads on from the device.
    public init(_ code: Code, _ device: String, _ reason: String, errno errorNumber: Int32? = nil) {
        (self.code, self.device, self.reason, self.errorNumber) = (code, device, reason, errorNumber)
    }

    /// `device: reason (errno's text)`.
    public var description: String {
        let text = errorNumber.map { " (\(String(cString: strerror($0))))" } ?? ""
        return "\(device): \(reason)\(text)"
    }

    /// Same text as `description`, for Foundation.
    public var errorDescription: String? { description }

    /// Error of a request that failed while `action` was done.
    init(errno number: Int32, _ device: String, _ action: String) {
        switch number {
        case ENODEV, ENXIO, ESHUTDOWN: self.init(.disconnected, device, "was unplugged", errno: number)
        case EBUSY: self.init(.busy, device, "is in use by another program: close it there (`fuser -v \(device)` names it)", errno: number)
        case ENOSPC:
            self.init(
                .failed, device, "cannot \(action): USB has no room for it; take a smaller format, or another USB port for one of the cameras",
                errno: number)
        default: self.init(.failed, device, "cannot \(action)", errno: number)
        }
    }

    /// Error of a node that could not be opened; `group` is the group that its file belongs to.
    static func opening(_ path: String, errno number: Int32, group: String?) -> VideoDeviceError {
        switch number {
        case EACCES, EPERM:
            let group = group ?? "video"
            return VideoDeviceError(
                .permission, path, "may be used by the group \(group): `sudo usermod -aG \(group) $USER`, then log in again", errno: number)
        case ENOENT: return VideoDeviceError(.missing, path, "there is no such device; `rackfocus devices` lists them", errno: number)
        default: return VideoDeviceError(errno: number, path, "be opened")
        }
    }
}
