import AVFoundation
import Foundation
import UniformTypeIdentifiers

/// Result of an edit: a file of the edited picture or movie, and the app's description of the edit.
///
/// The app writes JPEG or a QuickTime movie to `renderedContentURL`, gives `adjustmentData`, and sets the output of a change request for the asset.
public final class PHContentEditingOutput: NSObject, @unchecked Sendable {
    private let mediaType: PHAssetMediaType
    private let stem = FileManager.default.temporaryDirectory.appendingPathComponent("PHContentEditingOutput-\(UUID().uuidString)")
    /// App's description of its edit; without it the change fails.
    public var adjustmentData: PHAdjustmentData?
    private var chosen: URL?

    /// Makes the result of the edit that an input begins.
    public init(contentEditingInput: PHContentEditingInput) { mediaType = contentEditingInput.mediaType }

    /// File to write the edited content to, JPEG of a picture and a QuickTime movie of a movie; it is not there at first.
    public var renderedContentURL: URL { stem.appendingPathExtension(mediaType == .video ? "mov" : "jpg") }

    /// Types of files that `renderedContentURL(for:)` takes.
    public var supportedRenderedContentTypes: [UTType] { mediaType == .video ? [.quickTimeMovie] : [.jpeg, .heic] }
    /// Type of the file at `renderedContentURL`.
    public var defaultRenderedContentType: UTType? { supportedRenderedContentTypes.first }

    /// Returns the file to write the edited content to in a type; throws for one that is not supported.
    public func renderedContentURL(for type: UTType) throws -> URL {
        guard supportedRenderedContentTypes.contains(type), let ending = type.preferredFilenameExtension else {
            throw PHPhotosError(.invalidResource)
        }
        let file = type == defaultRenderedContentType ? renderedContentURL : stem.appendingPathExtension(ending)
        chosen = file
        return file
    }

    /// File that the app wrote; nil without one, and for an empty one.
    var rendered: URL? {
        [chosen, renderedContentURL].compactMap { $0 }.first { file in
            (try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int).map { $0 > 0 } ?? false
        }
    }
}
