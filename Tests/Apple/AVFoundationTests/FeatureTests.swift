import AVFoundation
import Foundation
import Synchronization
import Testing

@Suite("Features that no camera here has")
struct FeatureTests {
    @Test("are unsupported, off, and raise where they are asked for")
    func unsupported() throws {
        try inEnvironment(phoneEnvironment()) {
            let (output, device) = (AVCapturePhotoOutput(), try #require(AVCaptureDevice.default(for: .video)))
            let support = [
                output.isLivePhotoCaptureSupported, output.isZeroShutterLagSupported, output.isResponsiveCaptureSupported,
                output.isFastCapturePrioritizationSupported, output.isAutoDeferredPhotoDeliverySupported, output.isAppleProRAWSupported,
                output.isContentAwareDistortionCorrectionSupported, device.isLowLightBoostSupported, device.activeFormat.isCenterStageSupported,
            ]
            #expect(!support.contains(true) && output.maxBracketedCapturePhotoCount == 0 && output.availableLivePhotoVideoCodecTypes.isEmpty)
            let raised = CaptureEnvironment.violations {
                output.isLivePhotoCaptureEnabled = true
                output.isResponsiveCaptureEnabled = true
                output.isAppleProRAWEnabled = true
                device.automaticallyEnablesLowLightBoostWhenAvailable = true
                output.isZeroShutterLagEnabled = false
            }
            #expect(raised.map(\.name) == Array(repeating: .invalidArgument, count: 4))
            #expect(raised.first?.reason.hasSuffix("Not supported - use isLivePhotoCaptureSupported") == true)
            #expect(!output.isLivePhotoCaptureEnabled && !output.isResponsiveCaptureEnabled)
            #expect(AVCapturePhotoOutput.isAppleProRAWPixelFormat(kCVPixelFormatType_64RGBALE))
            #expect(AVCapturePhotoOutput.isBayerRAWPixelFormat(kCVPixelFormatType_14Bayer_RGGB))
            #expect(!AVCapturePhotoOutput.isBayerRAWPixelFormat(kCVPixelFormatType_32BGRA))
        }
    }

    @Test("of older systems are, too: a connection spaces no pictures, and no drive can be plugged in")
    func older() async throws {
        try inEnvironment(phoneEnvironment()) {
            let (session, output) = (AVCaptureSession(), AVCaptureVideoDataOutput())
            session.addInput(try AVCaptureDeviceInput(device: try #require(AVCaptureDevice.default(for: .video))))
            session.addOutput(output)
            let connection = try #require(output.connection(with: .video))
            #expect(!connection.isVideoMinFrameDurationSupported && !connection.isVideoMaxFrameDurationSupported)
            #expect(!connection.videoMinFrameDuration.isValid && !connection.videoMaxFrameDuration.isValid)
            let raised = CaptureEnvironment.violations {
                connection.videoMinFrameDuration = CMTime(value: 1, timescale: 15)
                connection.videoMaxFrameDuration = CMTime(value: 1, timescale: 15)
            }
            #expect(raised.map(\.name) == [.invalidArgument, .invalidArgument])
            #expect(raised.last?.reason.hasSuffix("Not supported - use isVideoMaxFrameDurationSupported") == true)
        }
        #expect(!AVExternalStorageDeviceDiscoverySession.isSupported && AVExternalStorageDeviceDiscoverySession.shared == nil)
        #expect(AVExternalStorageDevice.authorizationStatus == .denied)
        #expect(await !AVExternalStorageDevice.requestAccess())
        let asset = AVURLAsset(url: URL(fileURLWithPath: "/none.mov"))
        #expect(await AVAssetPlaybackAssistant(asset: asset).playbackConfigurationOptions == [])
    }

    @Test("of iOS 26 are unsupported, too; there is no panel, which is said")
    func newest() throws {
        let said = Mutex<[String]>([])
        var environment = phoneEnvironment()
        environment.onDiagnostic = { text in said.withLock { $0.append(text) } }
        try inEnvironment(environment) {
            let device = try #require(AVCaptureDevice.default(for: .video))
            let format = device.activeFormat
            #expect(format.supportedDynamicAspectRatios.isEmpty && !format.isSmartFramingSupported && device.smartFramingMonitor == nil)
            #expect(!format.isCameraLensSmudgeDetectionSupported && !format.isEdgeLightSupported && !device.isEdgeLightActive)
            #expect(device.dynamicAspectRatio == nil && device.cameraLensSmudgeDetectionStatus == .disabled)
            #expect(AVCaptureDevice.activeMicrophoneMode == .standard && device.nominalFocalLengthIn35mmFilm > 10)
            let raised = CaptureEnvironment.violations {
                device.setDynamicAspectRatio(.ratio1x1)
                device.setCameraLensSmudgeDetectionEnabled(true, detectionInterval: CMTime(value: 60, timescale: 1))
                device.setCameraLensSmudgeDetectionEnabled(false, detectionInterval: .invalid)
            }
            #expect(raised.map(\.name) == [.invalidArgument, .invalidArgument])
            #expect(raised.first?.reason.hasSuffix("Not supported - use activeFormat.supportedDynamicAspectRatios") == true)
            AVCaptureDevice.showSystemUserInterface(.microphoneModes)
            #expect(said.withLock { $0 } == ["showSystemUserInterface(.microphoneModes): there is no panel to show"])
        }
    }

    @Test("of iOS 27 are unsupported, too: apertures, a part of exposure left to the camera, its signals, focus that follows, less noise")
    func priorities() throws {
        try inEnvironment(phoneEnvironment()) {
            let device = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
            let format = device.activeFormat
            let (aperture, duration) = (AVCaptureDevice.currentLensAperture, CMTime(value: 1, timescale: 100))
            #expect(format.supportsExposureModeCustom(lensAperture: aperture, duration: duration, iso: AVCaptureDevice.currentISO))
            #expect(!format.supportsExposureModeCustom(lensAperture: aperture, duration: duration, iso: AVCaptureDevice.autoISO))
            #expect(!format.supportsExposureModeCustom(lensAperture: aperture, duration: CMTime(value: 9, timescale: 1), iso: 100))
            #expect(format.recommendedLensApertureStops.isEmpty && !format.isContinuousAutoFocusTrackingSupported)
            #expect(device.supportedExposureSignals.isEmpty)
            let changes = Mutex(0)
            let observation = device.observe(\.automaticallyAdjustsISO) { _, _ in changes.withLock { $0 += 1 } }
            try device.lockForConfiguration()
            let raised = CaptureEnvironment.violations {
                device.setExposureModeCustom(lensAperture: aperture, duration: AVCaptureDevice.autoExposureDuration, iso: 100)
                device.setExposureModeCustom(duration: duration, iso: AVCaptureDevice.autoISO)
                device.setExposureModeCustom(lensAperture: 2, duration: duration, iso: 100)
                device.enabledExposureSignals = []
                device.automaticallyEnablesExposureSignals = false
                device.enabledExposureSignals = [.document]
                device.isContinuousAutoFocusTrackingEnabled = true
                device.continuousAutoFocusTrackingLensPositionBias = 0.5
                device.autoExposureLensApertureRateLimit = 0.5
                device.setPrimaryConstituentDeviceSwitchingBehaviorLockedWith(device)
            }
            let unsupported = [CaptureEnvironment.Violation.Name](repeating: .invalidArgument, count: 4)
            #expect(raised.map(\.name) == [.invalidArgument, .invalidArgument, .range] + unsupported + [.range, .invalidArgument])
            #expect(device.automaticallyAdjustsISO && device.exposureMode == .continuousAutoExposure)
            device.setExposureModeCustom(lensAperture: aperture, duration: duration, iso: 100)
            device.isContinuousAutoFocusTrackingEnabled = false
            device.enabledExposureSignals = []
            #expect(!device.automaticallyAdjustsISO && device.exposureDuration == duration && changes.withLock { $0 } == 1)
            observation.invalidate()
            device.unlockForConfiguration()
            let (session, movie) = (AVCaptureSession(), AVCaptureMovieFileOutput())
            session.addInput(try AVCaptureDeviceInput(device: device))
            session.addOutput(movie)
            let connection = try #require(movie.connection(with: .video))
            #expect(connection.automaticallyEnablesLowLightVideoNoiseReduction && !connection.isLowLightVideoNoiseReductionSupported)
            #expect(CaptureEnvironment.violations { connection.isLowLightVideoNoiseReductionEnabled = true }.count == 1)
            let coordinator = AVCaptureDevice.RotationCoordinator(device: device, previewLayer: nil)
            #expect(coordinator.videoRotationAngleRelative(toDeviceOrientation: .portraitUpsideDown) == 270)
            #expect(!AVCaptureMetadataOutput().availableMetadataObjectTypes.contains(.focusTrackedObject))
            #expect(AVMetadataCinematicVideoMetadataObject.cinematicVideoMetadataFormatDescription == nil)
        }
    }

    @Test("are refused by the capture that asks for them")
    func captures() throws {
        try inEnvironment(phoneEnvironment()) {
            let (app, output) = (try CameraApp(), AVCapturePhotoOutput())
            app.session.addOutput(output)
            let (large, live) = (AVCapturePhotoSettings(), AVCapturePhotoSettings())
            large.isHighResolutionPhotoEnabled = true
            live.livePhotoMovieFileURL = URL(fileURLWithPath: "/tmp/live.mov")
            let raw = AVCapturePhotoSettings(rawPixelFormatType: kCVPixelFormatType_14Bayer_RGGB, processedFormat: nil)
            let delegate = NoPhotos()
            let raised = CaptureEnvironment.violations {
                for settings in [large, live, raw] { output.capturePhoto(with: settings, delegate: delegate) }
            }
            #expect(raised.count == 3 && raised[0].reason.contains("highResolution") && raised[1].reason.contains("livePhotoMovieFileURL"))
            #expect(raw.rawPhotoPixelFormatType == kCVPixelFormatType_14Bayer_RGGB && raised[2].reason.contains("rawPhotoPixelFormatType"))
            output.isHighResolutionCaptureEnabled = true
            #expect(CaptureEnvironment.violations { output.capturePhoto(with: large, delegate: delegate) }.isEmpty)
        }
    }

    private final class NoPhotos: NSObject, AVCapturePhotoCaptureDelegate {}
}

@Suite("Shapes of classes")
struct ShapeTests {
    /// Session of an app that counts how often it is asked.
    private final class CountedSession: AVCaptureSession, @unchecked Sendable {
        override var isRunning: Bool { true }
    }

    /// Camera of an app's test.
    private class NamedOutput: AVCaptureVideoDataOutput, @unchecked Sendable {
        override func connection(with mediaType: AVMediaType) -> AVCaptureConnection? { nil }
    }

    @Test("can be derived from, as Apple's")
    func open() {
        inEnvironment(phoneEnvironment()) {
            let session: AVCaptureSession = CountedSession()
            let output: AVCaptureVideoDataOutput = NamedOutput()
            session.addOutput(output)
            #expect(session.isRunning && output.connection(with: .video) == nil && session.outputs == [output])
        }
    }

    @Test("a port names its input, and an empty one once that is gone")
    func ports() throws {
        try inEnvironment(phoneEnvironment()) {
            let device = try #require(AVCaptureDevice.default(for: .video))
            let port: AVCaptureInput.Port
            do {
                let input = try AVCaptureDeviceInput(device: device)
                port = try #require(input.ports.first)
                let named: AVCaptureInput = port.input
                #expect(named === input && !named.ports.isEmpty)
            }
            #expect(port.input.ports.isEmpty)
        }
    }
}

@Suite("Keys of metadata")
struct MetadataKeyTests {
    @Test("name space and key make the identifier, in either order, and come back from it")
    func halves() {
        let item = AVMutableMetadataItem()
        item.key = NSString(string: AVMetadataKey.quickTimeMetadataKeyLocationISO6709.rawValue)
        #expect(item.identifier == nil && item.keySpace == nil)
        item.keySpace = .quickTimeMetadata
        #expect(item.identifier == .quickTimeMetadataLocationISO6709)
        let other = AVMutableMetadataItem()
        other.identifier = .commonIdentifierTitle
        #expect(other.keySpace == .common && other.key as? NSString == NSString(string: AVMetadataKey.commonKeyTitle.rawValue))
        #expect(AVMetadataItem.identifier(forKey: AVMetadataKey.commonKeyTitle, keySpace: .common) == .commonIdentifierTitle)
        #expect(AVMetadataItem.keySpace(forIdentifier: .quickTimeMetadataMake) == .quickTimeMetadata)
    }
}
