import CoreMedia
import CoreVideo
import Foundation
import Pipeline

/// Object seen in a frame: its place, its type, and whether focus is on it.
///
///     AVMetadataObject
///     ├─ AVMetadataBodyObject
///     │   ├─ AVMetadataHumanBodyObject
///     │   ├─ AVMetadataHumanFullBodyObject
///     │   ├─ AVMetadataCatBodyObject
///     │   └─ AVMetadataDogBodyObject
///     ├─ AVMetadataCatHeadObject
///     ├─ AVMetadataDogHeadObject
///     ├─ AVMetadataSalientObject
///     ├─ AVMetadataMachineReadableCodeObject
///     └─ AVMetadataFaceObject
public class AVMetadataObject: _SendableObject, @unchecked Sendable {
    /// Properties of an object; made once per frame and object.
    package struct Content: Sendable, Equatable {
        package var time: CMTime
        package var duration: CMTime
        package var bounds: CGRect
        package var type: ObjectType
        package var objectID = -1
        package var groupID = -1
        /// Number of the face or body among its kind; -1 for others.
        package var kindID = -1
        package var yaw: Double?
        package var roll: Double?
        /// Corners of a code in the space of `bounds`; empty for others.
        package var corners: [CGPoint] = []
        package var stringValue: String?
        /// Bytes of a QR code; nil for those of its text.
        package var codeBytes: Data?
        package var focusMode = AVCaptureDevice.CinematicVideoFocusMode.none
        package var isFixedFocus = false

        package init(_ type: ObjectType, bounds: CGRect, time: CMTime, duration: CMTime = .invalid) {
            (self.type, self.bounds, self.time, self.duration) = (type, bounds, time, duration)
        }
    }

    /// Environment that many objects hold at the price of one.
    package final class Shared: Sendable {
        let environment: CaptureEnvironment
        package init(_ environment: CaptureEnvironment) { self.environment = environment }
    }

    let content: Content
    private let shared: Shared
    var environment: CaptureEnvironment { shared.environment }

    package convenience init(_ content: Content, environment: CaptureEnvironment) { self.init(content, Shared(environment)) }

    package required init(_ content: Content, _ shared: Shared) {
        self.content = content
        self.shared = shared
    }

    /// Time of the frame, on the session's clock.
    public var time: CMTime { content.time }
    /// Duration of the frame; may be invalid.
    public var duration: CMTime { content.duration }
    /// Box of the object, in 0…1 of the unrotated picture, origin top left; may reach beyond.
    public var bounds: CGRect { content.bounds }
    /// Type of the object.
    public var type: ObjectType { content.type }
    /// Number of the object, unique over the session and never used again; -1 is none.
    public var objectID: Int { content.objectID }
    /// Number shared by objects that belong together, as a person's face and body; -1 is none.
    public var groupID: Int { content.groupID }
    /// Hold of focus on this object in this frame; `.none` where it is not in focus.
    public var cinematicVideoFocusMode: AVCaptureDevice.CinematicVideoFocusMode { content.focusMode }
    /// Whether the object stands for a fixed focus.
    public var isFixedFocus: Bool { content.isFixedFocus }

    /// Returns the object in another space: its box and corners mapped by `geometry`, its angles rotated and mirrored along.
    func transformed(by geometry: PictureGeometry, offset: CGPoint = .zero) -> AVMetadataObject {
        var content = content
        content.bounds = geometry.layerRect(fromDevice: content.bounds).offsetBy(dx: offset.x, dy: offset.y)
        content.corners = content.corners.map { corner in
            let point = geometry.layerPoint(fromDevice: corner)
            return CGPoint(x: point.x + offset.x, y: point.y + offset.y)
        }
        if geometry.isMirrored { content.yaw = content.yaw.map(-) }
        content.roll = content.roll.map { roll in
            let turned = roll + Double(geometry.rotation)
            return (geometry.isMirrored ? 720 - turned : turned).truncatingRemainder(dividingBy: 360)
        }
        return Self(content, shared)
    }

    /// Type, numbers, box and focus as text.
    public override var description: String {
        "\(type.rawValue) \(objectID) group \(groupID) \(bounds) \(cinematicVideoFocusMode)\(isFixedFocus ? " fixed" : "")"
    }

