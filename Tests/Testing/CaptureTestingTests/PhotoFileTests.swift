import AVFoundation
import CaptureTesting
import ClientApp
import Foundation
import Synchronization
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
