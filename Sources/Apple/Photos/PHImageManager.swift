import AVFoundation
import CoreVideo
import Foundation
import ImageIO
import Synchronization
import UIKit

/// Number of a request.
public typealias PHImageRequestID = Int32
/// Number of no request.
public let PHInvalidImageRequestID: PHImageRequestID = 0
/// Size for a picture as large as its file.
public let PHImageManagerMaximumSize = CGSize(width: -1, height: -1)
/// Entry of a result: whether a better one follows; never here.
public let PHImageResultIsDegradedKey = "PHImageResultIsDegradedKey"
/// Entry of a result: number of its request.
public let PHImageResultRequestIDKey = "PHImageResultRequestIDKey"
/// Entry of a result: whether the file is elsewhere; never here.
public let PHImageResultIsInCloudKey = "PHImageResultIsInCloudKey"
/// Entry of a result: whether its request was cancelled; never here.
public let PHImageCancelledKey = "PHImageCancelledKey"
/// Entry of a result: why there is none.
public let PHImageErrorKey = "PHImageErrorKey"

/// Way in which a picture fits a size.
public enum PHImageContentMode: Int, Sendable {
    /// All of it within the size.
    case aspectFit = 0
    /// Fills the size and reaches beyond it.
    case aspectFill = 1
    /// `aspectFit`.
    public static let `default` = PHImageContentMode.aspectFit
}

/// Quality of a result; the best comes at once.
public enum PHImageRequestOptionsDeliveryMode: Int, Sendable {
    /// First what is quick, then what is good.
    case opportunistic = 0
    /// Only what is good.
    case highQualityFormat = 1
    /// Only what is quick.
    case fastFormat = 2
}

/// Exactness of the size; kept without effect.
public enum PHImageRequestOptionsResizeMode: Int, Sendable {
    /// As large as the file.
    case none = 0
    /// Near the size.
    case fast = 1
    /// The size.
    case exact = 2
}

/// Version of an asset: with the user's edit, or as it was.
public enum PHImageRequestOptionsVersion: Int, Sendable {
    /// With the user's edits.
    case current = 0
    /// Without edits.
    case unadjusted = 1
    /// As it was taken.
    case original = 2
}

/// Teller of how far a file has come, which may stop it; never called, as every file is there.
public typealias PHAssetImageProgressHandler = (Double, (any Error)?, UnsafeMutablePointer<ObjCBool>, [AnyHashable: Any]?) -> Void

/// Wishes for a picture; `isSynchronous` counts, and so does `version` of a picture; the others are kept.
public final class PHImageRequestOptions: NSObject {
    /// Version.
    public var version = PHImageRequestOptionsVersion.current
    /// Quality.
    public var deliveryMode = PHImageRequestOptionsDeliveryMode.opportunistic
    /// Exactness of the size.
    public var resizeMode = PHImageRequestOptionsResizeMode.fast
    /// Part of the picture, 0…1.
    public var normalizedCropRect = CGRect.zero
    /// Whether the file may be fetched from elsewhere.
    public var isNetworkAccessAllowed = false
    /// Whether the call returns with the picture; default false, it comes on a queue of Dispatch's.
    public var isSynchronous = false
    /// Whether a second picture of less quality may come; kept, as none does.
    public var allowSecondaryDegradedImage = false
    /// Teller of how far the file has come.
    public var progressHandler: PHAssetImageProgressHandler?
}

extension PHImageRequestOptions? {
    /// File of an asset in the version that is wished for.
    fileprivate func file(of asset: PHAsset) -> URL? { (self?.version ?? .current) == .current ? asset.current : asset.files.first }
}

/// Giver of pictures of assets, of JPEG, PNG and movies, and of the movies.
open class PHImageManager: NSObject, @unchecked Sendable {
    private static let manager = PHImageManager()
    private let count = Mutex<PHImageRequestID>(0)

    /// The shared manager.
    public class func `default`() -> PHImageManager { manager }

