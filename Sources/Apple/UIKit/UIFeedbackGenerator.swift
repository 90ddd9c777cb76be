import Foundation

/// Haptics, kept in `UIKitConditions.haptics`.
@preconcurrency @MainActor open class UIFeedbackGenerator: NSObject {
    /// Wakes the engine; without effect.
    open func prepare() {}
}

/// Haptics of an impact.
@preconcurrency @MainActor open class UIImpactFeedbackGenerator: UIFeedbackGenerator {
    /// Mass and hardness of what meets.
    public enum FeedbackStyle: Int, Sendable {
        /// Small and light.
        case light = 0
        /// In between.
        case medium = 1
        /// Large and heavy.
        case heavy = 2
        /// Soft.
        case soft = 3
        /// Stiff.
        case rigid = 4
    }

    private let style: FeedbackStyle

    /// Makes a generator of a style.
    public init(style: FeedbackStyle) { self.style = style }
    /// Makes a generator of medium impacts.
    public override convenience init() { self.init(style: .medium) }

    /// Plays an impact.
    open func impactOccurred() { impactOccurred(intensity: 1) }
    /// Plays an impact of an intensity, 0…1.
    open func impactOccurred(intensity: CGFloat) { UIKitConditions.current.note(.impact(style, intensity: intensity)) }
}

/// Haptics of a choice that changes.
@preconcurrency @MainActor open class UISelectionFeedbackGenerator: UIFeedbackGenerator {
    /// Plays a change of the choice.
    open func selectionChanged() { UIKitConditions.current.note(.selection) }
}

/// Haptics of an outcome.
@preconcurrency @MainActor open class UINotificationFeedbackGenerator: UIFeedbackGenerator {
    /// Outcome.
    public enum FeedbackType: Int, Sendable {
        /// It is done.
        case success = 0
        /// It may go wrong.
        case warning = 1
        /// It failed.
        case error = 2
    }

    /// Plays an outcome.
    open func notificationOccurred(_ notificationType: FeedbackType) { UIKitConditions.current.note(.notification(notificationType)) }
}
