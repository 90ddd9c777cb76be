import AVFoundation
import CaptureTesting
import ClientApp
import CoreVideo
import Foundation
import ImageIO
import Photos
import Synchronization
import TestSupport
import Testing

@Suite("Photos of a test's phone")
struct PhotoFileTests {
    private let stage = TestStage(.face("maya", box: CGRect(x: 0.4, y: 0.3, width: 0.2, height: 0.4), depth: 2))

    private final class Camera {
        let session = AVCaptureSession()
        let output = AVCapturePhotoOutput()

        init(_ position: AVCaptureDevice.Position) throws {
            let device = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: position))
            session.beginConfiguration()
            session.sessionPreset = .low
            session.addInput(try AVCaptureDeviceInput(device: device))
            session.addOutput(output)
            session.commitConfiguration()
            session.startRunning()
        }
    }

    @Test("have a file of real pixels in every codec that a phone lists", arguments: [AVVideoCodecType.hevc, .jpeg])
    func files(codec: AVVideoCodecType) async throws {
        try await withTestPhone(showing: stage) { phone in
            let camera = try Camera(.front)
            #expect(camera.output.availablePhotoCodecTypes == [.hevc, .jpeg])
            let (desk, output) = (PhotoDesk(), camera.output)
            async let file = desk.take(AVCapturePhotoSettings(format: [AVVideoCodecKey: codec]), with: output)
            try await phone.until(within: .zero) { await desk.requests == 1 }
            await phone.step(frames: 2)
            let data = try #require(await file)
            #expect(data.starts(with: [0xFF, 0xD8]) && data.suffix(2) == Data([0xFF, 0xD9]) && data.count < 192 * 144)
        }
    }

    @Test("asked for in a pixel format have a PNG file")
    func pixelFormat() async throws {
        try await withTestPhone(showing: stage) { phone in
            let (camera, keeper) = (try Camera(.front), Keeper())
            let format = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange]
            camera.output.capturePhoto(with: AVCapturePhotoSettings(format: format), delegate: keeper)
            await phone.step(frames: 2)
            let data = try #require(keeper.photos.withLock { $0.first }?.fileDataRepresentation())
            // Signature, and width and height in the header.
            #expect(data.prefix(8) == Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
            #expect([UInt8](data[16..<24]) == [0, 0, 0, 192, 0, 0, 0, 144] && data.count > 192 * 144 * 3)
            #expect(data.suffix(12) == Data([0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]))
        }
    }

    private final class Keeper: NSObject, AVCapturePhotoCaptureDelegate, Sendable {
        let photos = Mutex<[AVCapturePhoto]>([])
        func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?) {
            photos.withLock { $0.append(photo) }
        }
    }

    @Test("as JPEG decode to the picture, with the properties of the photo")
    func jpeg() async throws {
        var painted = stage
        painted.paintsPictures = true
        try await withTestPhone(showing: painted) { phone in
            let (camera, keeper) = (try Camera(.back), Keeper())
            let connection = try #require(camera.output.connection(with: .video))
            connection.videoRotationAngle = 90
            camera.output.capturePhoto(with: AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg]), delegate: keeper)
            await phone.step(frames: 2)
            let photo = try #require(keeper.photos.withLock { $0.first })
            let data = try #require(photo.fileDataRepresentation())
            let source = try #require(CGImageSourceCreateWithData(data as CFData, nil))
            #expect(CGImageSourceGetType(source) == "public.jpeg")
            let decoded = try #require(CGImageSourceCreateImageAtIndex(source, 0, nil))
            let image = try #require(photo.cgImageRepresentation())
            try #require(decoded.width == 192 && decoded.height == 144 && image.width == 192 && decoded.bitsPerPixel == 32)
            let bytes = [UInt8](try #require(decoded.dataProvider?.data))
            let wanted = [UInt8](try #require(image.dataProvider?.data))
            // RGBA beside BGRA.
            var (difference, brightest, darkest) = (0, 0, 255)
            for y in 0..<144 {
                for x in 0..<192 {
                    for component in 0..<3 {
                        let value = Int(bytes[y * decoded.bytesPerRow + 4 * x + component])
                        difference += abs(value - Int(wanted[y * image.bytesPerRow + 4 * x + 2 - component]))
                        (brightest, darkest) = (max(brightest, value), min(darkest, value))
                    }
                }
            }
            #expect(difference < 3 * 3 * 192 * 144 && brightest - darkest > 60, "\(difference)")
            let properties = try #require(CGImageSourceCopyPropertiesAtIndex(source, 0, nil))
            let exif = try #require(properties[kCGImagePropertyExifDictionary] as? [String: Any])
            #expect(properties[kCGImagePropertyOrientation] as? Int == 6)
            #expect(exif["FNumber"] as? Double == (photo.metadata["{Exif}"] as? [String: Any])?["FNumber"] as? Double)
        }
    }

    @Test("have a bitmap of their preview, whatever its pixel format")
    func previews() async throws {
        try await withTestPhone(showing: stage) { phone in
            let (camera, keeper) = (try Camera(.back), Keeper())
            let formats = AVCapturePhotoSettings().availablePreviewPhotoPixelFormatTypes
            for format in formats {
                let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
                settings.previewPhotoFormat = [
                    kCVPixelBufferPixelFormatTypeKey as String: format, kCVPixelBufferWidthKey as String: 96, kCVPixelBufferHeightKey as String: 96,
                ]
                camera.output.capturePhoto(with: settings, delegate: keeper)
                await phone.step(frames: 2)
            }
            let photos = keeper.photos.withLock { $0 }
            try #require(photos.count == formats.count && formats.count > 2)
            for photo in photos {
                let (preview, size) = (try #require(photo.previewCGImageRepresentation()), photo.resolvedSettings.previewDimensions)
                #expect(preview.width == Int(size.width) && preview.height == Int(size.height) && preview.width < 192 && preview.bitsPerPixel == 32)
            }
        }
    }

    @Test("have numbers that an app reads as any type of number, and codecs that it reads as texts")
    func numbers() async throws {
        try await withTestPhone(showing: stage) { phone in
            let (camera, keeper) = (try Camera(.back), Keeper())
            let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
            #expect(settings.format?[AVVideoCodecKey] as? String == "jpeg" && settings.format?[AVVideoCodecKey] as? AVVideoCodecType == .jpeg)
            settings.metadata = ["{GPS}": ["Latitude": 48.5, "LatitudeRef": "N"]]
            camera.output.capturePhoto(with: settings, delegate: keeper)
            await phone.step(frames: 2)
            let photo = try #require(keeper.photos.withLock { $0.first })
            let data = try #require(photo.fileDataRepresentation())
            let source = try #require(CGImageSourceCreateWithData(data as CFData, nil))
            let read = try #require(CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as? [String: Any])
            for properties in [photo.metadata, read] {
                let orientation = properties[kCGImagePropertyOrientation as String]
                #expect(orientation as? UInt32 == 1 && orientation as? Int == 1 && (orientation as? NSNumber)?.int32Value == 1)
                let exif = try #require(properties[kCGImagePropertyExifDictionary as String] as? [String: Any])
                #expect(exif["PixelXDimension"] as? Int == 192 && (exif["PixelXDimension"] as? NSNumber)?.doubleValue == 192)
                let speeds = try #require(exif["ISOSpeedRatings"] as? [NSNumber])
                #expect(exif["ISOSpeedRatings"] as? [Int] == [speeds[0].intValue])
                let place = try #require(properties["{GPS}"] as? [String: Any])
                #expect((place["Latitude"] as? NSNumber)?.doubleValue == 48.5 && place["Latitude"] as? Double == 48.5)
            }
        }
    }

    @Test("go to the library of their test from a delegate on the app's own queue")
    func library() async throws {
        let folders = [try Scratch(), try Scratch()]
        // The library about the phone, and within it.
        try await PhotoLibraryFolder.$current.withValue(PhotoLibraryFolder(at: folders[0].url)) {
            try await withTestPhone(showing: stage) { try await save(with: $0) }
        }
        try await withTestPhone(showing: stage) { phone in
            try await PhotoLibraryFolder.$current.withValue(PhotoLibraryFolder(at: folders[1].url)) { try await save(with: phone) }
        }
        for folder in folders { #expect(try folder.names == ["IMG_0001.JPG"]) }
    }

    private func save(with phone: TestPhone) async throws {
        let (saver, queue) = (Saver(), DispatchQueue(label: "session"))
        queue.async { saver.start() }
        try await phone.until(within: .seconds(1)) { saver.isRunning }
        queue.async { saver.shoot() }
        try await phone.until(within: .seconds(1)) { saver.isSaved }
    }

    /// App that saves what its delegate gets.
    private final class Saver: NSObject, AVCapturePhotoCaptureDelegate, @unchecked Sendable {
        /// Used on the app's queue alone.
        private var camera: Camera?
        private let running = Mutex(false)
        private let saved = Mutex(false)
        var isRunning: Bool { running.withLock { $0 } }
        var isSaved: Bool { saved.withLock { $0 } }

        func start() {
            camera = try? Camera(.back)
            running.withLock { $0 = camera?.session.isRunning == true }
        }

        func shoot() { camera?.output.capturePhoto(with: AVCapturePhotoSettings(), delegate: self) }

        func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?) {
            guard let data = photo.fileDataRepresentation() else { return }
            PHPhotoLibrary.requestAuthorization { status in
                guard status == .authorized else { return }
                PHPhotoLibrary.shared().performChanges {
                    PHAssetCreationRequest.forAsset().addResource(with: .photo, data: data, options: nil)
                } completionHandler: { isDone, _ in
                    self.saved.withLock { $0 = isDone }
                }
            }
        }
    }

    private final class Customizer: NSObject, AVCapturePhotoFileDataRepresentationCustomizer {
        let metadata: [String: Any]?
        init(_ metadata: [String: Any]?) { self.metadata = metadata }
        func replacementMetadata(for photo: AVCapturePhoto) -> [String: Any]? { metadata }
    }

    private final class Keeping: NSObject, AVCapturePhotoFileDataRepresentationCustomizer {}

    private func properties(_ file: Data?) throws -> [String: [String: Any]] {
        let data = try #require(file)
        let source = try #require(CGImageSourceCreateWithData(data as CFData, nil))
        let properties = try #require(CGImageSourceCopyPropertiesAtIndex(source, 0, nil))
        var result: [String: [String: Any]] = [:]
        for name in ["{Exif}", "{TIFF}", "{GPS}"] { result[name] = properties[name] as? [String: Any] }
        return result
    }

    @Test("have the properties that the app adds in its settings, or puts in the place of all", arguments: [true, false])
    func properties(isPixelFormat: Bool) async throws {
        try await withTestPhone(showing: stage) { phone in
            let (camera, keeper) = (try Camera(.back), Keeper())
            let settings = AVCapturePhotoSettings(
                format: isPixelFormat
                    ? [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange]
                    : [AVVideoCodecKey: AVVideoCodecType.jpeg])
            settings.metadata = ["{GPS}": ["Latitude": 48.5, "LatitudeRef": "N"], "{TIFF}": ["Artist": "Maya"]]
            camera.output.capturePhoto(with: settings, delegate: keeper)
            await phone.step(frames: 2)
            let photo = try #require(keeper.photos.withLock { $0.first })
            #expect((photo.metadata["{GPS}"] as? [String: Any])?["Latitude"] as? Double == 48.5)

            let own = try properties(photo.fileDataRepresentation())
            #expect(own["{GPS}"]?["Latitude"] as? Double == 48.5 && own["{GPS}"]?["LatitudeRef"] as? String == "N")
            #expect(own["{TIFF}"]?["Artist"] as? String == "Maya" && own["{TIFF}"]?["Model"] as? String == "Back Camera")
            #expect((own["{Exif}"]?["DateTimeOriginal"] as? String)?.hasPrefix("2001:01:01 00:00:00") == true && own["{Exif}"]?["FNumber"] != nil)
            #expect(photo.fileDataRepresentation(with: Keeping()) == photo.fileDataRepresentation())

            let replaced = try properties(photo.fileDataRepresentation(with: Customizer(["{TIFF}": ["Artist": "Ben"]])))
            #expect(replaced["{TIFF}"]?["Artist"] as? String == "Ben" && replaced["{TIFF}"]?["Model"] == nil && replaced["{GPS}"] == nil)
            #expect(try properties(photo.fileDataRepresentation(with: Customizer(nil))).isEmpty)
        }
    }

    @Test("are bitmaps, too")
    func bitmaps() async throws {
        try await withTestPhone(showing: stage) { phone in
            let (camera, keeper) = (try Camera(.back), Keeper())
            camera.output.capturePhoto(with: AVCapturePhotoSettings(), delegate: keeper)
            await phone.step(frames: 2)
            let photo = try #require(keeper.photos.withLock { $0.first })
            let image = try #require(photo.cgImageRepresentation())
            #expect(image.width == 192 && image.height == 144 && image.bitsPerPixel == 32 && image.byteOrderInfo == .order32Little)
            #expect(photo.previewCGImageRepresentation() == nil && photo.resolvedSettings.livePhotoMovieDimensions.width == 0)
        }
    }
}
