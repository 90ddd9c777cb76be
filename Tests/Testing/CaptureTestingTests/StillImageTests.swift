import AVFoundation
import CaptureTesting
import ImageIO
import Synchronization
import Testing

/// Files and errors of an app's photos.
private final class Album: Sendable {
    let files = Mutex<[Data]>([])
    let errors = Mutex<[any Error]>([])
    /// Receivers of photos, which outputs hold weakly.
    let receivers = Mutex<[any AVCapturePhotoCaptureDelegate & Sendable]>([])
}

/// App of before 2017. What it calls is deprecated, which a witness may do without a warning.
private protocol OlderApp {
    static func makeOutput() -> AVCaptureOutput
    static func shoot(with output: AVCaptureOutput, into album: Album)
}

private enum StillImageApp: OlderApp {
    @available(*, deprecated) static func makeOutput() -> AVCaptureOutput { AVCaptureStillImageOutput() }

    @available(*, deprecated) static func shoot(with output: AVCaptureOutput, into album: Album) {
        guard let output = output as? AVCaptureStillImageOutput, let connection = output.connection(with: .video) else { return }
        output.outputSettings = [AVVideoCodecKey: AVVideoCodecType.jpeg]
        output.captureStillImageAsynchronously(from: connection) { sample, error in
            if let error { album.errors.withLock { $0.append(error) } }
            guard let sample, let file = AVCaptureStillImageOutput.jpegStillImageNSDataRepresentation(sample) else { return }
            album.files.withLock { $0.append(file) }
        }
    }
}

private enum SampleBufferApp: OlderApp {
    static func makeOutput() -> AVCaptureOutput { AVCapturePhotoOutput() }

    static func shoot(with output: AVCaptureOutput, into album: Album) {
        let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
        let receiver = Receiver(album)
        album.receivers.withLock { $0.append(receiver) }
        (output as? AVCapturePhotoOutput)?.capturePhoto(with: settings, delegate: receiver)
    }

    private final class Receiver: NSObject, AVCapturePhotoCaptureDelegate, Sendable {
        /// Holds this receiver.
        unowned let album: Album
        init(_ album: Album) { self.album = album }

        @available(*, deprecated) func photoOutput(
            _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photoSampleBuffer: CMSampleBuffer?,
            previewPhoto previewPhotoSampleBuffer: CMSampleBuffer?, resolvedSettings: AVCaptureResolvedPhotoSettings,
            bracketSettings: AVCaptureBracketedStillImageSettings?, error: (any Error)?
        ) {
            if let error { album.errors.withLock { $0.append(error) } }
            guard let photoSampleBuffer else { return }
            let file = AVCapturePhotoOutput.jpegPhotoDataRepresentation(
                forJPEGSampleBuffer: photoSampleBuffer, previewPhotoSampleBuffer: previewPhotoSampleBuffer)
            if let file { album.files.withLock { $0.append(file) } }
        }
    }
}

@Suite("Photos of older apps")
struct StillImageTests {
    private static func app(_ index: Int) -> any OlderApp.Type { index == 0 ? StillImageApp.self : SampleBufferApp.self }

    @Test("come as sample buffers that hold a JPEG file of the frame, and fail where the session stops first", arguments: [0, 1])
    func sampleBuffers(index: Int) async throws {
        let (app, album) = (Self.app(index), Album())
        try await withTestPhone { phone in
            let session = AVCaptureSession()
            let device = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
            let output = app.makeOutput()
            session.sessionPreset = .low
            session.addInput(try AVCaptureDeviceInput(device: device))
            try #require(session.canAddOutput(output))
            session.addOutput(output)
            #expect(!session.canAddOutput(Self.app(1 - index).makeOutput()))
            session.startRunning()
            app.shoot(with: output, into: album)
            await phone.step(frames: 2)
            let file = try #require(album.files.withLock { $0.first })
            let source = try #require(CGImageSourceCreateWithData(file as CFData, nil))
            let image = try #require(CGImageSourceCreateImageAtIndex(source, 0, nil))
            #expect(CGImageSourceGetType(source) == "public.jpeg" && image.width == 192 && image.height == 144)

            app.shoot(with: output, into: album)
            session.stopRunning()
            try await phone.until(within: .seconds(1)) { album.errors.withLock { $0.count } == 1 }
            #expect(album.files.withLock { $0.count } == 1)
        }
    }
}
