import AVFoundation
import Foundation

// A camera of depth, as a stranger writes it.

/// Tells how far away the middle of the picture is, and where there is somebody.
final class DepthCamera: NSObject, AVCaptureDataOutputSynchronizerDelegate, @unchecked Sendable {
    struct Reading: Sendable {
        var time: CMTime
        var metres: Float
        var faces: Int
        var hasCalibration: Bool
    }

    let session = AVCaptureSession()
    private let videoOutput = AVCaptureVideoDataOutput()
    private let depthOutput = AVCaptureDepthDataOutput()
    private let metadataOutput = AVCaptureMetadataOutput()
    private var synchronizer: AVCaptureDataOutputSynchronizer?
    private let queue = DispatchQueue(label: "depth.frames", qos: .userInitiated)
    private let lock = NSLock()
    private var kept: [Reading] = []
    var readings: [Reading] { lock.withLock { kept } }

    func start() throws {
        let types: [AVCaptureDevice.DeviceType] = [.builtInLiDARDepthCamera, .builtInDualWideCamera, .builtInTrueDepthCamera]
        guard let device = AVCaptureDevice.DiscoverySession(deviceTypes: types, mediaType: .video, position: .unspecified).devices.first else {
            throw AVError(.deviceNotConnected)
        }
        session.beginConfiguration()
        session.sessionPreset = .vga640x480
        session.addInput(try AVCaptureDeviceInput(device: device))
        for output in [videoOutput, depthOutput, metadataOutput] as [AVCaptureOutput] where session.canAddOutput(output) { session.addOutput(output) }
        videoOutput.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: Int(kCVPixelFormatType_32BGRA)]
        depthOutput.isFilteringEnabled = true
        depthOutput.connection(with: .depthData)?.isEnabled = true
        if metadataOutput.availableMetadataObjectTypes.contains(.face) { metadataOutput.metadataObjectTypes = [.face] }
        let depths = device.activeFormat.supportedDepthDataFormats
        let best = depths.filter { CMFormatDescriptionGetMediaSubType($0.formatDescription) == kCVPixelFormatType_DepthFloat32 }.max {
            CMVideoFormatDescriptionGetDimensions($0.formatDescription).width < CMVideoFormatDescriptionGetDimensions($1.formatDescription).width
        }
        if let format = best ?? depths.first {
            try device.lockForConfiguration()
            device.activeDepthDataFormat = format
            device.unlockForConfiguration()
        }
        session.commitConfiguration()
        let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [videoOutput, depthOutput, metadataOutput])
        synchronizer.setDelegate(self, queue: queue)
        self.synchronizer = synchronizer
        session.startRunning()
    }

    func dataOutputSynchronizer(
        _ synchronizer: AVCaptureDataOutputSynchronizer, didOutput synchronizedDataCollection: AVCaptureSynchronizedDataCollection
    ) {
        guard let depth = synchronizedDataCollection.synchronizedData(for: depthOutput) as? AVCaptureSynchronizedDepthData,
            let video = synchronizedDataCollection.synchronizedData(for: videoOutput) as? AVCaptureSynchronizedSampleBufferData,
            !depth.depthDataWasDropped, !video.sampleBufferWasDropped
        else { return }
        var data = depth.depthData
        if data.depthDataType != kCVPixelFormatType_DepthFloat32 { data = data.converting(toDepthDataType: kCVPixelFormatType_DepthFloat32) }
        let map = data.depthDataMap
        CVPixelBufferLockBaseAddress(map, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(map, .readOnly) }
        let row = CVPixelBufferGetHeight(map) / 2
        guard let base = CVPixelBufferGetBaseAddress(map) else { return }
        let pixels = (base + row * CVPixelBufferGetBytesPerRow(map)).assumingMemoryBound(to: Float32.self)
        let objects = synchronizedDataCollection[metadataOutput] as? AVCaptureSynchronizedMetadataObjectData
        let reading = Reading(
            time: depth.timestamp, metres: pixels[CVPixelBufferGetWidth(map) / 2], faces: objects?.metadataObjects.count ?? 0,
            hasCalibration: data.cameraCalibrationData != nil)
        lock.withLock { kept.append(reading) }
    }
}
