import Foundation
import Synchronization

extension AVCaptureDevice {
    /// The camera came, with the device as object.
    public static let wasConnectedNotification = Notification.Name("AVCaptureDeviceWasConnectedNotification")
    public static let wasDisconnectedNotification = Notification.Name("AVCaptureDeviceWasDisconnectedNotification")
    public static let subjectAreaDidChangeNotification = Notification.Name("AVCaptureDeviceSubjectAreaDidChangeNotification")

    /// How hot it gets. Observable.
    public var systemPressureState: SystemPressureState { state.withLock { $0.pressure } }

    /// Whether a large change of the picture is told by `subjectAreaDidChangeNotification`.
    public var isSubjectAreaChangeMonitoringEnabled: Bool {
        get { state.withLock { $0.controls.watchesSubjectArea } }
        set {
            guard requiresLock("setSubjectAreaChangeMonitoringEnabled:") else { return }
            change { $0.controls.watchesSubjectArea = newValue }
        }
    }

    /// One state of heat and power, with what causes it.
    public final class SystemPressureState: NSObject, Sendable {
        public let level: Level
        public let factors: Factors

        init(level: Level, factors: Factors) {
            self.level = level
            self.factors = factors
        }

        public override func isEqual(_ object: Any?) -> Bool {
            (object as? SystemPressureState).map { $0.level == level && $0.factors == factors } ?? false
        }

        public override var hash: Int { level.hashValue }

        public struct Level: RawRepresentable, Hashable, Sendable {
            public let rawValue: String
            public init(rawValue: String) { self.rawValue = rawValue }
            public static let nominal = Level(rawValue: "AVCaptureSystemPressureLevelNominal")
            public static let fair = Level(rawValue: "AVCaptureSystemPressureLevelFair")
            public static let serious = Level(rawValue: "AVCaptureSystemPressureLevelSerious")
            public static let critical = Level(rawValue: "AVCaptureSystemPressureLevelCritical")
            public static let shutdown = Level(rawValue: "AVCaptureSystemPressureLevelShutdown")
        }

        public struct Factors: OptionSet, Sendable {
            public let rawValue: UInt
            public init(rawValue: UInt) { self.rawValue = rawValue }
            public static let systemTemperature = Factors(rawValue: 1)
            public static let peakPower = Factors(rawValue: 2)
            public static let depthModuleTemperature = Factors(rawValue: 4)
            public static let cameraTemperature = Factors(rawValue: 8)
        }
    }
}

extension Notification.Name {
    public static var AVCaptureDeviceWasConnected: Notification.Name { AVCaptureDevice.wasConnectedNotification }
    public static var AVCaptureDeviceWasDisconnected: Notification.Name { AVCaptureDevice.wasDisconnectedNotification }
    public static var AVCaptureDeviceSubjectAreaDidChange: Notification.Name { AVCaptureDevice.subjectAreaDidChangeNotification }
}
