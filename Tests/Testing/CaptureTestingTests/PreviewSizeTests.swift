import AVFoundation
import CaptureTesting
import Foundation
import Synchronization
import Testing

@Suite("Video data beside photos")
struct PreviewSizeTests {
    private final class Viewer: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
        let session = AVCaptureSession()
        let output = AVCaptureVideoDataOutput()
        let photos = AVCapturePhotoOutput()
        let device: AVCaptureDevice
        private let last = Mutex<[Int]>([])
        var size: [Int] { last.withLock { $0 } }

        init(_ preset: AVCaptureSession.Preset) throws {
            device = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
            super.init()
            session.beginConfiguration()
            session.sessionPreset = preset
            session.addInput(try AVCaptureDeviceInput(device: device))
            session.addOutput(output)
            session.addOutput(photos)
            session.commitConfiguration()
            output.setSampleBufferDelegate(self, queue: DispatchQueue(label: "viewer"))
            session.startRunning()
        }

        func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
            guard let image = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
            last.withLock { $0 = [CVPixelBufferGetWidth(image), CVPixelBufferGetHeight(image)] }
        }
    }

    @Test("has the size of a preview in a session for photos, and photos have theirs")
    func photos() async throws {
        try await withTestPhone { phone in
            let viewer = try Viewer(.photo)
            #expect(viewer.output.automaticallyConfiguresOutputBufferDimensions && viewer.output.deliversPreviewSizedOutputBuffers)
            await phone.step()
            #expect(viewer.size == [1920, 1440] && viewer.device.activeFormat.formatDescription.dimensions.width == 4032)
            let whole = viewer.output.outputRectConverted(fromMetadataOutputRect: CGRect(x: 0, y: 0, width: 1, height: 1))
            #expect(whole == CGRect(x: 0, y: 0, width: 1920, height: 1440))
            viewer.output.connection(with: .video)?.videoRotationAngle = 90
            await phone.step()
            #expect(viewer.size == [1440, 1920])
            viewer.output.automaticallyConfiguresOutputBufferDimensions = false
            await phone.step()
            #expect(viewer.size == [3024, 4032] && !viewer.output.deliversPreviewSizedOutputBuffers)
            #expect(viewer.photos.maxPhotoDimensions.width == 4032 && phone.violations.isEmpty)
            viewer.session.stopRunning()
        }
    }

    @Test("is as large as the format in a session for movies, until Live Photos are to be taken")
    func movies() async throws {
        try await withTestPhone { phone in
            let viewer = try Viewer(.hd4K3840x2160)
            await phone.step()
            #expect(viewer.size == [3840, 2160] && !viewer.output.deliversPreviewSizedOutputBuffers)
            viewer.photos.isLivePhotoCaptureEnabled = viewer.photos.isLivePhotoCaptureSupported
            await phone.step()
            #expect(viewer.size == [1920, 1080] && phone.violations.isEmpty)
            viewer.session.stopRunning()
        }
    }
}