    /// Gives a picture of about a size in pixels, upright, of a movie its first.
    ///
    /// Nil and an error for what is neither JPEG nor PNG nor a movie that can be read.
    @discardableResult
    open func requestImage(
        for asset: PHAsset, targetSize: CGSize, contentMode: PHImageContentMode, options: PHImageRequestOptions?,
        resultHandler: @escaping (UIImage?, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        answer(options, asset, resultHandler) { asset in
            let side = Self.side(of: asset, in: targetSize, contentMode)
            if let video = asset.video {
                let generator = AVAssetImageGenerator(asset: video)
                generator.appliesPreferredTrackTransform = true
                generator.maximumSize = side.map { CGSize(width: $0, height: $0) } ?? .zero
                return (try? generator.copyCGImage(at: .zero, actualTime: nil)).map { UIImage(cgImage: $0) }
            }
            guard asset.mediaType == .image, let file = options.file(of: asset), let source = CGImageSourceCreateWithURL(file as CFURL, nil) else {
                return nil
            }
            var wishes: [String: Any] = [
                kCGImageSourceCreateThumbnailFromImageAlways as String: true, kCGImageSourceCreateThumbnailWithTransform as String: true,
            ]
            wishes[kCGImageSourceThumbnailMaxPixelSize as String] = side
            return CGImageSourceCreateThumbnailAtIndex(source, 0, wishes as CFDictionary).map { UIImage(cgImage: $0) }
        }
    }

    /// Gives the file of an asset's picture, its type and its orientation.
    @discardableResult
    open func requestImageDataAndOrientation(
        for asset: PHAsset, options: PHImageRequestOptions?,
        resultHandler: @escaping (Data?, String?, CGImagePropertyOrientation, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        answer(options, asset) { (found: (Data, String?, CGImagePropertyOrientation)?, info) in
            resultHandler(found?.0, found?.1, found?.2 ?? .up, info)
        } _: { asset in
            guard asset.mediaType == .image, let file = options.file(of: asset), let data = try? Data(contentsOf: file),
                let source = CGImageSourceCreateWithData(data as CFData, nil)
            else { return nil }
            return (data, CGImageSourceGetType(source).map { $0 as String }, source.orientation)
        }
    }

    /// Gives the file of an asset's picture, its type and its orientation, as before there was the same orientation everywhere.
    @available(*, deprecated, message: "Use requestImageDataAndOrientation(for:options:resultHandler:) instead.")
    @discardableResult
    public func requestImageData(
        for asset: PHAsset, options: PHImageRequestOptions?,
        resultHandler: @escaping (Data?, String?, UIImage.Orientation, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        requestImageDataAndOrientation(for: asset, options: options) { data, type, orientation, info in
            resultHandler(data, type, UIImage.Orientation(orientation), info)
        }
    }

    /// Does nothing: a request is answered at once.
    open func cancelImageRequest(_ requestID: PHImageRequestID) {}

    /// The greater side in pixels of a picture that fits or fills a size; nil for as large as the file.
    private static func side(of asset: PHAsset, in size: CGSize, _ mode: PHImageContentMode) -> Int? {
        let (width, height) = (Double(asset.pixelWidth), Double(asset.pixelHeight))
        guard size.width > 0, size.height > 0, width > 0, height > 0 else { return nil }
        let scales = (size.width / width, size.height / height)
        let scale = min(1, mode == .aspectFit ? min(scales.0, scales.1) : max(scales.0, scales.1))
        return max(1, Int((max(width, height) * scale).rounded(.up)))
    }

    func answer<Found>(
        _ options: PHImageRequestOptions?, _ asset: PHAsset, _ handler: @escaping (Found?, [AnyHashable: Any]?) -> Void,
        _ find: @escaping (PHAsset) -> Found?
    ) -> PHImageRequestID {
        let number = count.withLock { count in
            count += 1
            return count
        }
        let work = {
            let found = find(asset)
            var info: [AnyHashable: Any] = [
                PHImageResultRequestIDKey: NSNumber(value: number), PHImageResultIsDegradedKey: NSNumber(value: false),
            ]
            if found == nil { info[PHImageErrorKey] = PHPhotosError(.invalidResource) }
            handler(found, info)
        }
        if options?.isSynchronous == true { work() } else { PhotoLibraryFolder.later(work) }
        return number
    }
}

extension UIImage.Orientation {
    /// Makes the same orientation in UIKit's order.
    fileprivate init(_ orientation: CGImagePropertyOrientation) {
        switch orientation {
        case .up: self = .up
        case .upMirrored: self = .upMirrored
        case .down: self = .down
        case .downMirrored: self = .downMirrored
        case .leftMirrored: self = .leftMirrored
        case .right: self = .right
        case .rightMirrored: self = .rightMirrored
        case .left: self = .left
        }
    }
}

/// Image manager that could prepare pictures ahead; here it does what every manager does.
open class PHCachingImageManager: PHImageManager, @unchecked Sendable {
    /// Makes a manager.
    public override init() {}
    /// Whether large pictures may be prepared; kept, as none are.
    open var allowsCachingHighQualityImages = true
    /// Does nothing: pictures are read when they are asked for.
    open func startCachingImages(for assets: [PHAsset], targetSize: CGSize, contentMode: PHImageContentMode, options: PHImageRequestOptions?) {}
    /// Does nothing.
    open func stopCachingImages(for assets: [PHAsset], targetSize: CGSize, contentMode: PHImageContentMode, options: PHImageRequestOptions?) {}
    /// Does nothing.
    open func stopCachingImagesForAllAssets() {}
}
