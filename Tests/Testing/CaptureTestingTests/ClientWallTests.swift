import AVFoundation
import CaptureTesting
import Testing

/// Walls that public clients met when they first ran here, after the measurement that `ClientUnits` stands for.
@Suite("A client that runs")
struct ClientWallTests {
    @Test("finds the front wide camera that phones have beside the one for portraits")
    func frontCamera() async throws {
        try await withTestPhone { _ in
            let camera = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .front))
            #expect(camera.position == .front && !camera.formats.isEmpty)
        }
    }

    @Test("starts with the photo preset, a movie and a data output, which cost what the hardware has; a movie alone costs nothing by the header")
    func costs() async throws {
        try await withTestPhone { phone in
            let (session, movie) = (AVCaptureSession(), AVCaptureMovieFileOutput())
            session.sessionPreset = .photo
            let device = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
            session.addInput(try AVCaptureDeviceInput(device: device))
            session.addOutput(movie)
            #expect(session.hardwareCost == 0)
            session.addOutput(AVCaptureVideoDataOutput())
            session.startRunning()
            #expect(session.isRunning && session.hardwareCost > 0 && session.hardwareCost <= 1 && phone.violations.isEmpty)
            #expect(movie.availableVideoCodecTypes.contains(.hevc) && movie.availableVideoCodecTypes.contains(.h264))
        }
    }
}
