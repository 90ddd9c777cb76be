import AVFoundation
import SwiftUI

// Cause: UIKit's and Core Image's names, which come with SwiftUI on a phone.

/// Last photo, as a view shows it.
public final class PhotoPreview: ObservableObject {
    @Published public private(set) var picture: UIImage?
    @Published public private(set) var shown: Image?
    private let context = CIContext()

    public init() {}

    public func show(_ data: Data) {
        guard let image = UIImage(data: data), let recipe = CIImage(image: image) else { return }
        let grey = recipe.applyingFilter("CIColorControls", parameters: [kCIInputSaturationKey: 0])
        guard let bitmap = context.createCGImage(grey, from: grey.extent) else { return }
        let turned = UIImage(cgImage: bitmap, scale: 1, orientation: image.imageOrientation)
        withAnimation {
            picture = turned
            shown = Image(uiImage: turned)
        }
    }

    /// Picture without pixels of its own.
    public static func recipe(width: CGFloat, height: CGFloat) -> UIImage {
        UIImage(ciImage: CIImage(color: CIColor(color: .red)).cropped(to: CGRect(x: 0, y: 0, width: width, height: height)))
    }
}
