import AVFoundation
import CoreImage
import CoreImage.CIFilterBuiltins
import ImageIO
import UIKit

/// Camera of portraits: shows the background blurred by a live depth map, and takes photos whose depth it keeps and focuses later.
final class PortraitCamera: NSObject, @unchecked Sendable {
    enum Setup: Error { case noDepthCamera, noDepth, cannotAdd(String) }

    /// Photo with what portrait editing needs of it.
    struct Portrait: Sendable {
        let file: Data
        /// Disparity of the upright picture, 1/m.
        let disparity: AVDepthData?
        /// Whether the phone brought a matte of the person.
        let hasMatte: Bool
        let orientation: CGImagePropertyOrientation
        let focalLengthInPixels: Float?
    }

    let session = AVCaptureSession()
    private let sessionQueue = DispatchQueue(label: "portrait.session", qos: .userInitiated)
    private let dataQueue = DispatchQueue(label: "portrait.data", qos: .userInitiated)
    private let photoOutput = AVCapturePhotoOutput()
    private let videoOutput = AVCaptureVideoDataOutput()
    private let depthOutput = AVCaptureDepthDataOutput()
    private let faceOutput = AVCaptureMetadataOutput()
    private var synchronizer: AVCaptureDataOutputSynchronizer?
    private var input: AVCaptureDeviceInput?
    private var inFlight: [Int64: PortraitTaker] = [:]
    private let context = CIContext()
    private let lock = NSLock()
    private var latest: CGImage?
    private var shownFrames = 0, lostFrames = 0
    private var nearest: Float = .nan

    /// Newest picture of the viewfinder, background blurred.
    var viewfinder: CGImage? { lock.withLock { latest } }
    var counts: (shown: Int, lost: Int) { lock.withLock { (shownFrames, lostFrames) } }
    /// Distance of whoever is nearest, metres.
    var distance: Float { lock.withLock { nearest } }
    var supports: (depth: Bool, matte: Bool, hair: Bool) {
        (
            photoOutput.isDepthDataDeliverySupported, photoOutput.isPortraitEffectsMatteDeliverySupported,
            photoOutput.availableSemanticSegmentationMatteTypes.contains(.hair)
        )
    }

