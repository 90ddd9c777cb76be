import Foundation

/// Special way in which a movie can be played.
public struct AVAssetPlaybackConfigurationOption: RawRepresentable, Hashable, Sendable {
    /// Name of the way.
    public let rawValue: String
    /// Makes a way of any name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// For two eyes.
    public static let stereoVideo = Self(rawValue: "AVAssetPlaybackConfigurationOptionStereoVideo")
    /// For two eyes, in one track of several views.
    public static let stereoMultiviewVideo = Self(rawValue: "AVAssetPlaybackConfigurationOptionStereoMultiviewVideo")
    /// For two eyes, with what a phone says of its cameras.
    public static let spatialVideo = Self(rawValue: "AVAssetPlaybackConfigurationOptionSpatialVideo")
    /// Projected around the viewer.
    public static let nonRectilinearProjection = Self(rawValue: "AVAssetPlaybackConfigurationOptionNonRectilinearProjection")
    /// Of Apple's immersive cameras.
    public static let appleImmersiveVideo = Self(rawValue: "AVAssetPlaybackConfigurationOptionAppleImmersiveVideo")
}

/// Teller of the special ways in which a movie can be played: none, as tracks here have one flat view.
open class AVAssetPlaybackAssistant: NSObject, @unchecked Sendable {
    /// Makes the teller of a movie.
    public init(asset: AVAsset) {}

    /// The ways: none.
    open var playbackConfigurationOptions: [AVAssetPlaybackConfigurationOption] { get async { [] } }

    /// Hands over the ways, none, on a queue of Dispatch's.
    open func loadPlaybackConfigurationOptions(completionHandler: @escaping @Sendable ([AVAssetPlaybackConfigurationOption]) -> Void) {
        DispatchQueue.global().async { completionHandler([]) }
    }
}
