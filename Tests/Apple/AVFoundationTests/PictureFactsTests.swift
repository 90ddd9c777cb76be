import AVFoundation
import Optics
import Pipeline
import Synchronization
import TestSupport
import Testing

@Suite("What outputs know of their pictures")
struct PictureFactsTests {
    @Test("settings for an asset writer: codec, the turned size, and a raise for what is not available")
    func recommended() throws {
        try inEnvironment(fakeEnvironment()) {
            let app = try CameraApp(isCinematic: false)
            let output = app.videoOutput
            #expect(AVCaptureVideoDataOutput().recommendedVideoSettingsForAssetWriter(writingTo: .mov) == nil)
            #expect(output.availableVideoCodecTypesForAssetWriter(writingTo: .mp4) == [.hevc, .h264])
            #expect(output.availableVideoCodecTypesForAssetWriter(writingTo: .wav) == [])
            output.connection(with: .video)?.videoRotationAngle = 90
            let settings = try #require(output.recommendedVideoSettings(forVideoCodecType: .h264, assetWriterOutputFileType: .mov))
            #expect(settings[AVVideoCodecKey] as? String == "avc1")
            #expect(settings[AVVideoWidthKey] as? Int == 36 && settings[AVVideoHeightKey] as? Int == 64)
            let compression = try #require(settings[AVVideoCompressionPropertiesKey] as? [String: Any])
            #expect(compression[AVVideoExpectedSourceFrameRateKey] as? Int == 30)
            #expect(compression[AVVideoAverageBitRateKey] as? Int == Int(64 * 36 * 30 * 0.18))
            let usual = try #require(output.recommendedVideoSettingsForAssetWriter(writingTo: .mov))
            #expect(usual[AVVideoCodecKey] as? String == "hvc1")
            let items = output.recommendedMovieMetadata(forVideoCodecType: .hevc, assetWriterOutputFileType: .mov)
            #expect(items?.map(\.stringValue) == ["rackfocus", "footage"])
            let raised = CaptureEnvironment.violations {
                _ = output.recommendedVideoSettings(forVideoCodecType: .jpeg, assetWriterOutputFileType: .mov)
                _ = output.recommendedMovieMetadata(forVideoCodecType: .h264, assetWriterOutputFileType: .wav)
            }
            #expect(raised.map(\.name) == [.invalidArgument, .invalidArgument])
        }
    }

    @Test("a sample brings the exposure of its picture and the brightness of the scene", arguments: [(80.0, 0.0), (20, -2), (1e-9, -10)])
    func exposure(lux: Double, brightness: Double) throws {
        try inEnvironment(fakeEnvironment(source: CountingSource(count: 2, lux: { _ in lux }))) {
            let app = try CameraApp(isCinematic: false)
            try app.run()
            let sample = try #require(app.samples.last)
            let exif = try #require(CMGetAttachment(sample, key: kCGImagePropertyExifDictionary, attachmentModeOut: nil) as? [CFString: Any])
            #expect(try abs(#require(exif[kCGImagePropertyExifBrightnessValue] as? Double) - brightness) < 1e-6)
            #expect(exif[kCGImagePropertyExifBrightnessValue] is NSNumber && exif[kCGImagePropertyExifExposureTime] as? Double != nil)
            let all = CMCopyDictionaryOfAttachments(allocator: nil, target: sample, attachmentMode: kCMAttachmentMode_ShouldPropagate)
            let same = (all as? [String: Any])?["{Exif}"] as? [String: Any]
            #expect(same?["BrightnessValue"] as? Float == Float(brightness) && (same?["ISOSpeedRatings"] as? [Int])?.count == 1)
        }
    }

