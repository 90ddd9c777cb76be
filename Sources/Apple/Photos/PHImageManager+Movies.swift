import AVFoundation
import Foundation

/// Teller of how far a file has come, which may stop it; never called, as every file is there.
public typealias PHAssetVideoProgressHandler = (Double, (any Error)?, UnsafeMutablePointer<ObjCBool>, [AnyHashable: Any]?) -> Void

/// Version of a movie; there is one.
public enum PHVideoRequestOptionsVersion: Int, Sendable {
    /// With the user's edits.
    case current = 0
    /// As it was taken.
    case original = 1
}

/// Quality of a movie; there is one.
public enum PHVideoRequestOptionsDeliveryMode: Int, Sendable {
    /// Whichever is at hand.
    case automatic = 0
    /// The best.
    case highQualityFormat = 1
    /// A middle one.
    case mediumQualityFormat = 2
    /// The quickest.
    case fastFormat = 3
}

/// Wishes for a movie; kept, as the file is there.
public final class PHVideoRequestOptions: NSObject, @unchecked Sendable {
    /// Version.
    public var version = PHVideoRequestOptionsVersion.current
    /// Quality.
    public var deliveryMode = PHVideoRequestOptionsDeliveryMode.automatic
    /// Whether the file may be fetched from elsewhere.
    public var isNetworkAccessAllowed = false
    /// Teller of how far the file has come.
    public var progressHandler: PHAssetVideoProgressHandler?

    /// Makes options without a wish.
    public override init() {}
}

/// Wishes for a Live Photo; kept, as its files are there.
public final class PHLivePhotoRequestOptions: NSObject, @unchecked Sendable {
    /// Version.
    public var version = PHImageRequestOptionsVersion.current
    /// Quality.
    public var deliveryMode = PHImageRequestOptionsDeliveryMode.opportunistic
    /// Whether the files may be fetched from elsewhere.
    public var isNetworkAccessAllowed = false
    /// Teller of how far the files have come.
    public var progressHandler: PHAssetImageProgressHandler?

    /// Makes options without a wish.
    public override init() {}
}

extension PHImageManager {
    /// Gives the movie of an asset: an `AVURLAsset` of its file; nil and an error for what is no movie.
    @discardableResult
    public func requestAVAsset(
        forVideo asset: PHAsset, options: PHVideoRequestOptions?, resultHandler: @escaping (AVAsset?, AVAudioMix?, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        answer(nil, asset, { resultHandler($0, nil, $1) }, \.video)
    }

    /// Gives an item for a player of an asset's movie; nil and an error for what is no movie.
    @discardableResult
    public func requestPlayerItem(
        forVideo asset: PHAsset, options: PHVideoRequestOptions?, resultHandler: @escaping (AVPlayerItem?, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        answer(nil, asset, resultHandler) { $0.video.map { AVPlayerItem(asset: $0) } }
    }

    /// Gives an export of an asset's movie; nil and an error for what is no movie, and for a preset that is not known.
    @discardableResult
    public func requestExportSession(
        forVideo asset: PHAsset, options: PHVideoRequestOptions?, exportPreset: String,
        resultHandler: @escaping (AVAssetExportSession?, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        answer(nil, asset, resultHandler) { $0.video.flatMap { AVAssetExportSession(asset: $0, presetName: exportPreset) } }
    }

    /// Gives the picture of an asset with its movie; nil and an error for what is no Live Photo. The size is not needed.
    @discardableResult
    public func requestLivePhoto(
        for asset: PHAsset, targetSize: CGSize, contentMode: PHImageContentMode, options: PHLivePhotoRequestOptions?,
        resultHandler: @escaping (PHLivePhoto?, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        answer(nil, asset, resultHandler) { PHLivePhoto(of: $0) }
    }
}
