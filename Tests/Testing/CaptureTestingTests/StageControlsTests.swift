import AVFoundation
import CaptureTesting
import Synchronization
import Testing

@Suite("A stage follows what the app sets of the camera")
struct StageControlsTests {
    /// The smallest camera with exposure by hand, and what it shows: red, green and blue of two places.
    private final class Viewer: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, AVCapturePhotoCaptureDelegate, Sendable {
        struct Look: Equatable {
            var near: Color
            var far: Color
        }

        struct Color: Equatable {
            var x = 0.0
            var y = 0.0
            var z = 0.0
        }

        let session = AVCaptureSession()
        let device: AVCaptureDevice
        let photos = AVCapturePhotoOutput()
        let movie = AVCaptureMovieFileOutput()
        private let output = AVCaptureVideoDataOutput()
        private let seen = Mutex<Look?>(nil)
        private let taken = Mutex<[AVCapturePhoto]>([])
        static let near = CGRect(x: 0.14, y: 0.3, width: 0.12, height: 0.2)
        static let far = CGRect(x: 0.7, y: 0.2, width: 0.2, height: 0.2)

        override init() {
            device = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back)!
            super.init()
            session.addInput(try! AVCaptureDeviceInput(device: device))
            for output in [output, photos, movie] { session.addOutput(output) }
            output.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
            output.setSampleBufferDelegate(self, queue: DispatchQueue(label: "viewer"))
            session.startRunning()
        }

        func set(_ body: (AVCaptureDevice) -> Void) {
            try! device.lockForConfiguration()
            body(device)
            device.unlockForConfiguration()
        }

        static func look(_ image: CVPixelBuffer) -> Look {
            CVPixelBufferLockBaseAddress(image, .readOnly)
            defer { CVPixelBufferUnlockBaseAddress(image, .readOnly) }
            let (width, height) = (CVPixelBufferGetWidth(image), CVPixelBufferGetHeight(image))
            let bytes = CVPixelBufferGetBaseAddress(image)!
            func mean(_ box: CGRect) -> Color {
                var (sum, count) = (Color(), 0.0)
                for y in Int(box.minY * Double(height))..<Int(box.maxY * Double(height)) {
                    for x in Int(box.minX * Double(width))..<Int(box.maxX * Double(width)) {
                        let pixel = bytes + y * CVPixelBufferGetBytesPerRow(image) + 4 * x
                        func value(_ index: Int) -> Double { Double(pixel.load(fromByteOffset: index, as: UInt8.self)) }
                        (sum.x, sum.y, sum.z, count) = (sum.x + value(2), sum.y + value(1), sum.z + value(0), count + 1)
                    }
                }
                return Color(x: sum.x / count, y: sum.y / count, z: sum.z / count)
            }
            return Look(near: mean(near), far: mean(far))
        }

        var look: Look { seen.withLock { $0! } }
        var photo: AVCapturePhoto? { taken.withLock { $0.last } }

