import AVFoundation
import Optics
import Pipeline
import Synchronization
import TestSupport
import Testing

@Suite("Taking photos")
struct PhotoTests {
    private final class Photographer: NSObject, AVCapturePhotoCaptureDelegate, @unchecked Sendable {
        let heard = Mutex<(words: [String], photos: [AVCapturePhoto], error: AVError?)>(([], [], nil))
        private let ended = DispatchSemaphore(value: 0)

        private func note(_ word: String) { heard.withLock { $0.words.append(word) } }
        func photoOutput(_ output: AVCapturePhotoOutput, willBeginCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings) {
            note("will begin")
        }
        func photoOutput(_ output: AVCapturePhotoOutput, willCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings) {
            note("will capture")
        }
        func photoOutput(_ output: AVCapturePhotoOutput, didCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings) {
            note("did capture")
        }
        func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?) {
            note("photo")
            heard.withLock { $0.photos.append(photo) }
        }
        func photoOutput(
            _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?
        ) {
            note("end")
            heard.withLock { $0.error = error as? AVError }
            ended.signal()
        }

        func end() -> Bool { ended.wait(timeout: .now() + patience) == .success }
        var words: [String] { heard.withLock { $0.words } }
        var photos: [AVCapturePhoto] { heard.withLock { $0.photos } }
        var error: AVError? { heard.withLock { $0.error } }
    }

    /// Paints the picture's first pixel 99, so that a photo shows whether it went through the lens.
    private final class Marker: BokehRenderer {
        func render(_ image: CVPixelBuffer, disparity: DisparityMap, circle: CircleOfConfusion) throws -> CVPixelBuffer {
            let picture = CountingSource.frame(index: 0).image
            picture.plane(0).row(0, as: UInt8.self)[0] = 99
            return picture
        }
    }

    @Test("takes the next frame through the lens, as asked for and turned, and tells its delegate in order")
    func photo() throws {
        var environment = fakeEnvironment(source: CountingSource(count: 6), renderer: Marker())
        environment.clock = .lockStep
        try inEnvironment(environment) {
            let (app, output, photographer) = (try CameraApp(), AVCapturePhotoOutput(), Photographer())
            app.session.addOutput(output)
            output.connection(with: .video)?.videoRotationAngle = 180
            #expect(output.captureReadiness == .sessionNotRunning)
            let settings = AVCapturePhotoSettings(format: [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange]
            )
            let count = Mutex(0)
            app.onMetadata = { _ in
                guard
                    count.withLock({
                        $0 += 1; return $0
                    }) == 3
                else { return }
                #expect(output.captureReadiness == .ready)
                output.capturePhoto(with: settings, delegate: photographer)
                #expect(output.captureReadiness == .notReadyWaitingForCapture)
            }
            try app.run()
            app.onMetadata = nil
            #expect(photographer.end() && photographer.error == nil)
            #expect(photographer.words == ["will begin", "will capture", "did capture", "photo", "end"])
            let photo = try #require(photographer.photos.first)
            #expect(photo.timestamp == CMTime(value: 2, timescale: 30) && photo.resolvedSettings.uniqueID == settings.uniqueID)
            let image = try #require(photo.pixelBuffer)
            #expect(CVPixelBufferGetPixelFormatType(image) == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
            // The pixels stay as the camera saw them; the metadata say how to turn them.
            #expect(image.plane(0).row(0, as: UInt8.self)[0] == 97 && photo.metadata["Orientation"] as? Int == 3)
            #expect(photo.fileDataRepresentation() == nil)
            let raised = CaptureEnvironment.violations { output.capturePhoto(with: settings, delegate: photographer) }
            #expect(raised.first?.reason.hasSuffix("Settings may not be re-used") == true)
        }
    }

    @Test("refuses what it cannot do, and a stopped session reaches the delegate")
    func refusals() throws {
        try inEnvironment(phoneEnvironment()) {
            let (output, photographer) = (AVCapturePhotoOutput(), Photographer())
            let unconnected = CaptureEnvironment.violations { output.capturePhoto(with: AVCapturePhotoSettings(), delegate: photographer) }
            #expect(unconnected.map(\.name) == [.invalidArgument])
            let app = try CameraApp()
            app.session.addOutput(output)
            let quality = AVCapturePhotoSettings()
            quality.photoQualityPrioritization = .quality
            let raised = CaptureEnvironment.violations {
                output.capturePhoto(with: quality, delegate: photographer)
                output.capturePhoto(with: AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.hevc]), delegate: photographer)
            }
            #expect(raised.map(\.name) == [.invalidArgument, .invalidArgument])
            #expect(!app.session.canAddOutput(AVCapturePhotoOutput()))
            output.maxPhotoQualityPrioritization = .quality
            let copy = AVCapturePhotoSettings(from: quality)
            #expect(copy.uniqueID != quality.uniqueID && copy.photoQualityPrioritization == .quality)
            output.capturePhoto(with: copy, delegate: photographer)
            #expect(photographer.end() && photographer.error?.code == .sessionNotRunning)
            #expect(photographer.words == ["will begin", "photo", "end"] && photographer.photos.first?.pixelBuffer == nil)
        }
    }

    @Test("a session that ends before the next frame ends the capture with an error")
    func ended() throws {
        try inEnvironment(fakeEnvironment(source: CountingSource(count: 3))) {
            let (app, output, photographer) = (try CameraApp(), AVCapturePhotoOutput(), Photographer())
            app.session.addOutput(output)
            app.onSample = { sample in
                guard sample.presentationTimeStamp.value == 2 else { return }
                output.capturePhoto(with: AVCapturePhotoSettings(), delegate: photographer)
            }
            try app.run()
            app.onSample = nil
            #expect(photographer.end() && photographer.error?.code == .sessionWasInterrupted)
        }
    }

    @Test("is a file by default where files are made, else a pixel buffer; the preview fits where it is to go")
    func formats() throws {
        var environment = fakeEnvironment(source: CountingSource(count: 8))
        environment.clock = .lockStep
        environment.encodePhoto = { picture, photo in Data("\(photo.fileType) \(photo.camera) \(photo.orientation)".utf8) }
        try inEnvironment(environment) {
            let (app, output, photographer) = (try CameraApp(), AVCapturePhotoOutput(), Photographer())
            app.session.addOutput(output)
            output.connection(with: .video)?.videoRotationAngle = 90
            #expect(output.availablePhotoCodecTypes == [.jpeg])
            let (jpeg, plain) = (AVCapturePhotoSettings(), AVCapturePhotoSettings(format: [kCVPixelBufferPixelFormatTypeKey as String: 0x4247_5241]))
            jpeg.previewPhotoFormat = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA, kCVPixelBufferWidthKey as String: 32]
            let hasAsked = Mutex(false)
            app.onMetadata = { _ in
                guard
                    hasAsked.withLock({ asked in
                        defer { asked = true }; return !asked
                    })
                else { return }
                for settings in [jpeg, plain] { output.capturePhoto(with: settings, delegate: photographer) }
            }
            try app.run()
            app.onMetadata = nil
            #expect(photographer.end() && photographer.end())
            let photos = photographer.photos
            #expect(photos.map { $0.pixelBuffer == nil } == [true, false])
            #expect(photos.map { $0.fileDataRepresentation() } == [Data("jpeg fake 6".utf8), Data("png fake 6".utf8)])
            let preview = try #require(photos.first?.previewPixelBuffer)
            #expect(preview.size == (32, 18) && preview.format == kCVPixelFormatType_32BGRA)
            #expect(photos.first?.resolvedSettings.previewDimensions.width == 32 && photos.last?.resolvedSettings.previewDimensions.width == 0)
        }
    }

    @Test("sizes beyond the format's and the output's raise")
    func dimensions() throws {
        try inEnvironment(phoneEnvironment()) {
            let (app, output, settings) = (try CameraApp(), AVCapturePhotoOutput(), AVCapturePhotoSettings())
            #expect(output.maxPhotoDimensions.width == 0)
            app.session.addOutput(output)
            let own = app.device.activeFormat.formatDescription.dimensions
            #expect(output.maxPhotoDimensions.width == own.width && app.device.activeFormat.supportedMaxPhotoDimensions.count == 1)
            settings.maxPhotoDimensions = CMVideoDimensions(width: own.width * 2, height: own.height * 2)
            let preview = AVCapturePhotoSettings()
            preview.previewPhotoFormat = [kCVPixelBufferPixelFormatTypeKey as String: 1]
            let raised = CaptureEnvironment.violations {
                output.maxPhotoDimensions = settings.maxPhotoDimensions
                output.capturePhoto(with: settings, delegate: Photographer())
                output.capturePhoto(with: preview, delegate: Photographer())
            }
            #expect(raised.map(\.name) == [.invalidArgument, .invalidArgument, .invalidArgument])
        }
    }

    @Test("readiness is told as it changes")
    func readiness() throws {
        var environment = fakeEnvironment(source: CountingSource(count: 4))
        environment.clock = .lockStep
        try inEnvironment(environment) {
            let (app, output, photographer) = (try CameraApp(), AVCapturePhotoOutput(), Photographer())
            let told = Mutex<[Int]>([])
            app.session.addOutput(output)
            let token = output.observe(\.captureReadiness, options: .new) { _, change in told.withLock { $0.append(change.newValue?.rawValue ?? -1) }
            }
            let hasAsked = Mutex(false)
            app.onMetadata = { _ in
                guard
                    hasAsked.withLock({ asked in
                        defer { asked = true }; return !asked
                    })
                else { return }
                output.capturePhoto(with: AVCapturePhotoSettings(), delegate: photographer)
            }
            try app.run()
            app.onMetadata = nil
            #expect(photographer.end())
            #expect(told.withLock { $0 } == [1, 3, 4, 1, 0])
            token.invalidate()
        }
    }
}
