import AVFCapture
import Foundation

// Metadata objects for unit tests that call a delegate by hand; on Apple's systems only the framework makes them.

extension AVMetadataFaceObject {
    /// Creates a face as the metadata output delivers it.
    ///
    /// - Parameters:
    ///   - bounds: 0…1 of the unrotated picture, origin top left.
    ///   - yawAngle: degrees, 0 looks into the camera, positive to the picture's right; nil for a face without.
    public convenience init(
        objectID: Int, groupID: Int = -1, faceID: Int = 1, bounds: CGRect, yawAngle: CGFloat? = nil, time: CMTime = .zero,
        focusMode: AVCaptureDevice.CinematicVideoFocusMode = .none
    ) {
        var content = Content(.face, bounds: bounds, time: time)
        (content.objectID, content.groupID, content.kindID) = (objectID, groupID, faceID)
        (content.yaw, content.focusMode) = (yawAngle.map { Double($0) }, focusMode)
        self.init(content, environment: .current)
    }
}

extension AVMetadataHumanBodyObject {
    /// Creates a human body; `bounds` is 0…1 of the unrotated picture, origin top left.
    public convenience init(
        objectID: Int, groupID: Int = -1, bodyID: Int = 1, bounds: CGRect, time: CMTime = .zero,
        focusMode: AVCaptureDevice.CinematicVideoFocusMode = .none
    ) { self.init(.body(.humanBody, objectID, groupID, bodyID, bounds, time, focusMode), environment: .current) }
}

extension AVMetadataCatBodyObject {
    /// Creates a cat's body; `bounds` is 0…1 of the unrotated picture, origin top left.
    public convenience init(
        objectID: Int, groupID: Int = -1, bodyID: Int = 1, bounds: CGRect, time: CMTime = .zero,
        focusMode: AVCaptureDevice.CinematicVideoFocusMode = .none
    ) { self.init(.body(.catBody, objectID, groupID, bodyID, bounds, time, focusMode), environment: .current) }
}

extension AVMetadataDogBodyObject {
    /// Creates a dog's body; `bounds` is 0…1 of the unrotated picture, origin top left.
    public convenience init(
        objectID: Int, groupID: Int = -1, bodyID: Int = 1, bounds: CGRect, time: CMTime = .zero,
        focusMode: AVCaptureDevice.CinematicVideoFocusMode = .none
    ) { self.init(.body(.dogBody, objectID, groupID, bodyID, bounds, time, focusMode), environment: .current) }
}

extension AVMetadataCatHeadObject {
    /// Creates a cat's head; `bounds` is 0…1 of the unrotated picture, origin top left.
    public convenience init(
        objectID: Int, groupID: Int = -1, bounds: CGRect, time: CMTime = .zero, focusMode: AVCaptureDevice.CinematicVideoFocusMode = .none
    ) { self.init(.body(.catHead, objectID, groupID, -1, bounds, time, focusMode), environment: .current) }
}

extension AVMetadataDogHeadObject {
    /// Creates a dog's head; `bounds` is 0…1 of the unrotated picture, origin top left.
    public convenience init(
        objectID: Int, groupID: Int = -1, bounds: CGRect, time: CMTime = .zero, focusMode: AVCaptureDevice.CinematicVideoFocusMode = .none
    ) { self.init(.body(.dogHead, objectID, groupID, -1, bounds, time, focusMode), environment: .current) }
}

extension AVMetadataMachineReadableCodeObject {
    /// Creates a code as the metadata output delivers it as the phone is held now; `CaptureConditions.showCodes(_:)` lets a session deliver it itself.
    public convenience init(_ code: CaptureConditions.Code, time: CMTime = .zero) {
        let environment = CaptureEnvironment.current
        self.init(code.content(at: time, lasting: .invalid, horizonAngle: environment.conditions.horizonAngle), environment: environment)
    }
}

extension AVMetadataSalientObject {
    /// Creates a salient object, 0…1 of the unrotated picture; with `isFixedFocus` it stands for a focus fixed at a distance.
    public convenience init(
        objectID: Int, bounds: CGRect, time: CMTime = .zero, focusMode: AVCaptureDevice.CinematicVideoFocusMode = .none,
        isFixedFocus: Bool = false
    ) {
        var content = Content.body(.salientObject, objectID, -1, -1, bounds, time, focusMode)
        content.isFixedFocus = isFixedFocus
        self.init(content, environment: .current)
    }
}

extension AVMetadataObject.Content {
    fileprivate static func body(
        _ type: AVMetadataObject.ObjectType, _ objectID: Int, _ groupID: Int, _ kindID: Int, _ bounds: CGRect, _ time: CMTime,
        _ focusMode: AVCaptureDevice.CinematicVideoFocusMode
    ) -> Self {
        var content = Self(type, bounds: bounds, time: time)
        (content.objectID, content.groupID, content.kindID, content.focusMode) = (objectID, groupID, kindID, focusMode)
        return content
    }
}