        func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
            let look = Self.look(sampleBuffer.imageBuffer!)
            seen.withLock { $0 = look }
        }

        func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?) {
            taken.withLock { $0.append(photo) }
        }
    }

    private final class Recorder: NSObject, AVCaptureFileOutputRecordingDelegate, Sendable {
        func fileOutput(
            _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL, from connections: [AVCaptureConnection], error: (any Error)?
        ) {}
    }

    private func withViewer(lux: Double, _ body: (TestPhone, Viewer) async throws -> Void) async throws {
        var stage = TestStage(.face("maya", box: Viewer.near.insetBy(dx: -0.03, dy: -0.05), depth: 0.8))
        var camera = CameraProfile.wideAngle
        camera.formats = camera.formats.filter { $0.width == 192 && $0.pixelFormat == "420v" }
        (stage.cameras, stage.light, stage.paintsPictures) = ([camera], lux, true)
        try await withTestPhone(showing: stage) { phone in
            let viewer = Viewer()
            await phone.step(frames: 2)
            try await body(phone, viewer)
            viewer.session.stopRunning()
        }
    }

    @Test("exposure: bias, by hand and held")
    func exposure() async throws {
        try await withViewer(lux: 180) { phone, viewer in
            let usual = viewer.look.far.y
            let (duration, iso) = (viewer.device.exposureDuration, viewer.device.iso)
            #expect(duration.seconds <= 1.0 / 30 && iso > 50 && viewer.device.exposureTargetOffset == 0)
            viewer.set { $0.setExposureTargetBias(1) }
            await phone.step()
            #expect(viewer.look.far.y > usual * 1.15 && viewer.device.exposureTargetOffset == 0)
            viewer.set { $0.setExposureTargetBias(-2) }
            await phone.step()
            #expect(viewer.look.far.y < usual * 0.7)
            viewer.set {
                $0.setExposureTargetBias(0)
                $0.exposureMode = .continuousAutoExposure
            }
            await phone.step()
            #expect(viewer.look.far.y == usual)
            viewer.set { $0.exposureMode = .locked }
            phone.setLight(90)
            await phone.step()
            #expect(abs(viewer.look.far.y / usual - pow(0.5, 1 / 2.2)) < 0.06 && abs(viewer.device.exposureTargetOffset + 1) < 0.02)
            viewer.set { $0.setExposureModeCustom(duration: CMTime(value: 1, timescale: 2000), iso: 50) }
            await phone.step()
            #expect(viewer.look.far.y < usual * 0.4 && viewer.device.exposureTargetOffset < -3)
            #expect(viewer.device.iso == 50 && viewer.device.exposureDuration == CMTime(value: 1, timescale: 2000))
        }
    }

    @Test("white balance: a gain is a colour")
    func whiteBalance() async throws {
        try await withViewer(lux: 180) { phone, viewer in
            let usual = viewer.look.far
            viewer.set { $0.setWhiteBalanceModeLocked(with: .init(redGain: 1, greenGain: 1, blueGain: 2)) }
            await phone.step()
            let blue = viewer.look.far
            #expect(blue.z > usual.z * 1.2 && abs(blue.x - usual.x) < 3 && abs(blue.y - usual.y) < 3)
            viewer.set { $0.whiteBalanceMode = .continuousAutoWhiteBalance }
            await phone.step()
            #expect(viewer.look.far == usual)
        }
    }

    @Test("a torch lights what is near, by itself while a movie of a dark room is recorded")
    func torch() async throws {
        try await withViewer(lux: 4) { phone, viewer in
            let dark = viewer.look
            viewer.set { $0.torchMode = .on }
            await phone.step()
            let lit = viewer.look
            #expect(lit.near.y / lit.far.y > 1.5 * dark.near.y / dark.far.y)
            viewer.set { $0.torchMode = .auto }
            await phone.step(for: .milliseconds(700))
            #expect(!viewer.device.isTorchActive)
            viewer.movie.startRecording(to: URL(fileURLWithPath: "/dev/null/take.mov"), recordingDelegate: Recorder())
            await phone.step(frames: 2)
            #expect(viewer.device.isTorchActive && viewer.device.torchMode == .auto && viewer.device.torchLevel == 1)
            await phone.step(for: .milliseconds(300))
            #expect(viewer.device.isTorchActive && abs(viewer.look.near.y - lit.near.y) < 3)
            viewer.movie.stopRecording()
            await phone.step(frames: 2)
            #expect(!viewer.device.isTorchActive && viewer.device.torchMode == .auto)
        }
    }

    @Test("a flash lights one frame, which is the photo")
    func flash() async throws {
        try await withViewer(lux: 4) { phone, viewer in
            let dark = viewer.look
            #expect(viewer.photos.supportedFlashModes == [.off, .on, .auto])
            for (mode, fires) in [(AVCaptureDevice.FlashMode.on, true), (.off, false)] {
                let settings = AVCapturePhotoSettings(format: [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA])
                settings.flashMode = mode
                viewer.photos.capturePhoto(with: settings, delegate: viewer)
                await phone.step()
                let photo = try #require(viewer.photo)
                #expect(photo.resolvedSettings.uniqueID == settings.uniqueID && photo.resolvedSettings.isFlashEnabled == fires)
                let look = Viewer.look(try #require(photo.pixelBuffer))
                #expect((look.near.y / look.far.y > 2 * dark.near.y / dark.far.y) == fires)
                await phone.step()
                #expect(abs(viewer.look.near.y - dark.near.y) < 8)
            }
        }
    }
}
