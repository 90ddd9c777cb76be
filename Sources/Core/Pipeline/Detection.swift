import Foundation

/// Detected object in one frame; over time the same object is a track (`DetectionTrack` in Focus).
public struct Detection: Sendable, Equatable {
    /// Class of the object, spelled as in scenarios and sidecars; most are those of Apple's `CNDetectionType`.
    public enum Kind: String, Sendable, CaseIterable {
        case face, humanHead, humanBody, catHead, catBody, dogHead, dogBody, salientObject
    }

    /// Identity over time, ≥ 1, unique within the detector that made it and never used again after the object left.
    public var objectID: Int
    /// Group of objects that belong together (face, head and body of one person), ≥ 1; -1 is no group.
    public var groupID: Int
    /// Class of the object.
    public var kind: Kind
    /// Bounding box, 0…1 of the unrotated picture, origin top left; may reach over the edge.
    public var bounds: CGRect
    /// Yaw of the head in degrees: 0 looks into the camera, positive to the picture's right, ±180 is its back; nil when unknown.
    public var yaw: Double?
    /// Roll of the head in degrees clockwise in the picture, 0…360, 0 is upright; nil when unknown.
    public var roll: Double?
    /// Confidence of the detector, 0…1, larger is surer.
    public var confidence: Double
    /// Focus disparity of the object, 1/m; nil when not measured.
    public var disparity: Double?
    /// Sharpness of the picture inside the bounds, 0 (blurred) to 1 (in focus already); nil when not measured, as on the stage.
    public var sharpness: Double?
    /// Mean brightness of the picture inside the bounds, 0 (black) to 1 (white); nil when not measured.
    public var brightness: Double?
    /// Conspicuousness of a thing, 0…1, when the detector offers it as a subject by itself; nil of anything else.
    public var salience: Double?
    /// Whether the bounds were extrapolated, as a body's from a face or those before a cut's first detection; nobody saw what they hold.
    public var isExtrapolated: Bool
    /// The scenario's name of the subject, when the detection is the stage's truth.
    public var label: String?

    /// Creates a detection; by default ungrouped, of full confidence, with unknown angles and unmeasured disparity.
    public init(
        objectID: Int, groupID: Int = -1, kind: Kind, bounds: CGRect, yaw: Double? = nil, roll: Double? = nil, confidence: Double = 1,
        disparity: Double? = nil, sharpness: Double? = nil, brightness: Double? = nil, salience: Double? = nil, isExtrapolated: Bool = false,
        label: String? = nil
    ) {
        self.objectID = objectID
        self.groupID = groupID
        self.kind = kind
        self.bounds = bounds
        self.yaw = yaw
        self.roll = roll
        self.confidence = confidence
        self.disparity = disparity
        self.sharpness = sharpness
        self.brightness = brightness
        self.salience = salience
        self.isExtrapolated = isExtrapolated
        self.label = label
    }
}
