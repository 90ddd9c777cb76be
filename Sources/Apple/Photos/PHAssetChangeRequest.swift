@_exported import CoreImage
@_exported import CoreLocation
import Foundation

/// Wish for an asset; here always for a new one, as assets of the library are not read.
open class PHAssetChangeRequest: NSObject, @unchecked Sendable {
    /// Time at which the asset was made; default nil, the date of its files.
    open var creationDate: Date?
    /// Place at which the asset was made; kept without effect.
    open var location: CLLocation?
    /// Whether the user has it among the favourites; kept without effect.
    open var isFavorite = false
    /// Stand-in for the asset; never nil.
    public let placeholderForCreatedAsset: PHObjectPlaceholder? = PHObjectPlaceholder()

    /// Makes a request within `performChanges` for a copy of a movie; nil where there is no such file.
    public class func creationRequestForAssetFromVideo(atFileURL fileURL: URL) -> PHAssetChangeRequest? { request(.video, fileURL) }

    /// Makes a request within `performChanges` for a copy of a picture's file; nil where there is no such file.
    public class func creationRequestForAssetFromImage(atFileURL fileURL: URL) -> PHAssetChangeRequest? { request(.photo, fileURL) }

    private class func request(_ type: PHAssetResourceType, _ file: URL) -> PHAssetChangeRequest? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let request = PHAssetCreationRequest.forAsset()
        request.addResource(with: type, fileURL: file, options: nil)
        return request
    }
}

/// Stand-in for an asset until the library has it.
public final class PHObjectPlaceholder: NSObject, Sendable {
    /// Identifier of the asset.
    public let localIdentifier = UUID().uuidString + "/L0/001"
}
