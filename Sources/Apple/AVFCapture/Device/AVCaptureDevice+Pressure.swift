import Foundation
import Synchronization

extension AVCaptureDevice {
    /// Posted when a device is plugged in, with the device as object.
    public static let wasConnectedNotification = Notification.Name("AVCaptureDeviceWasConnectedNotification")
    /// Posted when a device is pulled out, with the device as object.
    public static let wasDisconnectedNotification = Notification.Name("AVCaptureDeviceWasDisconnectedNotification")
    /// Posted after a large change of the picture, with the device as object; only while it is monitored.
    public static let subjectAreaDidChangeNotification = Notification.Name("AVCaptureDeviceSubjectAreaDidChangeNotification")

    /// System pressure of heat and power. Observable.
    public var systemPressureState: SystemPressureState { state.withLock { $0.pressure } }

    /// Whether a large change of the picture posts `subjectAreaDidChangeNotification`; default false. Raises without the lock.
    public var isSubjectAreaChangeMonitoringEnabled: Bool {
        get { state.withLock { $0.controls.watchesSubjectArea } }
        set {
            guard requiresLock("setSubjectAreaChangeMonitoringEnabled:") else { return }
            change { $0.controls.watchesSubjectArea = newValue }
        }
    }

    /// Level of system pressure, with its causes.
    public final class SystemPressureState: NSObject, Sendable {
        /// Severity, from nominal to shutdown.
        public let level: Level
        /// Causes; empty at a nominal level.
        public let factors: Factors

        init(level: Level, factors: Factors) {
            self.level = level
            self.factors = factors
        }

        /// Whether level and factors are equal.
        public override func isEqual(_ object: Any?) -> Bool {
            (object as? SystemPressureState).map { $0.level == level && $0.factors == factors } ?? false
        }

        /// Hash of the level.
        public override var hash: Int { level.hashValue }

        /// Severity of system pressure.
        public struct Level: RawRepresentable, Hashable, Sendable {
            /// Name of the level, as Apple spells it.
            public let rawValue: String
            /// Makes a level from its name; any name is accepted.
            public init(rawValue: String) { self.rawValue = rawValue }
            /// No pressure; the first level.
            public static let nominal = Level(rawValue: "AVCaptureSystemPressureLevelNominal")
            /// Slight pressure, without effect.
            public static let fair = Level(rawValue: "AVCaptureSystemPressureLevelFair")
            /// High pressure; an app should lower its frame rate.
            public static let serious = Level(rawValue: "AVCaptureSystemPressureLevelSerious")
            /// Pressure at which the torch is unavailable.
            public static let critical = Level(rawValue: "AVCaptureSystemPressureLevelCritical")
            /// Pressure at which the session is interrupted.
            public static let shutdown = Level(rawValue: "AVCaptureSystemPressureLevelShutdown")
        }

        /// Causes of system pressure.
        public struct Factors: OptionSet, Sendable {
            /// Bit mask of the causes.
            public let rawValue: UInt
            /// Makes causes from a bit mask.
            public init(rawValue: UInt) { self.rawValue = rawValue }
            /// Heat of the whole phone.
            public static let systemTemperature = Factors(rawValue: 1)
            /// Peak demand of power.
            public static let peakPower = Factors(rawValue: 2)
            /// Heat of the depth sensor.
            public static let depthModuleTemperature = Factors(rawValue: 4)
            /// Heat of the camera.
            public static let cameraTemperature = Factors(rawValue: 8)
            /// A battery that gives too little power; of iOS 27.
            public static let batteryStress = Factors(rawValue: 16)
        }
    }
}

extension Notification.Name {
    /// `AVCaptureDevice.wasConnectedNotification`, by its older name.
    public static var AVCaptureDeviceWasConnected: Notification.Name { AVCaptureDevice.wasConnectedNotification }
    /// `AVCaptureDevice.wasDisconnectedNotification`, by its older name.
    public static var AVCaptureDeviceWasDisconnected: Notification.Name { AVCaptureDevice.wasDisconnectedNotification }
    /// `AVCaptureDevice.subjectAreaDidChangeNotification`, by its older name.
    public static var AVCaptureDeviceSubjectAreaDidChange: Notification.Name { AVCaptureDevice.subjectAreaDidChangeNotification }
}
