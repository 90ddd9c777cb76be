import Foundation

/// One microphone of a device that has several; none here has.
open class AVAudioSessionDataSourceDescription: NSObject, @unchecked Sendable {
    /// Number of the microphone.
    public let dataSourceID: NSNumber
    /// Name for people.
    public let dataSourceName: String
    /// Direction that it faces; nil where that is not known.
    public let orientation: AVAudioSession.Orientation?
    /// Patterns that it can listen in; nil where it has but one.
    public let supportedPolarPatterns: [AVAudioSession.PolarPattern]? = nil
    /// Pattern that it listens in; nil where it has but one.
    public let selectedPolarPattern: AVAudioSession.PolarPattern? = nil

    init(_ number: Int, name: String, orientation: AVAudioSession.Orientation?) {
        (dataSourceID, dataSourceName, self.orientation) = (NSNumber(value: number), name, orientation)
    }

    /// Chooses a pattern; without effect, as there are none.
    public func setPreferredPolarPattern(_ pattern: AVAudioSession.PolarPattern?) throws {}
}

extension AVAudioSession {
    /// Direction that a microphone faces.
    public struct Orientation: RawRepresentable, Hashable, Sendable {
        /// Name as Apple spells it.
        public let rawValue: String
        /// Makes a direction from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Up, of a phone held upright.
        public static let top = Orientation(rawValue: "Top")
        /// Down.
        public static let bottom = Orientation(rawValue: "Bottom")
        /// Towards the user.
        public static let front = Orientation(rawValue: "Front")
        /// Away from the user.
        public static let back = Orientation(rawValue: "Back")
        /// To the left.
        public static let left = Orientation(rawValue: "Left")
        /// To the right.
        public static let right = Orientation(rawValue: "Right")
    }

    /// Directions that a microphone hears.
    public struct PolarPattern: RawRepresentable, Hashable, Sendable {
        /// Name as Apple spells it.
        public let rawValue: String
        /// Makes a pattern from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// All of them.
        public static let omnidirectional = PolarPattern(rawValue: "Omnidirectional")
        /// Mostly the front.
        public static let cardioid = PolarPattern(rawValue: "Cardioid")
        /// Somewhat more the front.
        public static let subcardioid = PolarPattern(rawValue: "Subcardioid")
        /// Two sides apart.
        public static let stereo = PolarPattern(rawValue: "Stereo")
    }

    /// Posture of the phone for sound in stereo.
    public enum StereoOrientation: Int, Sendable {
        /// None.
        case none = 0
        /// Upright.
        case portrait = 1
        /// Upside down.
        case portraitUpsideDown = 2
        /// On its side, the port to the right.
        case landscapeRight = 3
        /// On its side, the port to the left.
        case landscapeLeft = 4
    }
}
