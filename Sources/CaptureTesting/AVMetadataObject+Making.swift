import AVFoundation
import Foundation

// Apple makes these objects and nobody else can; a unit test that calls a delegate by hand makes them here.

extension AVMetadataFaceObject {
    /// - Parameters:
    ///   - bounds: 0…1 of the unrotated picture, origin top left.
    ///   - yawAngle: degrees, 0 looks into the camera; nil for a face without.
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
    public convenience init(
        objectID: Int, groupID: Int = -1, bodyID: Int = 1, bounds: CGRect, time: CMTime = .zero,
        focusMode: AVCaptureDevice.CinematicVideoFocusMode = .none
    ) { self.init(.body(.humanBody, objectID, groupID, bodyID, bounds, time, focusMode), environment: .current) }
}

extension AVMetadataCatBodyObject {
    public convenience init(
        objectID: Int, groupID: Int = -1, bodyID: Int = 1, bounds: CGRect, time: CMTime = .zero,
        focusMode: AVCaptureDevice.CinematicVideoFocusMode = .none
    ) { self.init(.body(.catBody, objectID, groupID, bodyID, bounds, time, focusMode), environment: .current) }
}

extension AVMetadataDogBodyObject {
    public convenience init(
        objectID: Int, groupID: Int = -1, bodyID: Int = 1, bounds: CGRect, time: CMTime = .zero,
        focusMode: AVCaptureDevice.CinematicVideoFocusMode = .none
    ) { self.init(.body(.dogBody, objectID, groupID, bodyID, bounds, time, focusMode), environment: .current) }
}

extension AVMetadataCatHeadObject {
    public convenience init(
        objectID: Int, groupID: Int = -1, bounds: CGRect, time: CMTime = .zero, focusMode: AVCaptureDevice.CinematicVideoFocusMode = .none
    ) { self.init(.body(.catHead, objectID, groupID, -1, bounds, time, focusMode), environment: .current) }
}

extension AVMetadataDogHeadObject {
    public convenience init(
        objectID: Int, groupID: Int = -1, bounds: CGRect, time: CMTime = .zero, focusMode: AVCaptureDevice.CinematicVideoFocusMode = .none
    ) { self.init(.body(.dogHead, objectID, groupID, -1, bounds, time, focusMode), environment: .current) }
}

extension AVMetadataSalientObject {
    /// `isFixedFocus`: it stands for a fixed focus.
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
