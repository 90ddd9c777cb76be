@_exported import AVFoundation
@_exported import CoreImage
@_exported import CoreLocation
import Foundation
@_exported import UIKit

/// Wish for an asset, made within a change of the library.
open class PHAssetChangeRequest: NSObject, @unchecked Sendable {
    /// Time at which the asset was made; default nil, the date of its files.
    open var creationDate: Date?
    /// Place at which the asset was made.
    open var location: CLLocation?
    /// Whether the user has it among the favourites.
    open var isFavorite = false
    /// Edit of the content, from which the change makes the asset's current file; nil for none.
    ///
    /// The change fails with `.invalidResource` where its file or its description is missing, and for a Live Photo.
    open var contentEditingOutput: PHContentEditingOutput?
    private(set) var isReverted = false
    /// Stand-in for a new asset; nil for one that is there.
    public let placeholderForCreatedAsset: PHObjectPlaceholder?
    let identifier: String

    init(_ asset: PHAsset?) {
        let placeholder = asset == nil ? PHObjectPlaceholder() : nil
        placeholderForCreatedAsset = placeholder
        identifier = asset?.localIdentifier ?? placeholder?.localIdentifier ?? ""
        super.init()
        guard let asset else { return }
        (creationDate, location, isFavorite) = (asset.creationDate, asset.location, asset.isFavorite)
    }

    /// Makes a request within `performChanges` for an asset that is there.
    public convenience init(for asset: PHAsset) {
        self.init(asset)
        PHPhotoLibrary.change?.add(.change(self))
    }

    /// Takes the edit of the asset away; the file that it was made with is the current one again.
    open func revertAssetContentToOriginal() { isReverted = true }

    /// Makes a request within `performChanges` for a copy of a movie; nil where there is no such file.
    @discardableResult
    public class func creationRequestForAssetFromVideo(atFileURL fileURL: URL) -> PHAssetChangeRequest? { request(.video, fileURL) }

    /// Makes a request within `performChanges` for a copy of a picture's file; nil where there is no such file.
    @discardableResult
    public class func creationRequestForAssetFromImage(atFileURL fileURL: URL) -> PHAssetChangeRequest? { request(.photo, fileURL) }

    /// Makes a request within `performChanges` for a picture, as JPEG of quality 0.9; the change fails for one without pixels, as of Core Image's.
    @discardableResult
    public class func creationRequestForAsset(from image: UIImage) -> PHAssetChangeRequest {
        let request = PHAssetCreationRequest.forAsset()
        request.addResource(with: .photo, data: image.jpegData(compressionQuality: 0.9) ?? Data(), options: nil)
        return request
    }

    /// Makes a request within `performChanges` for deleting assets with their files.
    public class func deleteAssets(_ assets: any NSFastEnumeration) {
        PHPhotoLibrary.change?.add(.delete(assets.identifiers))
    }

    private class func request(_ type: PHAssetResourceType, _ file: URL) -> PHAssetChangeRequest? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let request = PHAssetCreationRequest.forAsset()
        request.addResource(with: type, fileURL: file, options: nil)
        return request
    }
}
