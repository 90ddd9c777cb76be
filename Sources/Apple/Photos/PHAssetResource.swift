import Foundation
import UniformTypeIdentifiers

/// File of an asset, as it was when the asset was fetched.
public final class PHAssetResource: NSObject, Sendable {
    /// Kind of the file.
    public let type: PHAssetResourceType
    /// Identifier of the asset.
    public let assetLocalIdentifier: String
    /// Name that the app wished for, else that of the file.
    public let originalFilename: String
    /// Identifier of the content's type: what the app gave, else that of the name's extension, `public.data` for an unknown one.
    public let uniformTypeIdentifier: String
    let file: URL

    init?(_ file: PhotoLibraryFolder.File, in folder: URL, of identifier: String) {
        guard let type = file.type else { return nil }
        self.type = type
        self.file = folder.appendingPathComponent(file.name)
        assetLocalIdentifier = identifier
        originalFilename = file.originalName ?? file.name
        uniformTypeIdentifier = file.contentType ?? UTType(filenameExtension: self.file.pathExtension)?.identifier ?? UTType.data.identifier
    }

    /// Returns the files of an asset, the picture or movie first, an edit's last.
    public class func assetResources(for asset: PHAsset) -> [PHAssetResource] {
        asset.record.allFiles.compactMap { PHAssetResource($0, in: asset.folder, of: asset.localIdentifier) }
    }
}
