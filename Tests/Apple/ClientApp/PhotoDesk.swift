import AVFoundation

/// Photos of an app: an actor that is the output's own delegate, and therefore an NSObject.
public actor PhotoDesk: NSObject, AVCapturePhotoCaptureDelegate {
    private var waiting: [CheckedContinuation<Data?, Never>] = []
    public private(set) var failures = 0
    /// Number of photos asked for, finished or not.
    public private(set) var requests = 0

    public override init() { super.init() }

    /// Takes a photo and returns its file; nil where it failed.
    public func take(_ settings: AVCapturePhotoSettings, with output: AVCapturePhotoOutput) async -> Data? {
        await withCheckedContinuation { continuation in
            waiting.append(continuation)
            output.capturePhoto(with: settings, delegate: self)
            requests += 1
        }
    }

    nonisolated public func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?) {
        let data = error == nil ? photo.fileDataRepresentation() : nil
        Task { await finish(data) }
    }

    private func finish(_ data: Data?) {
        if data == nil { failures += 1 }
        guard !waiting.isEmpty else { return }
        waiting.removeFirst().resume(returning: data)
    }
}
