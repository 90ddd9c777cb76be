import AVFCapture
import Foundation

/// Option key of whether times are to be exact, which they always are here.
public let AVURLAssetPreferPreciseDurationAndTimingKey = "AVURLAssetPreferPreciseDurationAndTimingKey"

/// Asset of a file.
open class AVURLAsset: AVAsset, @unchecked Sendable {
    /// Location of the file.
    open var url: URL { file.url }
    private let file: AssetFile

    /// Makes an asset of a file, which is not opened yet; it is read by the environment bound now. Options are ignored.
    public init(url URL: URL, options: [String: Any]? = nil) {
        file = AssetFile(url: URL)
        super.init(source: file)
    }

    /// Returns the kinds of files that can be opened.
    open class func audiovisualTypes() -> [AVFileType] { [.mov, .mp4, .m4v, .m4a, .wav] }
}

/// Role that lets `AVAsset(url:)` return an `AVURLAsset`, and `tracks` those of the asset's own kind; nothing in it is for clients.
public protocol _AssetLookup {}

extension AVAsset: _AssetLookup {}

extension _AssetLookup where Self: AVAsset {
    /// Makes an asset of a file: an `AVURLAsset`.
    public init(url URL: URL) {
        guard let asset = AVURLAsset(url: URL, options: nil) as? Self else {
            preconditionFailure("an asset of a file is an AVURLAsset; subclasses have initializers of their own")
        }
        self = asset
    }
}
