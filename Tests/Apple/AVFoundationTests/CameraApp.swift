import AVFoundation
import Synchronization
import TestSupport
import Testing

/// A camera app as small as one gets, in the shape of Apple's: what it sees, it keeps.
final class CameraApp: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, AVCaptureMetadataOutputObjectsDelegate, @unchecked Sendable {
    struct Seen: Sendable {
        var metadata: [(objects: [AVMetadataObject], queue: String)] = []
        var samples: [(buffer: CMSampleBuffer, queue: String)] = []
        var errors: [AVError] = []
        var events: [String] = []
    }

    let session = AVCaptureSession()
    let device: AVCaptureDevice
    let input: AVCaptureDeviceInput
    let metadataOutput = AVCaptureMetadataOutput()
    let videoOutput = AVCaptureVideoDataOutput()
    let queue = DispatchQueue(label: "camera app")
    let seen = Mutex(Seen())
    private static let label = DispatchSpecificKey<String>()
    private let ended = DispatchSemaphore(value: 0)
    private var observations: [any NSObjectProtocol] = []
    var onMetadata: (@Sendable ([AVMetadataObject]) -> Void)?
    var onSample: (@Sendable (CMSampleBuffer) -> Void)?

    init(isCinematic: Bool = true) throws {
        device = try #require(AVCaptureDevice.default(.builtInDualWideCamera, for: .video, position: .back))
        input = try AVCaptureDeviceInput(device: device)
        super.init()
        queue.setSpecific(key: Self.label, value: queue.label)
        session.addInput(input)
        input.isCinematicVideoCaptureEnabled = isCinematic
        session.addOutput(metadataOutput)
        metadataOutput.metadataObjectTypes = metadataOutput.requiredMetadataObjectTypesForCinematicVideoCapture
        metadataOutput.setMetadataObjectsDelegate(self, queue: queue)
        session.addOutput(videoOutput)
        videoOutput.setSampleBufferDelegate(self, queue: queue)
        observe(AVCaptureSession.didStartRunningNotification, "started")
        observe(AVCaptureSession.didStopRunningNotification, "stopped")
        observe(AVCaptureSession.runtimeErrorNotification, "error")
    }

    deinit { observations.forEach { NotificationCenter.default.removeObserver($0) } }

    private func observe(_ name: Notification.Name, _ event: String) {
        let token = NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) { [weak self] notification in
            guard let self else { return }
            let error = notification.userInfo?[AVCaptureSessionErrorKey] as? AVError
            seen.withLock { seen in
                seen.events.append(event)
                if let error { seen.errors.append(error) }
            }
            if event == "stopped" { ended.signal() }
        }
        observations.append(token)
    }

    /// Runs to the end of the source.
    func run() throws {
        session.startRunning()
        try #require(ended.wait(timeout: .now() + patience) == .success, "the session did not stop by itself")
    }

    func configure(_ body: (AVCaptureDevice) -> Void) {
        try! device.lockForConfiguration()
        body(device)
        device.unlockForConfiguration()
    }

    func metadataOutput(_ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject], from connection: AVCaptureConnection) {
        let label = DispatchQueue.getSpecific(key: Self.label) ?? "another queue"
        seen.withLock { $0.metadata.append((metadataObjects, label)) }
        onMetadata?(metadataObjects)
    }

    func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        let label = DispatchQueue.getSpecific(key: Self.label) ?? "another queue"
        seen.withLock { $0.samples.append((sampleBuffer, label)) }
        onSample?(sampleBuffer)
    }

    var samples: [CMSampleBuffer] { seen.withLock { $0.samples.map(\.buffer) } }
    var metadata: [[AVMetadataObject]] { seen.withLock { $0.metadata.map(\.objects) } }
    var events: [String] { seen.withLock { $0.events } }
    var errors: [AVError] { seen.withLock { $0.errors } }
}