    @Test("a sample brings its intrinsic matrix, turned and zoomed as its picture is; not beside stabilization")
    func intrinsics() throws {
        var profile = CameraProfile.footage(CountingSource(count: 1).description, name: "zoom")
        profile.formats[0].maxZoom = 4
        try inEnvironment(fakeEnvironment(source: CountingSource(count: 2), cameras: [profile])) {
            let app = try CameraApp(isCinematic: false)
            let connection = try #require(app.videoOutput.connection(with: .video))
            connection.preferredVideoStabilizationMode = .standard
            #expect(!connection.isCameraIntrinsicMatrixDeliverySupported)
            #expect(CaptureEnvironment.violations { connection.isCameraIntrinsicMatrixDeliveryEnabled = true }.map(\.name) == [.invalidArgument])
            connection.preferredVideoStabilizationMode = .off
            connection.isCameraIntrinsicMatrixDeliveryEnabled = true
            connection.videoRotationAngle = 90
            app.configure { $0.videoZoomFactor = 2 }
            try app.run()
            let sample = try #require(app.samples.last)
            let data = try #require(
                CMGetAttachment(sample, key: kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix, attachmentModeOut: nil) as? Data)
            let columns = data.withUnsafeBytes { bytes in (0..<12).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) } }
            // 50 mm before a sensor of 36 mm and 64 pixels, twice as long at zoom 2; the middle of 36 x 64 pixels.
            let focal = Float(2 * 50.0 / 36 * 64)
            #expect(data.count == 48 && columns[0] == focal && columns[5] == focal && columns[8] == 17.5 && columns[9] == 31.5 && columns[10] == 1)
        }
    }

    @Test("depth comes calibrated, and with a photo that asks for it")
    func depth() throws {
        var environment = fakeEnvironment(source: CountingSource(count: 6))
        environment.clock = .lockStep
        try inEnvironment(environment) {
            let (app, output, photographer) = (try CameraApp(isCinematic: true), AVCapturePhotoOutput(), DepthPhotographer())
            app.session.addOutput(output)
            #expect(!output.isDepthDataDeliverySupported)
            #expect(CaptureEnvironment.violations { output.isDepthDataDeliveryEnabled = true }.map(\.name) == [.invalidArgument])
            app.input.isCinematicVideoCaptureEnabled = false
            let settings = AVCapturePhotoSettings()
            settings.isDepthDataDeliveryEnabled = true
            let refused = CaptureEnvironment.violations { output.capturePhoto(with: settings, delegate: photographer) }
            #expect(refused.first?.reason.contains("output.depthDataDeliveryEnabled is NO") == true)
            output.isDepthDataDeliveryEnabled = true
            app.input.isCinematicVideoCaptureEnabled = true
            #expect(!output.isDepthDataDeliveryEnabled)
            app.input.isCinematicVideoCaptureEnabled = false
            #expect(output.isDepthDataDeliverySupported && !output.isDepthDataDeliveryEnabled)
            output.isDepthDataDeliveryEnabled = true
            app.session.beginConfiguration()
            app.session.removeInput(app.input)
            app.session.addInput(app.input)
            app.session.commitConfiguration()
            #expect(output.isDepthDataDeliverySupported && !output.isDepthDataDeliveryEnabled)
            output.isDepthDataDeliveryEnabled = true
            let hasAsked = Mutex(false)
            app.onMetadata = { _ in
                let isFirst = hasAsked.withLock { asked in
                    defer { asked = true }
                    return !asked
                }
                guard isFirst else { return }
                for settings in [settings, AVCapturePhotoSettings()] { output.capturePhoto(with: settings, delegate: photographer) }
            }
            try app.run()
            app.onMetadata = nil
            #expect(photographer.end() && photographer.end())
            let photos = photographer.photos.withLock { $0 }
            #expect(photos.count == 2)
            let data = try #require(photos.first { $0.resolvedSettings.uniqueID == settings.uniqueID }?.depthData)
            #expect(photos.filter { $0.depthData == nil }.count == 1)
            #expect(data.depthDataMap.size == (64, 36) && data.depthDataType == kCVPixelFormatType_DisparityFloat16)
            #expect(data.depthDataMap.plane(0).row(3, as: Float16.self)[32] == Float16(32.5 / 64))
            let calibration = try #require(data.cameraCalibrationData)
            #expect(calibration.intrinsicMatrix.columns.0.x == Float(50.0 / 36 * 64))
            #expect(calibration.intrinsicMatrixReferenceDimensions == CGSize(width: 64, height: 36))
        }
    }

    private final class DepthPhotographer: NSObject, AVCapturePhotoCaptureDelegate, @unchecked Sendable {
        let photos = Mutex<[AVCapturePhoto]>([])
        private let ended = DispatchSemaphore(value: 0)
        func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?) {
            photos.withLock { $0.append(photo) }
        }
        func photoOutput(
            _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?
        ) { ended.signal() }
        func end() -> Bool { ended.wait(timeout: .now() + patience) == .success }
    }

    @Test("a lens moved by hand blurs what is not at its distance, until focus is automatic again")
    func placedLens() throws {
        let renderer = GlassRenderer()
        var profile = CameraProfile.footage(CountingSource(count: 1).description, name: "wide")
        (profile.deviceType, profile.formats[0].cinematic) = ("AVCaptureDeviceTypeBuiltInDualWideCamera", nil)
        var environment = fakeEnvironment(source: CountingSource(count: 8), renderer: renderer, cameras: [profile])
        environment.clock = .lockStep
        try inEnvironment(environment) {
            let app = try CameraApp(isCinematic: false)
            app.configure { $0.setFocusModeLocked(lensPosition: 0.85) }
            #expect(app.device.minimumFocusDistance == 150)
            let count = Mutex(0)
            app.onSample = { [unowned app] _ in
                let frames = count.withLock {
                    $0 += 1; return $0
                }
                if frames == 3 { app.configure { $0.focusMode = .continuousAutoFocus } }
            }
            try app.run()
            app.onSample = nil
            let circles = renderer.circles.withLock { $0 }
            #expect(circles.count == 3 && abs(circles[0].focusDisparity - 1) < 1e-6)
            let lens = Lens(focalLength: 50, fNumber: 6.4)
            #expect(circles[0] == lens.circleOfConfusion(focusDisparity: circles[0].focusDisparity, pictureWidth: 64))
        }
    }
}
