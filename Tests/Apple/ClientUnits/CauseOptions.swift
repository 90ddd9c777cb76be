import AVFoundation

// Cause 3: device types and features that few phones have, which settings screens ask for.

/// Cameras and options of a phone, as a settings screen lists them.
public struct CameraOptions {
    public let names: [String]
    public let options: [String]

    public init(of session: AVCaptureSession, photos output: AVCapturePhotoOutput) {
        let types: [AVCaptureDevice.DeviceType] = [
            .builtInTripleCamera, .builtInDualWideCamera, .builtInDualCamera, .builtInWideAngleCamera, .builtInUltraWideCamera,
            .builtInTelephotoCamera, .builtInTrueDepthCamera, .builtInLiDARDepthCamera, .continuityCamera, .external,
        ]
        let cameras = AVCaptureDevice.DiscoverySession(deviceTypes: types, mediaType: .video, position: .unspecified).devices
        let microphones = AVCaptureDevice.DiscoverySession(deviceTypes: [.builtInMicrophone], mediaType: .audio, position: .unspecified).devices
        names = (cameras + microphones).map(\.localizedName)
        session.configuresApplicationAudioSessionForBluetoothHighQualityRecording = true
        AVCaptureDevice.centerStageControlMode = .cooperative
        var options: [String] = []
        for device in cameras {
            if device.isLowLightBoostSupported { options.append("boost") }
            if device.isCenterStageActive || device.isPortraitEffectActive { options.append("effects") }
        }
        if output.availablePhotoFileTypes.contains(.heic) { options.append("HEIC") }
        if output.availablePhotoFileTypes.contains(.jpg), output.supportedPhotoCodecTypes(for: .jpg).contains(.jpeg) { options.append("JPEG") }
        if let raw = output.availableRawPhotoPixelFormatTypes.first(where: AVCapturePhotoOutput.isAppleProRAWPixelFormat) {
            options.append(AVCapturePhotoSettings(rawPixelFormatType: raw, processedFormat: [AVVideoCodecKey: AVVideoCodecType.hevc]).description)
        }
        output.enabledSemanticSegmentationMatteTypes = output.availableSemanticSegmentationMatteTypes
        output.isPortraitEffectsMatteDeliveryEnabled = output.isPortraitEffectsMatteDeliverySupported
        output.isContentAwareDistortionCorrectionEnabled = output.isContentAwareDistortionCorrectionSupported
        self.options = options
    }
}
