import Foundation
import Synchronization

extension AVCaptureDevice {
    /// The camera of one kind, `nil` for a kind or place that is not there. `.unspecified` takes the first place that has it.
    public class func `default`(_ deviceType: DeviceType, for mediaType: AVMediaType?, position: Position) -> AVCaptureDevice? {
        DiscoverySession(deviceTypes: [deviceType], mediaType: mediaType, position: position).devices.first
    }

    /// The wide-angle camera at the back, else any wide-angle camera, else the first camera there is.
    public class func `default`(for mediaType: AVMediaType) -> AVCaptureDevice? {
        let environment = CaptureEnvironment.current
        let cameras = environment.devices.all(in: environment).filter { $0.hasMediaType(mediaType) }
        let wide = cameras.filter { $0.deviceType == .builtInWideAngleCamera }
        return wide.first { $0.position == .back } ?? wide.first ?? cameras.first
    }

    /// The devices of some kinds, in the order of the kinds, then by position; follows plugs. `devices` is observable.
    public final class DiscoverySession: NSObject, _KeyValueObservable, @unchecked Sendable {
        public let _observers = _KeyValueObservers()
        private let found: Mutex<[AVCaptureDevice]>
        private let search: @Sendable () -> [AVCaptureDevice]

        public var devices: [AVCaptureDevice] { found.withLock { $0 } }

        /// None: no cameras here run at once in one session.
        public var supportedMultiCamDeviceSets: [Set<AVCaptureDevice>] { [] }

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
