import CoreMedia
import Foundation

/// Decision to focus on a subject, or on the best of a group, from a time on.
public struct CNDecision: Hashable, Sendable {
    /// Subject of a decision.
    public enum FocusDetectionID: Hashable, Sendable {
        /// One subject.
        case single(CNDetectionID)
        /// The best of a group in each frame: face before body.
        case group(CNDetectionGroupID)
    }

    /// First presentation time at which the subject is to be sharp: the rack ends there. One that was made live takes effect then, and its rack follows.
    public let time: CMTime
    /// Subject.
    public let focusDetectionID: FocusDetectionID
    /// Whether focus stays until the user's next decision or the end of the subject's track; else until the next decision.
    public let isStrongDecision: Bool
    /// Whether the user made it, during the recording or afterwards; else it is automatic.
    public let isUserDecision: Bool

    /// Makes a decision of the user's for one subject.
    public init(time: CMTime, detectionID: CNDetectionID, strong isStrong: Bool) {
        self.init(time: time, .single(detectionID), isStrong: isStrong, isUser: true)
    }

    /// Makes a decision of the user's for a group.
    public init(time: CMTime, detectionGroupID: CNDetectionGroupID, strong isStrong: Bool) {
        self.init(time: time, .group(detectionGroupID), isStrong: isStrong, isUser: true)
    }

    init(time: CMTime, _ subject: FocusDetectionID, isStrong: Bool, isUser: Bool) {
        (self.time, focusDetectionID, isStrongDecision, isUserDecision) = (time, subject, isStrong, isUser)
    }
}
