import Foundation
import TestSupport

extension Pictures {
    /// Real data beside the checkout.
    static let shared = Checkout.shared.path

    /// Whether all of the real data is there that the tests of Vision use; without it they are skipped, visibly.
    static let hasShared = ["stereo/cones/im2.png", "stills/objects/img", "video/bedroom.mp4", "models/yolo-fastest-1.1.weights", "gt/tapset.json"]
        .allSatisfy(Checkout.hasShared)
}