    func start(at position: AVCaptureDevice.Position) async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            sessionQueue.async { [self] in
                do {
                    try configure(position)
                    session.startRunning()
                    done.resume()
                } catch {
                    done.resume(throwing: error)
                }
            }
        }
    }

    private func configure(_ position: AVCaptureDevice.Position) throws {
        let discovery = AVCaptureDevice.DiscoverySession(
            deviceTypes: [.builtInTrueDepthCamera, .builtInLiDARDepthCamera, .builtInDualCamera, .builtInDualWideCamera, .builtInTripleCamera],
            mediaType: .video, position: position)
        guard let camera = discovery.devices.first(where: { !$0.activeFormat.supportedDepthDataFormats.isEmpty }) else { throw Setup.noDepthCamera }
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        session.sessionPreset = .photo
        session.inputs.forEach(session.removeInput)
        let input = try AVCaptureDeviceInput(device: camera)
        guard session.canAddInput(input) else { throw Setup.cannotAdd("camera") }
        session.addInput(input)
        self.input = input
        let outputs: [(String, AVCaptureOutput)] = [("photos", photoOutput), ("video", videoOutput), ("depth", depthOutput), ("faces", faceOutput)]
        for (name, output) in outputs where !session.outputs.contains(output) {
            guard session.canAddOutput(output) else { throw Setup.cannotAdd(name) }
            session.addOutput(output)
        }
        videoOutput.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
        videoOutput.alwaysDiscardsLateVideoFrames = true
        depthOutput.isFilteringEnabled = true
        depthOutput.alwaysDiscardsLateDepthData = true
        guard let depthConnection = depthOutput.connection(with: .depthData) else { throw Setup.noDepth }
        depthConnection.isEnabled = true
        for connection in [videoOutput.connection(with: .video), depthConnection].compactMap({ $0 }) {
            if connection.isVideoRotationAngleSupported(90) { connection.videoRotationAngle = 90 }
            if position == .front, connection.isVideoMirroringSupported {
                connection.automaticallyAdjustsVideoMirroring = false
                connection.isVideoMirrored = true
            }
        }
        if faceOutput.availableMetadataObjectTypes.contains(.face) { faceOutput.metadataObjectTypes = [.face] }
        photoOutput.maxPhotoQualityPrioritization = .quality
        photoOutput.isDepthDataDeliveryEnabled = photoOutput.isDepthDataDeliverySupported
        photoOutput.isPortraitEffectsMatteDeliveryEnabled = photoOutput.isPortraitEffectsMatteDeliverySupported
        photoOutput.enabledSemanticSegmentationMatteTypes = photoOutput.availableSemanticSegmentationMatteTypes

        // The largest map of half floats.
        let maps = camera.activeFormat.supportedDepthDataFormats.filter {
            CMFormatDescriptionGetMediaSubType($0.formatDescription) == kCVPixelFormatType_DepthFloat16
        }
        let largest = maps.max {
            CMVideoFormatDescriptionGetDimensions($0.formatDescription).width < CMVideoFormatDescriptionGetDimensions($1.formatDescription).width
        }
        try camera.lockForConfiguration()
        if let largest { camera.activeDepthDataFormat = largest }
        camera.activeDepthDataMinFrameDuration = CMTime(value: 1, timescale: 15)
        camera.unlockForConfiguration()

        let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [videoOutput, depthOutput, faceOutput])
        synchronizer.setDelegate(self, queue: dataQueue)
        self.synchronizer = synchronizer
    }

    func stop() {
        sessionQueue.sync {
            synchronizer?.setDelegate(nil, queue: nil)
            session.stopRunning()
        }
    }

    // MARK: photos

    func shoot() async throws -> Portrait {
        let settings =
            photoOutput.availablePhotoCodecTypes.contains(.hevc)
            ? AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.hevc]) : AVCapturePhotoSettings()
        settings.isDepthDataDeliveryEnabled = photoOutput.isDepthDataDeliveryEnabled
        settings.embedsDepthDataInPhoto = true
        settings.isDepthDataFiltered = true
        settings.isPortraitEffectsMatteDeliveryEnabled = photoOutput.isPortraitEffectsMatteDeliveryEnabled
        settings.embedsPortraitEffectsMatteInPhoto = photoOutput.isPortraitEffectsMatteDeliveryEnabled
        settings.enabledSemanticSegmentationMatteTypes = photoOutput.enabledSemanticSegmentationMatteTypes
        settings.photoQualityPrioritization = .quality
        return try await withCheckedThrowingContinuation { continuation in
            sessionQueue.async { [self] in
                photoOutput.connection(with: .video)?.videoRotationAngle = 90
                let taker = PortraitTaker(continuation) { [self] id in sessionQueue.async { [self] in inFlight[id] = nil } }
                inFlight[settings.uniqueID] = taker
                photoOutput.capturePhoto(with: settings, delegate: taker)
            }
        }
    }

    /// Picture of a portrait, so many pixels wide, with what is not at the subject's distance blurred.
    func developed(_ portrait: Portrait, focus point: CGPoint, aperture: Float, width: CGFloat) -> CGImage? {
        guard let whole = CIImage(data: portrait.file, options: [.applyOrientationProperty: true]), let depth = portrait.disparity else {
            return nil
        }
        let picture = Self.scaled(whole, by: width / whole.extent.width)
        let map = CIImage(cvPixelBuffer: depth.depthDataMap)
        let inFocus = Self.value(depth.depthDataMap, at: point)
        return context.createCGImage(blurred(picture, by: map, sharpAt: inFocus, radius: Double(width) / 10 / Double(aperture)), from: picture.extent)
    }

    private static func scaled(_ picture: CIImage, by factor: CGFloat) -> CIImage {
        let smaller = picture.transformed(by: CGAffineTransform(scaleX: factor, y: factor))
        return smaller.cropped(to: smaller.extent.integral)
    }

    private func blurred(_ picture: CIImage, by disparity: CIImage, sharpAt focus: Float, radius: Double) -> CIImage {
        let scale = CGAffineTransform(
            scaleX: picture.extent.width / disparity.extent.width, y: picture.extent.height / disparity.extent.height)
        // 0 in focus, 1 from half a dioptre behind it.
        let slope = CGFloat(-2)
        let shift = CGFloat(2 * focus)
        let mask = disparity.clampedToExtent().transformed(by: scale).cropped(to: picture.extent)
            .applyingFilter(
                "CIColorMatrix",
                parameters: [
                    "inputRVector": CIVector(x: slope, y: 0, z: 0, w: 0), "inputGVector": CIVector(x: slope, y: 0, z: 0, w: 0),
                    "inputBVector": CIVector(x: slope, y: 0, z: 0, w: 0), "inputBiasVector": CIVector(x: shift, y: shift, z: shift, w: 0),
                ]
            ).applyingFilter("CIColorClamp")
        let filter = CIFilter.maskedVariableBlur()
        filter.inputImage = picture.clampedToExtent()
        filter.mask = mask
        filter.radius = Float(radius)
        return (filter.outputImage ?? picture).cropped(to: picture.extent)
    }

    /// Value of a map of 32-bit floats at a place of 0…1.
    static func value(_ map: CVPixelBuffer, at point: CGPoint) -> Float {
        CVPixelBufferLockBaseAddress(map, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(map, .readOnly) }
        let (width, height) = (CVPixelBufferGetWidth(map), CVPixelBufferGetHeight(map))
        let (x, y) = (min(width - 1, max(0, Int(point.x * CGFloat(width)))), min(height - 1, max(0, Int(point.y * CGFloat(height)))))
        let row = CVPixelBufferGetBaseAddress(map)!.advanced(by: y * CVPixelBufferGetBytesPerRow(map))
        return row.assumingMemoryBound(to: Float32.self)[x]
    }
}

