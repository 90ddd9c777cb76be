import Foundation

extension ProcessInfo {
    /// Ways in which the system shall treat an activity; kept.
    public struct ActivityOptions: OptionSet, Sendable {
        /// Bit mask of the ways.
        public let rawValue: UInt64
        /// Makes ways from a bit mask.
        public init(rawValue: UInt64) { self.rawValue = rawValue }
        /// The screen stays on.
        public static let idleDisplaySleepDisabled = Self(rawValue: 1 << 40)
        /// The machine does not go to sleep by itself.
        public static let idleSystemSleepDisabled = Self(rawValue: 1 << 20)
        /// The process is not ended as unused.
        public static let suddenTerminationDisabled = Self(rawValue: 1 << 14)
        /// The process is not ended as without windows.
        public static let automaticTerminationDisabled = Self(rawValue: 1 << 15)
        /// Asked for by the user.
        public static let userInitiated = Self(rawValue: 0xFFFFFF | 1 << 20)
        /// Asked for by the user; the machine may sleep.
        public static let userInitiatedAllowingIdleSystemSleep = Self(rawValue: 0xFFFFFF & ~(1 << 20))
        /// In nobody's way.
        public static let background = Self(rawValue: 0xFF)
        /// Of the least delay, as sound and pictures are.
        public static let latencyCritical = Self(rawValue: 0xFF << 32)
    }

    /// Begins an activity, and returns what ends it; nothing here puts the machine to sleep.
    public func beginActivity(options: ActivityOptions = [], reason: String) -> any NSObjectProtocol { NSObject() }
    /// Ends an activity; nothing is to be undone.
    public func endActivity(_ activity: any NSObjectProtocol) {}
    /// Runs an activity.
    public func performActivity(options: ActivityOptions = [], reason: String, using block: @escaping () -> Void) { block() }
}
