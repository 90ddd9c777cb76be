import AVFoundation
import Foundation
import UIKit
import UniformTypeIdentifiers

/// Number of a request for what an edit begins with.
public typealias PHContentEditingInputRequestID = Int
/// Entry of a result: why there is none.
public let PHContentEditingInputErrorKey = "PHContentEditingInputErrorKey"
/// Entry of a result: whether the file is elsewhere; never here.
public let PHContentEditingInputResultIsInCloudKey = "PHContentEditingInputResultIsInCloudKey"
/// Entry of a result: whether its request was cancelled; never here.
public let PHContentEditingInputCancelledKey = "PHContentEditingInputCancelledKey"

/// Edit of an asset as an app keeps it.
public final class PHAdjustmentData: NSObject, Sendable {
    /// Name of the app's format.
    public let formatIdentifier: String
    /// Version of the format.
    public let formatVersion: String
    /// Edit in the format.
    public let data: Data

    /// Makes the description of an edit.
    public init(formatIdentifier: String, formatVersion: String, data: Data) {
        (self.formatIdentifier, self.formatVersion, self.data) = (formatIdentifier, formatVersion, data)
    }
}

/// Wishes for what an edit begins with; whether the app can go on with an edit counts, the others are kept.
public final class PHContentEditingInputRequestOptions: NSObject, @unchecked Sendable {
    /// Whether the app can go on with an edit.
    public var canHandleAdjustmentData: (PHAdjustmentData) -> Bool = { _ in false }
    /// Whether the file may be fetched from elsewhere.
    public var isNetworkAccessAllowed = false
    /// Teller of how far the file has come.
    public var progressHandler: ((Double, UnsafeMutablePointer<ObjCBool>) -> Void)?

    /// Makes options without a wish.
    public override init() {}
}

/// Beginning of an edit of an asset: its file, and what is in it.
public final class PHContentEditingInput: NSObject, @unchecked Sendable {
    /// Kind.
    public let mediaType: PHAssetMediaType
    /// Special kinds.
    public let mediaSubtypes: PHAssetMediaSubtype
    /// Time at which it was made.
    public let creationDate: Date?
    /// Place at which it was made.
    public let location: CLLocation?
    /// Identifier of the file's type; nil for an unknown one.
    public let uniformTypeIdentifier: String?
    /// Way in which it is shown.
    public let playbackStyle: PHAsset.PlaybackStyle
    /// Edit to go on with; nil for one that the app cannot: then the files have it.
    public let adjustmentData: PHAdjustmentData?
    /// File of the picture; nil for a movie.
    public let fullSizeImageURL: URL?
    /// Orientation of the file's picture, as EXIF numbers it; 0 for a movie.
    public let fullSizeImageOrientation: Int32
    /// Picture, upright, as large as its file; nil for a movie, and for what is no JPEG or PNG.
    public let displaySizeImage: UIImage?
    /// Movie; nil for a picture.
    public let audiovisualAsset: AVAsset?
    /// Picture with its movie; nil for what is no Live Photo.
    public let livePhoto: PHLivePhoto?

    /// Begins with the file before the edit where the app can go on with that, else with the edited one.
    init?(of asset: PHAsset, _ options: PHContentEditingInputRequestOptions?) {
        let adjustment = asset.record.edit.flatMap { options?.canHandleAdjustmentData($0.adjustment) == true ? $0.adjustment : nil }
        guard let file = adjustment == nil ? asset.current : asset.files.first else { return nil }
        adjustmentData = adjustment
        let isPicture = asset.mediaType == .image
        (mediaType, mediaSubtypes, creationDate, location) = (asset.mediaType, asset.mediaSubtypes, asset.creationDate, asset.location)
        (playbackStyle, livePhoto) = (asset.playbackStyle, PHLivePhoto(of: asset))
        audiovisualAsset = asset.mediaType == .video ? AVURLAsset(url: file) : nil
        uniformTypeIdentifier = UTType(filenameExtension: file.pathExtension)?.identifier
        fullSizeImageURL = isPicture ? file : nil
        displaySizeImage = isPicture ? UIImage(contentsOfFile: file.path) : nil
        let source = isPicture ? CGImageSourceCreateWithURL(file as CFURL, nil) : nil
        fullSizeImageOrientation = source.map { Int32($0.orientation.rawValue) } ?? (isPicture ? 1 : 0)
    }
}

extension PHAsset {
    /// Gives what an edit begins with, later: its file, and what is in it.
    @discardableResult
    public func requestContentEditingInput(
        with options: PHContentEditingInputRequestOptions?, completionHandler: @escaping (PHContentEditingInput?, [AnyHashable: Any]) -> Void
    ) -> PHContentEditingInputRequestID {
        PhotoLibraryFolder.later {
            let input = PHContentEditingInput(of: self, options)
            completionHandler(input, input == nil ? [PHContentEditingInputErrorKey: PHPhotosError(.missingResource)] : [:])
        }
        return 1
    }

    /// Does nothing: a request is answered at once.
    public func cancelContentEditingInputRequest(_ requestID: PHContentEditingInputRequestID) {}
}
