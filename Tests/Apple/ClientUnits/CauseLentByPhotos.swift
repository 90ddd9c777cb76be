import AVFoundation
import AudioToolbox
import Photos

// Cause: Core Image's and Core Location's names, which come with AVFoundation and Photos on a phone.

/// Receiver of a photo's parts.
public final class PhotoParts {
    lazy var context = CIContext()
    /// Place of the photo.
    public var location: CLLocation?

    public init() {}

    /// Matte of people, turned upright; nil where the photo has none.
    public func matte(of photo: AVCapturePhoto) -> CIImage? {
        guard var matte = photo.portraitEffectsMatte else { return nil }
        if let number = photo.metadata[String(kCGImagePropertyOrientation)] as? UInt32, let orientation = CGImagePropertyOrientation(rawValue: number)
        {
            matte = matte.applyingExifOrientation(orientation)
        }
        return CIImage(cvImageBuffer: matte.mattingImage, options: [.auxiliaryPortraitEffectsMatte: true])
    }

    /// File of a matte; nil where it cannot be encoded.
    public func file(of matte: CIImage) -> Data? {
        guard let space = CGColorSpace(name: CGColorSpace.linearGray) else { return nil }
        return context.heifRepresentation(of: matte, format: .RGBA8, colorSpace: space, options: [.portraitEffectsMatteImage: matte])
    }

    /// Sound of the shutter, from a file of the app's.
    public func shutter(_ file: URL) -> SystemSoundID {
        var sound: SystemSoundID = 0
        AudioServicesCreateSystemSoundID(file as CFURL, &sound)
        let made = sound
        AudioServicesPlaySystemSoundWithCompletion(made) { AudioServicesDisposeSystemSoundID(made) }
        return made
    }
}
