import AVFoundation

// Cause 4: apps that declare what is theirs on one queue to be sendable, as Apple's own classes are not. Each would warn if it were declared here.

extension AVCaptureSession: @unchecked @retroactive Sendable {}
extension AVCaptureDevice: @unchecked @retroactive Sendable {}
extension AVCaptureDevice.Format: @unchecked @retroactive Sendable {}
extension AVCaptureInput: @unchecked @retroactive Sendable {}
extension AVCaptureOutput: @unchecked @retroactive Sendable {}
extension AVCaptureConnection: @unchecked @retroactive Sendable {}
extension AVCapturePhoto: @unchecked @retroactive Sendable {}
extension AVCapturePhotoSettings: @unchecked @retroactive Sendable {}
extension AVCaptureResolvedPhotoSettings: @unchecked @retroactive Sendable {}
extension AVMetadataObject: @unchecked @retroactive Sendable {}
extension AVDepthData: @unchecked @retroactive Sendable {}
extension AVAssetReader: @unchecked @retroactive Sendable {}
extension AVAssetReaderOutput: @unchecked @retroactive Sendable {}
extension AVAssetWriter: @unchecked @retroactive Sendable {}
extension AVAssetWriterInput: @unchecked @retroactive Sendable {}
extension AVAssetWriterInputPixelBufferAdaptor: @unchecked @retroactive Sendable {}
extension AVAssetExportSession: @unchecked @retroactive Sendable {}
extension CMSampleBuffer: @unchecked @retroactive Sendable {}
extension CVBuffer: @unchecked @retroactive Sendable {}
