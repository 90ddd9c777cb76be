import Foundation

/// Mix of first-order ambisonics by direction: what comes straight from ahead, as the voices of those who are filmed do, is told from its surroundings.
///
/// The two are told apart in time and frequency by the direction and the diffuseness of the sound's intensity (directional audio coding; V. Pulkki,
/// J. Audio Eng. Soc. 55, 2007), not by recognising speech. Foreground and background add up to the recording.
public struct SpatialMix: Sendable, Hashable {
    /// Treatment of foreground and background.
    public enum Style: String, Sendable, CaseIterable {
        /// Foreground in the middle, background at half its level.
        case cinematic
        /// Foreground from where it is, background at a tenth, with the room's reverberation in it.
        case studio
        /// As `studio`, with the background at a quarter, and only that as foreground which comes from within the picture.
        case inFrame = "in-frame"
    }

    /// Part of the mix that is heard.
    public enum Part: String, Sendable, CaseIterable {
        case whole
        /// Sound straight from ahead, as it was recorded.
        case foreground
        /// The rest, as it was recorded.
        case background
    }

    /// Treatment of foreground and background.
    public var style: Style
    /// Part that is heard.
    public var part: Part
    /// Strength, 0…1: 0 is the recording. Without effect on one part alone.
    public var intensity: Float
    /// Horizontal angle of the picture, degrees, for `inFrame`.
    public var fieldOfView: Float

    /// Horizontal angle of a picture that tells none, degrees: that of a phone's main camera.
    public static let usualFieldOfView: Float = 70

    /// Creates a mix.
    public init(style: Style, part: Part = .whole, intensity: Float = 1, fieldOfView: Float = Self.usualFieldOfView) {
        (self.style, self.part, self.fieldOfView) = (style, part, fieldOfView)
        self.intensity = min(max(intensity, 0), 1)
    }

    /// Level of the background in a whole mix of full strength.
    public var backgroundLevel: Float {
        switch style {
        case .cinematic: 0.5
        case .studio: 0.1
        case .inFrame: 0.25
        }
    }

    /// Cosines of the angles from straight ahead up to which sound is foreground, and from which it is background; between them it is partly either.
    public var foregroundCosines: (inner: Float, outer: Float) {
        guard style == .inFrame else { return (0.5, -0.5) }
        let half = min(max(fieldOfView, 1), 179) / 2
        return (cos(half * .pi / 180), cos(min(half + 20, 180) * .pi / 180))
    }
}
