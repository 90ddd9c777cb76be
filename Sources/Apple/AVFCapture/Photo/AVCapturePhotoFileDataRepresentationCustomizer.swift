import Foundation

/// An app's own content of a photo's file, in place of the photo's.
public protocol AVCapturePhotoFileDataRepresentationCustomizer: NSObjectProtocol {
    /// Returns the properties of the file, under ImageIO's keys; nil for a file without any.
    func replacementMetadata(for photo: AVCapturePhoto) -> [String: Any]?
    /// Returns the depth map of the file, nil for none; not called, as no file has depth here.
    func replacementDepthData(for photo: AVCapturePhoto) -> AVDepthData?
    /// Returns the matte of people in the file, nil for none; not called, as there is none.
    func replacementPortraitEffectsMatte(for photo: AVCapturePhoto) -> AVPortraitEffectsMatte?
    /// Returns a matte of the file, nil for none; not called, as there is none.
    func replacementSemanticSegmentationMatte(
        ofType semanticSegmentationMatteType: AVSemanticSegmentationMatte.MatteType, for photo: AVCapturePhoto
    ) -> AVSemanticSegmentationMatte?
}

/// An app that leaves a method out keeps what the photo has.
extension AVCapturePhotoFileDataRepresentationCustomizer {
    /// Returns the properties of the photo.
    public func replacementMetadata(for photo: AVCapturePhoto) -> [String: Any]? { photo.metadata }
    /// Returns the depth map of the photo.
    public func replacementDepthData(for photo: AVCapturePhoto) -> AVDepthData? { photo.depthData }
    /// Returns the matte of people of the photo.
    public func replacementPortraitEffectsMatte(for photo: AVCapturePhoto) -> AVPortraitEffectsMatte? { photo.portraitEffectsMatte }
    /// Returns the matte of the photo.
    public func replacementSemanticSegmentationMatte(
        ofType semanticSegmentationMatteType: AVSemanticSegmentationMatte.MatteType, for photo: AVCapturePhoto
    ) -> AVSemanticSegmentationMatte? { photo.semanticSegmentationMatte(for: semanticSegmentationMatteType) }
}
