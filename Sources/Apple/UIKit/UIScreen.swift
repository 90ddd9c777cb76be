import Foundation
import Synchronization

/// The screen of the phone: 390 × 844 points of three pixels by three, as of an iPhone 14. Nothing is shown on it.
@preconcurrency @MainActor open class UIScreen: NSObject {
    /// The screen.
    public static let main = UIScreen()

    /// Bounds in points, as the phone is held upright.
    open var bounds: CGRect { CGRect(x: 0, y: 0, width: 390, height: 844) }
    /// Bounds in pixels, as the phone is held upright.
    open var nativeBounds: CGRect { CGRect(x: 0, y: 0, width: 1170, height: 2532) }
    /// Pixels of a point.
    open var scale: CGFloat { 3 }
    /// Pixels of a point on the panel.
    open var nativeScale: CGFloat { 3 }
    /// Greatest rate of the panel, pictures a second.
    open var maximumFramesPerSecond: Int { 60 }
    /// Whether the screen is recorded or mirrored: false.
    open var isCaptured: Bool { false }
    /// Brightness, 0…1, as an app that lights a face with the screen sets it; kept.
    open var brightness: CGFloat {
        get { UIKitConditions.current.state.withLock { $0.brightness } }
        set { UIKitConditions.current.state.withLock { $0.brightness = min(max(newValue, 0), 1) } }
    }
}
