import Foundation
import Synchronization

// Functions of UIKit that save into the photo library. Where a test has bound one (see Photos), a picture or movie goes there; bound
// `UIKitConditions` have them in any case. There are no selectors on Linux: an app that wants to be told uses `PHPhotoLibrary`.

/// Saves a picture into the photo library; as JPEG, as from a phone. Without effect for one that has no pixels, as of Core Image's.
public func UIImageWriteToSavedPhotosAlbum(
    _ image: UIImage, _ completionTarget: Any?, _ completionSelector: Never?, _ contextInfo: UnsafeMutableRawPointer?
) {
    guard image.cgImage != nil else { return }
    UIKitConditions.scoped?.state.withLock { $0.savedImages.append(image) }
    SavedPhotos.library?(.image(image))
}

/// Whether a movie can be saved into the photo library: one with a name of QuickTime or MPEG-4 that is there.
public func UIVideoAtPathIsCompatibleWithSavedPhotosAlbum(_ videoPath: String) -> Bool {
    ["mov", "mp4", "m4v"].contains(URL(fileURLWithPath: videoPath).pathExtension.lowercased()) && FileManager.default.fileExists(atPath: videoPath)
}

/// Saves a copy of a movie into the photo library; without effect for a file that cannot be saved.
public func UISaveVideoAtPathToSavedPhotosAlbum(
    _ videoPath: String, _ completionTarget: Any?, _ completionSelector: Never?, _ contextInfo: UnsafeMutableRawPointer?
) {
    guard UIVideoAtPathIsCompatibleWithSavedPhotosAlbum(videoPath) else { return }
    UIKitConditions.scoped?.state.withLock { $0.savedVideos.append(URL(fileURLWithPath: videoPath)) }
    SavedPhotos.library?(.video(URL(fileURLWithPath: videoPath)))
}

/// Way of saved pictures and movies into the library that Photos has bound.
package enum SavedPhotos {
    /// Picture or movie that is saved.
    package enum Item: Sendable {
        /// A picture.
        case image(UIImage)
        /// A movie's file.
        case video(URL)
    }

    private static let receiver = Mutex<(@Sendable (Item) -> Void)?>(nil)

    /// Receiver of what is saved; nil without Photos.
    package static var library: (@Sendable (Item) -> Void)? {
        get { receiver.withLock { $0 } }
        set { receiver.withLock { $0 = newValue } }
    }
}
