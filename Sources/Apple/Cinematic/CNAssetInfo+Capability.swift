import AVFoundation
import Foundation

/// Capability of an asset, as of iOS 27: a movie is cinematic, or it is not. None is made so later, and nothing is to be fetched.
public enum CNCinematicCapability: Int, Sendable {
    /// It has no metadata of a cinematic movie.
    case none = 0
    /// It can be rendered.
    case renderable = 1
    /// It lacks its disparity, which can be made; of no asset here.
    case needsPreprocessing = 2
}

/// Whether what rendering needs is there.
public enum CNResourceStatus: Int, Sendable {
    /// All of it; always here.
    case ready = 0
    /// Some is to be fetched.
    case needsDownloading = 1
    /// The device cannot render.
    case unsupportedDevice = 2
    /// The asset cannot be rendered.
    case unsupportedAsset = 3
}

/// Version of what rendering needs.
public enum CNCinematicResourceVersion: Int, Sendable {
    /// The first.
    case version1 = 1
}

/// Movie to make of one that lacks its disparity.
public final class CNAssetPreprocessConfiguration: NSObject, @unchecked Sendable {
    /// File to write.
    public let destinationAssetURL: URL
    /// Whether the file refers to the tracks of the asset instead of holding them; false at first.
    public var referenceSourceAssetTracks = false

    /// Makes the configuration of a file.
    public init(destinationAssetURL: URL) { self.destinationAssetURL = destinationAssetURL }
}

extension CNAssetInfo {
    /// Time after which a download is given up: a minute, and there are none.
    public static var defaultResourceDownloadTimeout: TimeInterval { 60 }

    /// Capability of an asset; `.none` where it cannot be read.
    public class func cinematicCapability(for asset: AVAsset) async -> CNCinematicCapability { await isCinematic(asset: asset) ? .renderable : .none }
    /// Whether what rendering needs is there: always.
    public class func resourceStatus(forVersions versions: Set<CNCinematicResourceVersion> = []) -> CNResourceStatus { .ready }
    /// Fetches what rendering needs: nothing.
    public static func downloadResources(
        versions: Set<CNCinematicResourceVersion> = [], timeout: TimeInterval = defaultResourceDownloadTimeout
    ) async throws {}

    /// Capability of the asset: it can be rendered.
    public var cinematicCapability: CNCinematicCapability { .renderable }
    /// Whether what rendering needs is there: always.
    public var resourceStatus: CNResourceStatus { .ready }
    /// Whether its disparity was made later: never.
    public var isPreprocessed: Bool { false }
    /// Fetches what rendering needs, which is nothing, and returns the information as it is.
    @discardableResult
    public func downloadResources(timeout: TimeInterval = defaultResourceDownloadTimeout) async throws -> CNAssetInfo { self }
    /// Makes the disparity of an asset that lacks it. Throws `CNCinematicError.Code.unsupported`, as an asset that has its information does not.
    public func preprocessAsset(configuration: CNAssetPreprocessConfiguration) async throws -> CNAssetInfo {
        throw CNCinematicError(.unsupported, of: asset, reason: "has its disparity, and none is made")
    }
}
