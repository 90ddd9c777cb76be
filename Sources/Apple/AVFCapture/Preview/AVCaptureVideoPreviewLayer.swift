import Foundation
import QuartzCore
import Synchronization

/// Geometry of a viewfinder: converts between points of the layer and the picture. Nothing is drawn.
open class AVCaptureVideoPreviewLayer: CALayer, _KeyValueObservable, @unchecked Sendable {
    /// Observers of this layer's properties; for `observe(_:options:changeHandler:)` only.
    public let _observers = _KeyValueObservers()
    private let binding = EnvironmentBinding()
    private struct State: Sendable {
        var session: AVCaptureSession?
        var gravity = AVLayerVideoGravity.resizeAspect
        var isPreviewing = false
        var defersStart = false
    }

    private let state = Mutex(State())

    /// Makes a layer without a session.
    public override init() {}

    var environment: CaptureEnvironment { binding.environment() }

    /// Makes a layer connected to the session's first video port, now or when there is one.
    public convenience init(session: AVCaptureSession) {
        self.init()
        setSession(session, connects: true)
    }

    /// Makes a layer of a session that is not connected by itself.
    public convenience init(sessionWithNoConnection session: AVCaptureSession) {
        self.init()
        setSession(session, connects: false)
    }

    /// Session that the layer shows; nil for none. Setting it connects the layer to the first video port. Held strongly.
    open var session: AVCaptureSession? {
        get { state.withLock { $0.session } }
        set { setSession(newValue, connects: true) }
    }

    /// Shows a session without connecting the layer.
    open func setSessionWithNoConnection(_ session: AVCaptureSession) { setSession(session, connects: false) }

    private func setSession(_ session: AVCaptureSession?, connects: Bool) {
        let old = state.withLock { state in
            defer { state.session = session }
            return state.session
        }
        old?.remove(self)
        session?.add(self, connects: connects)
        tellPreviewing()
    }

    /// Connection that feeds the layer; nil until there is one.
    open var connection: AVCaptureConnection? { session?.connections.first { $0.videoPreviewLayer === self } }

    /// Whether frames flow: the session runs and the connection is open. Observable.
    open var isPreviewing: Bool { state.withLock { $0.isPreviewing } }

    func tellPreviewing() {
        let new = session?.isRunning == true && connection?.isOpen == true
        _observers.change(\AVCaptureVideoPreviewLayer.isPreviewing, from: isPreviewing, to: new) { state.withLock { $0.isPreviewing = new } }
    }

    /// Whether the layer can start after outputs; always here.
    open var isDeferredStartSupported: Bool { true }

    /// Whether the layer may start after other outputs; default false.
    open var isDeferredStartEnabled: Bool {
        get { state.withLock { $0.defersStart } }
        set { state.withLock { $0.defersStart = newValue } }
    }

    /// Fit of the picture into the layer's bounds; default `.resizeAspect`.
    open var videoGravity: AVLayerVideoGravity {
        get { state.withLock { $0.gravity } }
        set { state.withLock { $0.gravity = newValue } }
    }

    /// Geometry of the picture in the layer's bounds; nil without a connection.
    private var geometry: PictureGeometry? {
        connection.flatMap { PictureGeometry(connection: $0, gravity: videoGravity, layerSize: bounds.size) }
    }

    /// Converts a point of the layer to 0…1 of the unrotated picture; outside of it beside the picture, `.zero` without a connection.
    open func captureDevicePointConverted(fromLayerPoint pointInLayer: CGPoint) -> CGPoint {
        let origin = bounds.origin
        return geometry?.devicePoint(fromLayer: CGPoint(x: pointInLayer.x - origin.x, y: pointInLayer.y - origin.y)) ?? .zero
    }

    /// Converts a point of the unrotated picture (0…1) to one of the layer; `.zero` without a connection.
    open func layerPointConverted(fromCaptureDevicePoint captureDevicePointOfInterest: CGPoint) -> CGPoint {
        guard let point = geometry?.layerPoint(fromDevice: captureDevicePointOfInterest) else { return .zero }
        return CGPoint(x: point.x + bounds.minX, y: point.y + bounds.minY)
    }

    /// Converts a rectangle of the layer to metadata space (0…1, unrotated picture); `.zero` without a connection.
    open func metadataOutputRectConverted(fromLayerRect rectInLayerCoordinates: CGRect) -> CGRect {
        geometry?.deviceRect(fromLayer: rectInLayerCoordinates.offsetBy(dx: -bounds.minX, dy: -bounds.minY)) ?? .zero
    }

    /// Converts a rectangle of metadata space (0…1, unrotated picture) to one of the layer; `.zero` without a connection.
    open func layerRectConverted(fromMetadataOutputRect rectInMetadataOutputCoordinates: CGRect) -> CGRect {
        geometry?.layerRect(fromDevice: rectInMetadataOutputCoordinates).offsetBy(dx: bounds.minX, dy: bounds.minY) ?? .zero
    }

    /// Returns a copy of the object with bounds, corners and angles in the layer; nil without a connection.
    open func transformedMetadataObject(for metadataObject: AVMetadataObject) -> AVMetadataObject? {
        geometry.map { metadataObject.transformed(by: $0, offset: bounds.origin) }
    }
}
