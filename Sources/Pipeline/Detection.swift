import Foundation

/// One object seen in one frame.
public struct Detection: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        case face, humanHead, humanBody, catHead, catBody, dogHead, dogBody, salientObject
    }

    /// Identity over time, ≥ 1, unique within the detector that made it and never used again after the object left.
    public var objectID: Int
    /// What belongs together (face, head and body of one person) shares a group, ≥ 1; -1 is no group.
    public var groupID: Int
    public var kind: Kind
    /// 0…1 of the unrotated picture, origin top left; may reach over the edge.
    public var bounds: CGRect
    /// Degrees the head is turned away from the camera, 0 = looks into it, ±180 = its back; nil when unknown.
    public var yaw: Double?
    /// Degrees the head is tilted clockwise in the picture, 0 = upright, 0…360; nil when unknown.
    public var roll: Double?
    /// 0…1.
    public var confidence: Double
    /// Focus disparity of the object, 1/m; nil when not measured.
    public var disparity: Double?
    /// The scenario's name of the subject, when the detection is the stage's truth.
    public var label: String?

    public init(
        objectID: Int, groupID: Int = -1, kind: Kind, bounds: CGRect, yaw: Double? = nil, roll: Double? = nil, confidence: Double = 1,
        disparity: Double? = nil, label: String? = nil
    ) {
        self.objectID = objectID
        self.groupID = groupID
        self.kind = kind
        self.bounds = bounds
        self.yaw = yaw
        self.roll = roll
        self.confidence = confidence
        self.disparity = disparity
        self.label = label
    }
}