    /// Type of object.
    public struct ObjectType: RawRepresentable, Hashable, Sendable {
        /// Name of the type, as Apple spells it.
        public let rawValue: String
        /// Makes a type from its name; any name is accepted.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Face of a person.
        public static let face = ObjectType(rawValue: "face")
        /// Body of a person.
        public static let humanBody = ObjectType(rawValue: "humanBody")
        /// Whole body of a person; no detector here reports it.
        public static let humanFullBody = ObjectType(rawValue: "humanFullBody")
        /// Head of a cat.
        public static let catHead = ObjectType(rawValue: "catHead")
        /// Body of a cat.
        public static let catBody = ObjectType(rawValue: "catBody")
        /// Head of a dog.
        public static let dogHead = ObjectType(rawValue: "dogHead")
        /// Body of a dog.
        public static let dogBody = ObjectType(rawValue: "dogBody")
        /// Thing that draws the eye, or the point of a fixed focus.
        public static let salientObject = ObjectType(rawValue: "salientObject")
    }
}

/// Body of a person or an animal.
public class AVMetadataBodyObject: AVMetadataObject, @unchecked Sendable {
    /// Number of the body, unique over the session and independent of `objectID`.
    public var bodyID: Int { content.kindID }
}

/// Body of a person, or a head whose face is not seen.
public final class AVMetadataHumanBodyObject: AVMetadataBodyObject, @unchecked Sendable {}
/// Whole body of a person; no detector here reports it.
public final class AVMetadataHumanFullBodyObject: AVMetadataBodyObject, @unchecked Sendable {}
/// Body of a cat.
public final class AVMetadataCatBodyObject: AVMetadataBodyObject, @unchecked Sendable {}
/// Body of a dog.
public final class AVMetadataDogBodyObject: AVMetadataBodyObject, @unchecked Sendable {}
/// Head of a cat.
public final class AVMetadataCatHeadObject: AVMetadataObject, @unchecked Sendable {}
/// Head of a dog.
public final class AVMetadataDogHeadObject: AVMetadataObject, @unchecked Sendable {}
/// Thing that draws the eye, or the point of a fixed focus.
public final class AVMetadataSalientObject: AVMetadataObject, @unchecked Sendable {}

/// Face of a person, with its angles where they are known.
public final class AVMetadataFaceObject: AVMetadataObject, @unchecked Sendable {
    /// Number of the face, unique over the session and independent of `objectID`.
    public var faceID: Int { content.kindID }
    /// Whether `rollAngle` is known.
    public var hasRollAngle: Bool { content.roll != nil }
    /// Whether `yawAngle` is known.
    public var hasYawAngle: Bool { content.yaw != nil }

    /// Rotation of the face in degrees clockwise from upright, 0…360; raises where `hasRollAngle` is false.
    public var rollAngle: CGFloat {
        if let roll = content.roll { return roll }
        environment.raise(.generic, "-[AVMetadataFaceObject rollAngle]", "the face has no roll angle - use hasRollAngle")
        return 0
    }

    /// Rotation of the face to the side in degrees, 0 = into the camera; raises where `hasYawAngle` is false.
    public var yawAngle: CGFloat {
        if let yaw = content.yaw { return yaw }
        environment.raise(.generic, "-[AVMetadataFaceObject yawAngle]", "the face has no yaw angle - use hasYawAngle")
        return 0
    }
}

extension AVMetadataObject {
    /// Makes the object of the class that Apple has for its type.
    package static func make(_ content: Content, _ shared: Shared) -> AVMetadataObject {
        let kind: AVMetadataObject.Type
        switch content.type {
        case .face: kind = AVMetadataFaceObject.self
        case .humanBody: kind = AVMetadataHumanBodyObject.self
        case .humanFullBody: kind = AVMetadataHumanFullBodyObject.self
        case .catBody: kind = AVMetadataCatBodyObject.self
        case .dogBody: kind = AVMetadataDogBodyObject.self
        case .catHead: kind = AVMetadataCatHeadObject.self
        case .dogHead: kind = AVMetadataDogHeadObject.self
        case .salientObject: kind = AVMetadataSalientObject.self
        case _ where ObjectType.codes.contains(content.type): kind = AVMetadataMachineReadableCodeObject.self
        default: kind = AVMetadataSalientObject.self
        }
        return kind.init(content, shared)
    }
}

extension AVMetadataObject.ObjectType {
    /// Maps a kind of detection to a type; a human head without a face has no class of Apple's and is reported as a body.
    init(_ kind: Detection.Kind) {
        switch kind {
        case .face: self = .face
        case .humanHead, .humanBody: self = .humanBody
        case .catHead: self = .catHead
        case .catBody: self = .catBody
        case .dogHead: self = .dogHead
        case .dogBody: self = .dogBody
        case .salientObject: self = .salientObject
        }
    }
}
