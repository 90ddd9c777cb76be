import Foundation
import Synchronization

extension AVCaptureDevice {
    /// Returns the device of one type and position, nil where there is none; `.unspecified` takes the lowest position that has it.
    public class func `default`(_ deviceType: DeviceType, for mediaType: AVMediaType?, position: Position) -> AVCaptureDevice? {
        DiscoverySession(deviceTypes: [deviceType], mediaType: mediaType, position: position).devices.first
    }

    /// Returns the wide-angle camera at the back, else any wide-angle camera, else the first device of that media; nil without any.
    public class func `default`(for mediaType: AVMediaType) -> AVCaptureDevice? {
        let environment = CaptureEnvironment.current
        let cameras = environment.devices.all(in: environment).filter { $0.hasMediaType(mediaType) }
        let wide = cameras.filter { $0.deviceType == .builtInWideAngleCamera }
        return wide.first { $0.position == .back } ?? wide.first ?? cameras.first
    }

    /// Returns the devices of a media type, as older apps ask for them.
    public class func devices(for mediaType: AVMediaType) -> [AVCaptureDevice] { devices().filter { $0.hasMediaType(mediaType) } }

    /// Returns all devices, as older apps ask for them.
    public class func devices() -> [AVCaptureDevice] {
        let environment = CaptureEnvironment.current
        return environment.devices.all(in: environment)
    }

    /// Live list of devices of some types, in the order of the types, then by position; follows plugs. `devices` is observable.
    public final class DiscoverySession: NSObject, _KeyValueObservable, @unchecked Sendable {
        /// Observers of this session's properties; for `observe(_:options:changeHandler:)` only.
        public let _observers = _KeyValueObservers()
        private let found: Mutex<[AVCaptureDevice]>
        private let search: @Sendable () -> [AVCaptureDevice]

        /// Devices found now, updated when one comes or goes.
        public var devices: [AVCaptureDevice] { found.withLock { $0 } }

        /// Sets of the found cameras that can run at once in an `AVCaptureMultiCamSession`, two or three each.
        public var supportedMultiCamDeviceSets: [Set<AVCaptureDevice>] { AVCaptureDevice.sets(of: devices) }

        /// Makes a search for device types; a nil media type and `.unspecified` let everything through.
        public init(deviceTypes: [DeviceType], mediaType: AVMediaType?, position: Position) {
            let environment = CaptureEnvironment.current
            search = {
                let all = environment.devices.all(in: environment)
                return deviceTypes.flatMap { type in
                    all.filter { device in
                        device.deviceType == type && (position == .unspecified || device.position == position)
                            && (mediaType.map(device.hasMediaType) ?? true)
                    }
                    .enumerated()
                    .sorted { ($0.element.position.rawValue, $0.offset) < ($1.element.position.rawValue, $1.offset) }
                    .map(\.element)
                }
            }
            found = Mutex(search())
            super.init()
            environment.conditions.state.withLock { state in
                state.searches.removeAll { $0.object == nil }
                state.searches.append(CaptureConditions.Weak(object: self))
            }
        }

        func refresh() {
            let new = search()
            _observers.change(\DiscoverySession.devices, from: devices, to: new) { found.withLock { $0 = new } }
        }
    }
}
