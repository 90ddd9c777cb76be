import AVFoundation
import Photos

// Cause: what a phone has from iOS 27 on, asked for behind `#available`, and slips that a phone forgives.

/// Panel of a camera whose lens may have several apertures, and whose focus may follow a subject.
public final class LensPanel: NSObject, AVCaptureMetadataOutputObjectsDelegate, @unchecked Sendable {
    public let session = AVCaptureSession()
    public private(set) var apertures: [Float] = []
    public private(set) var axes: [String] = []
    public private(set) var followed: [CGRect] = []
    private let objects = AVCaptureMetadataOutput()
    private let queue = DispatchQueue(label: "lens panel")
    private var observation: NSKeyValueObservation?

    public func prepare(_ camera: AVCaptureDevice) async throws {
        if AVCaptureDevice.authorizationStatus(for: .video) == .notDetermined { await AVCaptureDevice.requestAccess(for: .video) }
        session.addInput(try AVCaptureDeviceInput(device: camera))
        session.addOutput(objects)
        objects.setMetadataObjectsDelegate(self, queue: queue)
        session.commitConfiguration()
        session.startRunning()
        guard #available(iOS 27.0, *) else { return }
        apertures = camera.activeFormat.recommendedLensApertureStops
        observation = camera.observe(\.automaticallyAdjustsISO, options: [.initial, .new]) { [weak self] camera, _ in self?.readAxes(of: camera) }
        let follows = camera.activeFormat.isContinuousAutoFocusTrackingSupported
        objects.metadataObjectTypes = follows ? objects.availableMetadataObjectTypes.filter { $0 == .focusTrackedObject } : []
    }

    /// Holds the shutter and leaves the rest to the camera where it can, else holds all.
    @available(iOS 27.0, *)
    public func holdShutter(_ duration: CMTime, of camera: AVCaptureDevice) throws {
        try camera.lockForConfiguration()
        defer { camera.unlockForConfiguration() }
        let wanted = camera.supportedExposureSignals.intersection([.document, .subjectMotion])
        if !wanted.isEmpty {
            camera.automaticallyEnablesExposureSignals = false
            camera.enabledExposureSignals = wanted
        }
        let (aperture, iso) = (AVCaptureDevice.autoLensAperture, AVCaptureDevice.autoISO)
        if camera.activeFormat.supportsExposureModeCustom(lensAperture: aperture, duration: duration, iso: iso) {
            camera.setExposureModeCustom(lensAperture: aperture, duration: duration, iso: iso, completionHandler: nil)
        } else {
            camera.setExposureModeCustom(duration: duration, iso: AVCaptureDevice.currentISO)
        }
    }

    private func readAxes(of camera: AVCaptureDevice) {
        axes = [("shutter", camera.automaticallyAdjustsExposureDuration), ("iso", camera.automaticallyAdjustsISO)].filter(\.1).map(\.0)
    }

    public func metadataOutput(_ output: AVCaptureMetadataOutput, didOutput objects: [AVMetadataObject], from connection: AVCaptureConnection) {
        followed += objects.filter { $0.type == .focusTrackedObject }.map(\.bounds)
    }

    /// Asset taken after a date.
    public static func newest(after date: Date) -> PHAsset? {
        let options = PHFetchOptions()
        options.predicate = NSPredicate(format: "creationDate > %@", date as CVarArg)
        return PHAsset.fetchAssets(with: options).lastObject
    }
}
