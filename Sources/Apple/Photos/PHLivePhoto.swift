import Foundation
import ImageIO
import UIKit

/// Number of a request for a Live Photo of files.
public typealias PHLivePhotoRequestID = Int32
/// Number of no request.
public let PHLivePhotoRequestIDInvalid: PHLivePhotoRequestID = 0
/// Entry of a result: why there is none.
public let PHLivePhotoInfoErrorKey = "PHLivePhotoInfoErrorKey"
/// Entry of a result: whether a better one follows; never here.
public let PHLivePhotoInfoIsDegradedKey = "PHLivePhotoInfoIsDegradedKey"
/// Entry of a result: whether its request was cancelled; never here.
public let PHLivePhotoInfoCancelledKey = "PHLivePhotoInfoCancelledKey"

/// Picture with the movie around it.
public final class PHLivePhoto: NSObject, Sendable {
    /// Size of the picture in pixels, upright.
    public let size: CGSize
    let picture: PhotoLibraryFolder.File
    let movie: PhotoLibraryFolder.File
    let folder: URL

    /// Makes one of an asset; nil for what is no picture with a movie.
    init?(of asset: PHAsset) {
        let files = asset.record.files
        guard asset.mediaSubtypes.contains(.photoLive), let picture = files.first(where: { $0.type == .photo }),
            let movie = files.first(where: { $0.type == .pairedVideo })
        else { return nil }
        (size, folder) = (CGSize(width: asset.pixelWidth, height: asset.pixelHeight), asset.folder)
        (self.picture, self.movie) = (picture, movie)
    }

    /// Makes one of two files of a folder; nil where the picture cannot be decoded or a file is not there.
    private init?(_ files: [URL]) {
        guard let picture = files.first(where: { PHAssetMediaType(fileName: $0.lastPathComponent) == .image }),
            let movie = files.first(where: { PHAssetMediaType(fileName: $0.lastPathComponent) == .video }),
            FileManager.default.fileExists(atPath: movie.path), let source = CGImageSourceCreateWithURL(picture as CFURL, nil),
            let size = source.uprightSize
        else { return nil }
        self.size = size
        folder = URL(fileURLWithPath: "/")
        self.picture = PhotoLibraryFolder.File(name: picture.path, type: .photo, originalName: picture.lastPathComponent)
        self.movie = PhotoLibraryFolder.File(name: movie.path, type: .pairedVideo, originalName: movie.lastPathComponent)
    }

    /// Gives the Live Photo of a picture's file and a movie's, later; nil and an error for others. The size and the placeholder are not needed.
    @discardableResult
    public class func request(
        withResourceFileURLs fileURLs: [URL], placeholderImage image: UIImage?, targetSize: CGSize, contentMode: PHImageContentMode,
        resultHandler: @escaping (PHLivePhoto?, [AnyHashable: Any]) -> Void
    ) -> PHLivePhotoRequestID {
        PhotoLibraryFolder.later {
            let photo = PHLivePhoto(fileURLs)
            resultHandler(
                photo,
                photo == nil ? [PHLivePhotoInfoErrorKey: PHPhotosError(.invalidResource)] : [PHLivePhotoInfoIsDegradedKey: NSNumber(value: false)])
        }
        return 1
    }

    /// Does nothing: a request is answered at once.
    public class func cancelRequest(withRequestID requestID: PHLivePhotoRequestID) {}
}

extension PHAssetResource {
    /// Returns the picture and the movie of a Live Photo.
    public class func assetResources(for livePhoto: PHLivePhoto) -> [PHAssetResource] {
        [livePhoto.picture, livePhoto.movie].compactMap { PHAssetResource($0, in: livePhoto.folder, of: "") }
    }
}
