import AVFoundation
import CaptureTesting
import ClientUnits
import CoreMotion
import Metal
import Photos
import SwiftUI
import TestSupport
import Testing

/// Behaviour of the units of public clients once they compile; Tests/Apple/ClientUnits has one for each cause for which they did not.
@Suite("A unit shaped like a public client's")
struct ClientUnitTests {
    let stage = TestStage(.face("maya", box: CGRect(x: 0.4, y: 0.3, width: 0.2, height: 0.4), depth: 2))

    @Test("links, and derives actors from NSObject")
    func linking() async {
        let counter = DropCounter()
        await counter.count()
        #expect(await counter.drops == 1)
    }

    @Test("hears of the phone's heat, and makes pools of Foundation's dictionaries")
    func language() async throws {
        try await withTestPhone { phone in
            let model = ViewfinderModel()
            phone.conditions.setThermalState(.serious)
            model.readHeat()
            #expect(model.isHot && model.pool(width: 64, height: 36) != nil)
            phone.conditions.setThermalState(.nominal)
            model.readHeat()
            #expect(!model.isHot)
        }
        #expect(ProcessInfo.processInfo.thermalState == .nominal)
    }

    @Test("asks for what a later system has, does without, and commits once too often")
    func newer() async throws {
        try await withTestPhone(showing: stage) { phone in
            let (panel, camera) = (LensPanel(), try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back)))
            try await panel.prepare(camera)
            await phone.step(frames: 2)
            #expect(panel.apertures.isEmpty && panel.axes == ["shutter", "iso"] && panel.followed.isEmpty)
            try panel.holdShutter(CMTime(value: 1, timescale: 250), of: camera)
            #expect(panel.axes.isEmpty && camera.exposureDuration == CMTime(value: 1, timescale: 250))
            #expect(phone.diagnostics == ["commitConfiguration() without beginConfiguration(): nothing is committed"])
            #expect(LensPanel.newest(after: .distantFuture) == nil)
        }
    }

    @Test("keeps pictures in a library and shows what it kept, with the place of the phone")
    func library() async throws {
        let scratch = try Scratch()
        let folder = scratch.url
        let conditions = LocationConditions(authorization: .notDetermined)
        conditions.move(to: CLLocation(latitude: 47, longitude: 8))
        try await LocationConditions.$scoped.withValue(conditions) {
            try await PhotoLibraryFolder.$current.withValue(PhotoLibraryFolder(at: folder)) {
                let picture = CIContext().jpegRepresentation(
                    of: CIImage.red.cropped(to: CGRect(x: 0, y: 0, width: 64, height: 32)), colorSpace: CGColorSpaceCreateDeviceRGB())
                let library = TakeLibrary()
                try await library.keep(try #require(picture))
                await library.showNewest()
                var sizes: [Int?] = []
                for await thumbnail in library.thumbnails {
                    sizes.append(thumbnail?.width)
                    if sizes.count == 2 { break }
                }
                #expect(sizes == [16, 16])
                #expect(PHAsset.fetchAssets(with: nil).firstObject?.location?.coordinate.latitude == 47)
                try Data([1, 2, 3]).write(to: folder.appending(path: "take.mov"))
                let exports = folder.appending(path: "exports")
                try FileManager.default.createDirectory(at: exports, withIntermediateDirectories: false)
                #expect(try await library.export(to: exports) == picture?.count)
                #expect(try FileManager.default.contentsOfDirectory(atPath: exports.path) == ["take.mov"])
            }
        }
    }

    @Test("makes bitmaps of bytes and of pixel buffers")
    func pictures() throws {
        #expect(Pictures.grey([0, 128, 255, 7], width: 2, height: 2)?.bitsPerPixel == 8)
        var buffer: CVPixelBuffer?
        CVPixelBufferCreate(kCFAllocatorDefault, 8, 4, kCVPixelFormatType_32BGRA, nil, &buffer)
        #expect(Pictures.image(of: try #require(buffer))?.width == 8)
        #expect(Pictures.isTenBit(kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange) && !Pictures.isTenBit(kCVPixelFormatType_24RGB))
    }

    @Test("hands over texts, Booleans and dictionaries by reference")
    func references() throws {
        let buffer = try #require(References.buffer(width: 4, height: 2))
        let sample = try #require(Samples.sample(of: buffer, at: .zero))
        #expect(CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false) == nil)
        References.showAtOnce(sample)
        References.hide(sample)
        #expect(sample.sampleAttachments.first?[.displayImmediately] as? Bool == true)
        #expect(sample.sampleAttachments.first?[.doNotDisplay] as? Bool == true)
        CMSetAttachment(
            sample, key: "{Exif}" as CFString, value: ["BrightnessValue": 2.5] as CFDictionary, attachmentMode: kCMAttachmentMode_ShouldPropagate)
        #expect(References.brightness(of: sample) == 2.5)
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: 32, alignment: 16)
        bytes.initializeMemory(as: UInt8.self, repeating: 7, count: 32)
        let over = try #require(References.buffer(over: bytes, width: 4, height: 2))
        #expect(CVPixelBufferGetBaseAddress(over) == bytes && CVPixelBufferGetBytesPerRow(over) == 16)
        let extensions = [kCMFormatDescriptionExtension_ColorPrimaries: kCVImageBufferColorPrimaries_P3_D65] as CFDictionary
        var format: CMVideoFormatDescription?
        CMVideoFormatDescriptionCreate(
            allocator: nil, codecType: kCMVideoCodecType_HEVC, width: 4, height: 2, extensions: extensions, formatDescriptionOut: &format)
        #expect(References.primaries(of: try #require(format)) == "P3_D65")
    }

    @Test("takes photos and brackets with data, whatever features it asks for first")
    func photos() async throws {
        try await withTestPhone(showing: stage) { phone in
            let (session, button) = (CountedSession(), PhotoButton())
            session.sessionPreset = .low
            let device = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
            session.addInput(try AVCaptureDeviceInput(device: device))
            session.addOutput(button.output)
            button.prepare()
            session.startRunning()
            button.press()
            await phone.step(frames: 2)
            button.pressBracket()
            try await phone.until(within: .seconds(1)) { button.images.count == 4 && button.isDone }
            #expect(session.starts == 1 && button.sizes.allSatisfy { $0 > 1000 })
            #expect(Shapes.position(of: try #require(button.output.connection(with: .video))) == .back)
        }
    }

    @Test("shows pixel buffers as textures, finds no encoder, and goes on")
    func neighbours() throws {
        var made: CVPixelBuffer?
        CVPixelBufferCreate(kCFAllocatorDefault, 4, 2, kCVPixelFormatType_32BGRA, nil, &made)
        let (buffer, viewfinder) = (try #require(made), try #require(MetalViewfinder()))
        let texture = try #require(viewfinder.texture(of: buffer, format: .bgra8Unorm, plane: 0))
        CVPixelBufferLockBaseAddress(buffer, [])
        CVPixelBufferGetBaseAddress(buffer)?.storeBytes(of: 0x0403_0201, toByteOffset: CVPixelBufferGetBytesPerRow(buffer) + 4, as: UInt32.self)
        CVPixelBufferUnlockBaseAddress(buffer, [])
        var pixel: UInt32 = 0
        texture.getBytes(&pixel, bytesPerRow: 4, from: MTLRegionMake2D(1, 1, 1, 1), mipmapLevel: 0)
        #expect(pixel == 0x0403_0201 && texture.width == 4 && texture.height == 2)
        #expect(viewfinder.texture(of: buffer, format: .rgba16Float, plane: 0) == nil)
        #expect(viewfinder.texture(of: buffer, format: .bgra8Unorm, plane: 1) == nil)
        #expect(StreamEncoder(width: 64, height: 36).status != noErr)
        let meter = LevelMeter()
        meter.take([0.5, -0.5, 0.5, -0.5])
        #expect(abs(meter.decibels + 6.02) < 0.01)
    }

    @Test("filters frames of the camera, and shows them as bitmaps and JPEG files")
    func looks() async throws {
        try await withTestPhone(showing: stage) { phone in
            let (session, output, keeper) = (AVCaptureSession(), AVCaptureVideoDataOutput(), FrameKeeper())
            session.sessionPreset = .low
            let device = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
            session.addInput(try AVCaptureDeviceInput(device: device))
            output.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
            output.setSampleBufferDelegate(keeper, queue: DispatchQueue(label: "frames"))
            session.addOutput(output)
            session.startRunning()
            try await phone.until(within: .seconds(1)) { keeper.frame != nil }
            let frame = try #require(keeper.frame)
            let renderer = LookRenderer()
            renderer.prepare(with: try Self.format(of: frame), retainedBuffers: 3)
            let rendered = try #require(renderer.render(frame))
            #expect(CVPixelBufferGetWidth(rendered) == CVPixelBufferGetWidth(frame))
            let (before, after) = (try Self.middle(of: frame), try Self.middle(of: rendered))
            #expect(after[2] == 0 && after[0] == before[0] && after[1] == before[1] && before[2] > 0)
            let small = try #require(renderer.thumbnail(frame, side: 24))
            #expect(small.width == 24 && small.height == 24 && renderer.jpeg(frame)?.starts(with: [0xFF, 0xD8]) == true)
            #expect(facts(of: device) == "f/1.5, no boost, several cameras")
        }
    }

    /// Blue, green, red and alpha of the middle pixel of a BGRA buffer.
    private static func middle(of buffer: CVPixelBuffer) throws -> [UInt8] {
        let row = CVPixelBufferGetHeight(buffer) / 2 * CVPixelBufferGetBytesPerRow(buffer)
        let pixel = try #require(CVPixelBufferGetBaseAddress(buffer)) + row + CVPixelBufferGetWidth(buffer) / 2 * 4
        return (0..<4).map { pixel.load(fromByteOffset: $0, as: UInt8.self) }
    }

    private static func format(of frame: CVPixelBuffer) throws -> CMFormatDescription {
        var format: CMVideoFormatDescription?
        CMVideoFormatDescriptionCreateForImageBuffer(allocator: kCFAllocatorDefault, imageBuffer: frame, formatDescriptionOut: &format)
        return try #require(format)
    }

    /// Keeps the last frame.
    private final class FrameKeeper: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, @unchecked Sendable {
        private let lock = NSLock()
        private var kept: CVPixelBuffer?
        var frame: CVPixelBuffer? { lock.withLock { kept } }

        func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
            lock.withLock { kept = sampleBuffer.imageBuffer }
        }
    }

    @Test("overrides its session, and does work in order on a serial queue")
    func overrides() async throws {
        try await withTestPhone(showing: stage) { _ in
            let session = CountedSession()
            #expect(!session.canAddOutput(AVCaptureAudioDataOutput()) && session.canAddOutput(AVCaptureVideoDataOutput()))
        }
        #expect(Shapes.inOrder(5) == [0, 1, 2, 3, 4])
    }

    @Test("draws thumbnails and marks, and finds what lies within an outline")
    func drawing() throws {
        let region = ScanRegion(in: CGRect(x: 10, y: 10, width: 100, height: 60))
        #expect(region.holds([CGPoint(x: 20, y: 20), CGPoint(x: 60, y: 20), CGPoint(x: 60, y: 50)]))
        #expect(!region.holds([CGPoint(x: 11, y: 11), CGPoint(x: 60, y: 20), CGPoint(x: 60, y: 50)]))
        #expect(region.kinds.first == .moveToPoint && region.kinds.last == .closeSubpath && region.kinds.contains(.addCurveToPoint))
        var buffer: CVPixelBuffer?
        CVPixelBufferCreate(kCFAllocatorDefault, 32, 16, kCVPixelFormatType_32BGRA, nil, &buffer)
        let frame = try #require(buffer)
        memset(try #require(CVPixelBufferGetBaseAddress(frame)), 255, CVPixelBufferGetDataSize(frame))
        Sketches.mark(CGPoint(x: 6, y: 6), radius: 6, on: frame)
        let small = try #require(Pictures.image(of: frame).flatMap { Sketches.thumbnail(of: $0, side: 16) })
        let bytes = try #require(small.dataProvider?.data)
        // The picture fills rows 4 to 11; the disc was in its upper left.
        #expect(Array(bytes[6 * small.bytesPerRow + 8..<6 * small.bytesPerRow + 11]) == [255, 204, 0])
        #expect(bytes[9 * small.bytesPerRow + 48] == 255 && bytes[2 * small.bytesPerRow + 48] == 0)
    }

    @Test("names metadata by key and name space, and makes samples of its own")
    func samples() throws {
        let items = Samples.items(title: "Take", model: "Phone")
        #expect(items.map(\.identifier) == [.commonIdentifierTitle, .quickTimeMetadataModel] && items.map(\.stringValue) == ["Take", "Phone"])
        let pool = try #require(Samples.buffers([kCVPixelBufferWidthKey: 8, kCVPixelBufferHeightKey: 4, kCVPixelBufferPixelFormatTypeKey: 32]))
        #expect(CVPixelBufferPoolGetPixelBufferAttributes(pool) != nil)
        var buffer: CVPixelBuffer?
        CVPixelBufferCreate(kCFAllocatorDefault, 8, 4, kCVPixelFormatType_32BGRA, nil, &buffer)
        let picture = try #require(buffer)
        let sample = try #require(Samples.sample(of: picture, at: CMTime(value: 3, timescale: 30)))
        CMSetAttachment(sample, key: "unit" as CFString, value: 1, attachmentMode: kCMAttachmentMode_ShouldPropagate)
        #expect(Samples.marks(of: sample) == (["unit"], true))
        let format = try #require(sample.formatDescription)
        #expect(Samples.codec(of: format) == "other" && Samples.primaries(of: format) == nil && Samples.noTrack == 0)
    }

    @Test("sends parameter sets, and slows a part of a movie down")
    func streams() async throws {
        let sets: [[UInt8]] = [
            [0x67, 0x42, 0xC0, 0x0D, 0xD9, 0x01, 0x41, 0x9F, 0x9F, 0x01, 0x10, 0, 0, 3, 0, 0x10, 0, 0, 3, 3, 0xC0, 0xF1, 0x42, 0xA4, 0x80],
            [0x68, 0xCB, 0x83, 0xCB, 0x20],
        ]
        let description = try sets[0].withUnsafeBufferPointer { first in
            try sets[1].withUnsafeBufferPointer { second in
                var made: CMFormatDescription?
                CMVideoFormatDescriptionCreateFromH264ParameterSets(
                    allocator: nil, parameterSetCount: 2, parameterSetPointers: [first.baseAddress!, second.baseAddress!],
                    parameterSetSizes: sets.map(\.count), nalUnitHeaderLength: 4, formatDescriptionOut: &made)
                return try #require(made)
            }
        }
        #expect(parameterSets(of: description) == sets.map { Data($0) })
        let none = CMTimeRange(start: .zero, duration: CMTime(value: 1, timescale: 1))
        await #expect(throws: AVError.self) { try await slowed(AVMutableComposition(), none, by: 2) }
    }

    @Test("lists the cameras and options of the phone")
    func options() async throws {
        try await withTestPhone(showing: stage) { phone in
            let (session, output) = (AVCaptureSession(), AVCapturePhotoOutput())
            let device = try #require(AVCaptureDevice.default(for: .video))
            session.addInput(try AVCaptureDeviceInput(device: device))
            session.addOutput(output)
            let options = CameraOptions(of: session, photos: output)
            #expect(options.names.count >= 5 && options.options == ["JPEG"] && phone.violations.isEmpty)
        }
    }

    @Test("uses the names that AVFoundation, SwiftUI and Photos bring with them on a phone")
    func lentNames() async throws {
        try await withTestPhone(showing: stage) { phone in
            let session = AVCaptureSession()
            session.addInput(try AVCaptureDeviceInput(device: try #require(AVCaptureDevice.default(for: .video))))
            let photos = AVCapturePhotoOutput()
            session.addOutput(photos)
            let model = ScannerModel(session: session)
            session.startRunning()
            #expect(model.isScanning && model.device != nil)
            model.take("https://example.com")
            #expect(model.code != nil)
            let shot = PhotoWait()
            photos.capturePhoto(with: AVCapturePhotoSettings(), delegate: shot)
            await phone.step(for: .milliseconds(100))
            let photo = try #require(shot.photo)
            let facts = ScannerModel.facts(of: photo)
            #expect(facts.orientation != nil && (facts.exposure ?? 0) > 0)
            #expect(PhotoParts().matte(of: photo) == nil && PhotoParts().file(of: .black) == nil)
            let preview = PhotoPreview()
            preview.show(try #require(photo.fileDataRepresentation()))
            #expect(preview.picture != nil && preview.shown != nil)
            session.stopRunning()
            #expect(!model.isScanning)
        }
        let recipe = PhotoPreview.recipe(width: 4, height: 2)
        #expect(recipe.size == CGSize(width: 4, height: 2) && recipe.cgImage == nil && recipe.jpegData(compressionQuality: 1) == nil)
        #expect(PhotoParts().shutter(URL(filePath: "/shutter.caf")) != PhotoParts().shutter(URL(filePath: "/shutter.caf")))
        let (preview, file, raw) = ScannerModel.names(of: AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.hevc]))
        #expect(preview.contains { $0.uint32Value == kCVPixelFormatType_32BGRA } && file == .jpg && raw == nil)
        let plain = AVCapturePhotoSettings(format: [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA])
        #expect(ScannerModel.names(of: plain).file == nil)
    }

    @Test("follows how a phone is held, and makes pages of its photos")
    @MainActor func heldPhone() async throws {
        let (motion, conditions) = (MotionConditions(), UIKitConditions())
        try await MotionConditions.$scoped.withValue(motion) {
            let level = LevelModel()
            level.start()
            motion.hold(gravity: CMAcceleration(x: -1, y: 0, z: 0))
            while level.orientation != .landscapeLeft { await Task.yield() }
            let pitch = try #require(level.pitch)
            #expect(level.degrees == -90 && abs(pitch) < 1e-6)
            level.stop()
        }
        let scratch = try Scratch()
        let folder = scratch.url
        try UIKitConditions.$scoped.withValue(conditions) {
            conditions.enterForeground()
            conditions.turn(to: .landscapeRight)
            #expect(LevelModel.interface == .landscapeLeft)
            let photo = CIImage(color: .red).cropped(to: CGRect(x: 0, y: 0, width: 64, height: 48))
            let corners = [CGPoint(x: 8, y: 40), CGPoint(x: 56, y: 40), CGPoint(x: 56, y: 8), CGPoint(x: 8, y: 8)]
            let page = try #require(PageScanner().page(photo, corners))
            PhotoLibraryFolder.$current.withValue(PhotoLibraryFolder(at: folder)) { PageScanner().keep(page) }
            #expect(conditions.savedImages.map(\.size) == [CGSize(width: 48, height: 32)])
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: "IMG_0001.JPG").path))
        }
        var frame: CVPixelBuffer?
        CVPixelBufferCreate(kCFAllocatorDefault, 8, 4, kCVPixelFormatType_32BGRA, nil, &frame)
        let made = try #require(frame)
        CIContext().render(CIImage(color: .red), to: made, bounds: CGRect(x: 0, y: 0, width: 8, height: 4), colorSpace: nil)
        #expect(NetworkInput().bytes(of: made, side: 3).map { [UInt8]($0) } == [[UInt8]](repeating: [255, 0, 0], count: 9).flatMap { $0 })
        #expect(NetworkInput.isMovie("com.apple.quicktime-movie") && !NetworkInput.isMovie("public.jpeg"))
    }

    @Test("keeps a model with SwiftUI's values")
    @MainActor func models() async throws {
        let model = CameraScreenModel()
        model.toggle()
        #expect(model.isRecording && model.flash == .off && model.tint != .white)
        try await withTestPhone { _ in
            let device = try #require(AVCaptureDevice.default(for: .video))
            let zoom = model.zoom(of: device)
            zoom.wrappedValue = 2
            #expect(device.videoZoomFactor == 2)
        }
    }
}

/// Receiver of one photo.
private final class PhotoWait: NSObject, AVCapturePhotoCaptureDelegate, @unchecked Sendable {
    var photo: AVCapturePhoto?
    func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?) { self.photo = photo }
}