extension PortraitCamera: AVCaptureDataOutputSynchronizerDelegate {
    func dataOutputSynchronizer(_ synchronizer: AVCaptureDataOutputSynchronizer, didOutput collection: AVCaptureSynchronizedDataCollection) {
        guard let video = collection.synchronizedData(for: videoOutput) as? AVCaptureSynchronizedSampleBufferData,
            let depth = collection.synchronizedData(for: depthOutput) as? AVCaptureSynchronizedDepthData, !video.sampleBufferWasDropped,
            !depth.depthDataWasDropped, let pixels = CMSampleBufferGetImageBuffer(video.sampleBuffer)
        else { return lock.withLock { lostFrames += 1 } }
        let disparity = depth.depthData.converting(toDepthDataType: kCVPixelFormatType_DisparityFloat32).depthDataMap
        let faces = (collection.synchronizedData(for: faceOutput) as? AVCaptureSynchronizedMetadataObjectData)?.metadataObjects ?? []
        let values = faces.compactMap { face -> Float? in
            guard let connection = videoOutput.connection(with: .video),
                let turned = videoOutput.transformedMetadataObject(for: face, connection: connection)
            else { return nil }
            let size = CGSize(width: CVPixelBufferGetWidth(pixels), height: CVPixelBufferGetHeight(pixels))
            // In pixels of the delivered picture, or in 0…1 of it.
            let whole = videoOutput.outputRectConverted(fromMetadataOutputRect: CGRect(x: 0, y: 0, width: 1, height: 1))
            let scale = whole.width > 1 ? size : CGSize(width: 1, height: 1)
            return Self.value(disparity, at: CGPoint(x: turned.bounds.midX / scale.width, y: turned.bounds.midY / scale.height))
        }
        let focus = values.max() ?? Self.value(disparity, at: CGPoint(x: 0.5, y: 0.5))
        // The viewfinder is small.
        let picture = Self.scaled(CIImage(cvPixelBuffer: pixels), by: 0.1)
        let result = blurred(picture, by: CIImage(cvPixelBuffer: disparity), sharpAt: focus, radius: 4)
        let image = context.createCGImage(result, from: result.extent)
        lock.withLock {
            (latest, nearest) = (image, 1 / focus)
            shownFrames += 1
        }
    }
}

/// Receiver of one portrait.
private final class PortraitTaker: NSObject, AVCapturePhotoCaptureDelegate {
    private let continuation: CheckedContinuation<PortraitCamera.Portrait, any Error>
    private let end: (Int64) -> Void
    private var portrait: PortraitCamera.Portrait?

    init(_ continuation: CheckedContinuation<PortraitCamera.Portrait, any Error>, end: @escaping (Int64) -> Void) {
        (self.continuation, self.end) = (continuation, end)
    }

    func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?) {
        guard error == nil, let file = photo.fileDataRepresentation() else { return }
        let stored = photo.metadata[kCGImagePropertyOrientation as String] as? UInt32
        let orientation = stored.flatMap(CGImagePropertyOrientation.init) ?? .up
        var depth = photo.depthData
        if let map = depth, map.depthDataType != kCVPixelFormatType_DisparityFloat32 {
            depth = map.converting(toDepthDataType: kCVPixelFormatType_DisparityFloat32)
        }
        depth = depth?.applyingExifOrientation(orientation)
        portrait = PortraitCamera.Portrait(
            file: file, disparity: depth, hasMatte: photo.portraitEffectsMatte?.applyingExifOrientation(orientation) != nil,
            orientation: orientation, focalLengthInPixels: photo.depthData?.cameraCalibrationData?.intrinsicMatrix.columns.0.x)
    }

    func photoOutput(_ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?) {
        defer { end(resolvedSettings.uniqueID) }
        if let error { return continuation.resume(throwing: error) }
        if let portrait { continuation.resume(returning: portrait) } else { continuation.resume(throwing: AVError(.unknown)) }
    }
}
