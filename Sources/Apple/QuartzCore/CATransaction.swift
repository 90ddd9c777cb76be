import Foundation

/// Batch of changes to layers: changes here take effect at once, and nothing is animated.
open class CATransaction: NSObject {
    /// Opens a batch; without effect.
    open class func begin() {}
    /// Closes a batch; without effect.
    open class func commit() {}
    /// Applies open changes; without effect, as none is open.
    open class func flush() {}
    /// Switches animations off; without effect, as there are none.
    open class func setDisableActions(_ flag: Bool) {}
    /// Sets the seconds that animations last; without effect, as there are none.
    open class func setAnimationDuration(_ dur: CFTimeInterval) {}
    /// Sets a property of a batch by its key; without effect, as there are no animations.
    open class func setValue(_ value: Any?, forKey key: String) {}
    /// Sets what follows the animations of a batch, and calls it at once, as there are none.
    open class func setCompletionBlock(_ block: (() -> Void)?) { block?() }
}

/// Key of `CATransaction.setDisableActions(_:)`.
public let kCATransactionDisableActions = "disableActions"
/// Key of `CATransaction.setAnimationDuration(_:)`.
public let kCATransactionAnimationDuration = "animationDuration"
