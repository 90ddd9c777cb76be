import CoreMedia
import Foundation
import Pipeline

/// Something seen in a frame: where, what, and whether focus is on it.
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
public class AVMetadataObject: NSObject, @unchecked Sendable {
    /// Everything an object knows; made once per frame and object.
    package struct Content: Sendable, Equatable {
        package var time: CMTime
        package var duration: CMTime
        package var bounds: CGRect
        package var type: ObjectType
        package var objectID = -1
        package var groupID = -1
        /// The face's or body's own number; -1 for others.
        package var kindID = -1
        package var yaw: Double?
        package var roll: Double?
        /// Of a code: its corners in the space of `bounds`, and what it says.
        package var corners: [CGPoint] = []
        package var stringValue: String?
        package var focusMode = AVCaptureDevice.CinematicVideoFocusMode.none
        package var isFixedFocus = false

        package init(_ type: ObjectType, bounds: CGRect, time: CMTime, duration: CMTime = .invalid) {
            (self.type, self.bounds, self.time, self.duration) = (type, bounds, time, duration)
        }
    }

    let content: Content
    let environment: CaptureEnvironment

    package required init(_ content: Content, environment: CaptureEnvironment) {
        self.content = content
        self.environment = environment
    }

    /// The time of the frame.
    public var time: CMTime { content.time }
    public var duration: CMTime { content.duration }
    /// 0…1 of the unrotated picture, origin top left.
    public var bounds: CGRect { content.bounds }
    public var type: ObjectType { content.type }
    /// Unique over the session, never used again; -1 is none.
    public var objectID: Int { content.objectID }
    /// Shared by what belongs together, a person's face and body; -1 is none.
    public var groupID: Int { content.groupID }
    /// How focus holds this object in this frame.
    public var cinematicVideoFocusMode: AVCaptureDevice.CinematicVideoFocusMode { content.focusMode }
    /// Whether the object stands for a fixed focus.
    public var isFixedFocus: Bool { content.isFixedFocus }

    /// The object in another space: its box and corners moved by `geometry`, its angles turned and mirrored along.
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
        return Self(content, environment: environment)
    }

    public override var description: String {
        "\(type.rawValue) \(objectID) group \(groupID) \(bounds) \(cinematicVideoFocusMode)\(isFixedFocus ? " fixed" : "")"
    }

    public struct ObjectType: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let face = ObjectType(rawValue: "face")
        public static let humanBody = ObjectType(rawValue: "humanBody")
        public static let humanFullBody = ObjectType(rawValue: "humanFullBody")
        public static let catHead = ObjectType(rawValue: "catHead")
        public static let catBody = ObjectType(rawValue: "catBody")
        public static let dogHead = ObjectType(rawValue: "dogHead")
        public static let dogBody = ObjectType(rawValue: "dogBody")
        public static let salientObject = ObjectType(rawValue: "salientObject")
    }
}

public class AVMetadataBodyObject: AVMetadataObject, @unchecked Sendable {
    /// Unique per body, apart from `objectID`.
    public var bodyID: Int { content.kindID }
}

public final class AVMetadataHumanBodyObject: AVMetadataBodyObject, @unchecked Sendable {}
public final class AVMetadataHumanFullBodyObject: AVMetadataBodyObject, @unchecked Sendable {}
public final class AVMetadataCatBodyObject: AVMetadataBodyObject, @unchecked Sendable {}
public final class AVMetadataDogBodyObject: AVMetadataBodyObject, @unchecked Sendable {}
public final class AVMetadataCatHeadObject: AVMetadataObject, @unchecked Sendable {}
public final class AVMetadataDogHeadObject: AVMetadataObject, @unchecked Sendable {}
public final class AVMetadataSalientObject: AVMetadataObject, @unchecked Sendable {}

public final class AVMetadataFaceObject: AVMetadataObject, @unchecked Sendable {
    /// Unique per face, apart from `objectID`.
    public var faceID: Int { content.kindID }
    public var hasRollAngle: Bool { content.roll != nil }
    public var hasYawAngle: Bool { content.yaw != nil }

    /// Degrees clockwise from upright, 0…360; raises where `hasRollAngle` is false.
    public var rollAngle: CGFloat {
        if let roll = content.roll { return roll }
        environment.raise(.generic, "-[AVMetadataFaceObject rollAngle]", "the face has no roll angle - use hasRollAngle")
        return 0
    }

    /// Degrees the face is turned away, 0 = into the camera; raises where `hasYawAngle` is false.
    public var yawAngle: CGFloat {
        if let yaw = content.yaw { return yaw }
        environment.raise(.generic, "-[AVMetadataFaceObject yawAngle]", "the face has no yaw angle - use hasYawAngle")
        return 0
    }
}

extension AVMetadataObject {
    /// The object of the class that Apple has for its type.
    package static func make(_ content: Content, environment: CaptureEnvironment) -> AVMetadataObject {
        let kind: AVMetadataObject.Type
        switch content.type {
        case .face: kind = AVMetadataFaceObject.self
        case .humanBody: kind = AVMetadataHumanBodyObject.self
        case .humanFullBody: kind = AVMetadataHumanFullBodyObject.self
        case .catBody: kind = AVMetadataCatBodyObject.self
        case .dogBody: kind = AVMetadataDogBodyObject.self
        case .catHead: kind = AVMetadataCatHeadObject.self
        case .dogHead: kind = AVMetadataDogHeadObject.self
        case _ where ObjectType.codes.contains(content.type): kind = AVMetadataMachineReadableCodeObject.self
        default: kind = AVMetadataSalientObject.self
        }
        return kind.init(content, environment: environment)
    }
}

extension AVMetadataObject.ObjectType {
    /// Apple has no class for a human head that shows no face: it is reported as a body.
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
