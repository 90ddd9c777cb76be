import AVFCapture
import Foundation

/// Capture client with every output, whose delegates ignore their data.
final class BenchClient: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, AVCaptureMetadataOutputObjectsDelegate, Sendable {
    let session = AVCaptureSession()
    private let device: AVCaptureDevice
    private let metadata = AVCaptureMetadataOutput()
    private let video = AVCaptureVideoDataOutput()
    private let movie = AVCaptureMovieFileOutput()
    private let preview: AVCaptureVideoPreviewLayer
    private let queue = DispatchQueue(label: "bench")

    init(takesObjects: Bool, takesPictures: Bool) throws {
        guard let device = AVCaptureDevice.default(for: .video) else { throw AVError(.deviceNotConnected) }
        self.device = device
        preview = AVCaptureVideoPreviewLayer(session: session)
        super.init()
        let input = try AVCaptureDeviceInput(device: device)
        session.addInput(input)
        input.isCinematicVideoCaptureEnabled = true
        for output in [metadata, video, movie, AVCapturePhotoOutput()] { session.addOutput(output) }
        metadata.metadataObjectTypes = metadata.requiredMetadataObjectTypesForCinematicVideoCapture
        if takesObjects { metadata.setMetadataObjectsDelegate(self, queue: queue) }
        if takesPictures { video.setSampleBufferDelegate(self, queue: queue) }
    }

    /// Sets another delegate of the video data output.
    func showPictures(to delegate: any AVCaptureVideoDataOutputSampleBufferDelegate, discardsLate: Bool) {
        video.alwaysDiscardsLateVideoFrames = discardsLate
        video.setSampleBufferDelegate(delegate, queue: DispatchQueue(label: "slow"))
    }

    /// Runs the session until the source has no more frames.
    func runToTheEnd() throws {
        let ended = DispatchSemaphore(value: 0)
        let token = NotificationCenter.default.addObserver(forName: AVCaptureSession.didStopRunningNotification, object: session, queue: nil) { _ in
            ended.signal()
        }
        defer { NotificationCenter.default.removeObserver(token) }
        session.startRunning()
        // A short run may be over by now, one that never began is over without a word.
        let limit: DispatchTime = session.isRunning ? .distantFuture : .now() + 1
        guard ended.wait(timeout: limit) == .success else { throw AVError(.sessionNotRunning) }
    }

    /// Starts the session, removes and adds an output while it runs, reopens the camera, and stops.
    func reconfigure() {
        session.startRunning()
        session.beginConfiguration()
        session.removeOutput(movie)
        session.addOutput(movie)
        session.commitConfiguration()
        let inputs = session.inputs
        session.beginConfiguration()
        inputs.forEach(session.removeInput)
        session.commitConfiguration()
        inputs.forEach(session.addInput)
        session.stopRunning()
    }
}
