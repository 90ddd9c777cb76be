import Foundation
import Synchronization

/// The viewfinder's geometry: converts between points of the screen and the picture.
public final class AVCaptureVideoPreviewLayer: CALayer, _KeyValueObservable, @unchecked Sendable {
    public let _observers = _KeyValueObservers()
    let environment: CaptureEnvironment
    private struct State: Sendable {
        var session: AVCaptureSession?
        var gravity = AVLayerVideoGravity.resizeAspect
        var isPreviewing = false
        var defersStart = false
    }

    private let state = Mutex(State())

    public override init() {
        environment = .current
        super.init()
    }

    /// A layer connected to the session's first video port, now or when it comes.
    public convenience init(session: AVCaptureSession) {
        self.init()
        setSession(session, connects: true)
    }

    public convenience init(sessionWithNoConnection session: AVCaptureSession) {
        self.init()
        setSession(session, connects: false)
    }

    public var session: AVCaptureSession? {
        get { state.withLock { $0.session } }
        set { setSession(newValue, connects: true) }
    }

    public func setSessionWithNoConnection(_ session: AVCaptureSession) { setSession(session, connects: false) }

    private func setSession(_ session: AVCaptureSession?, connects: Bool) {
        let old = state.withLock { state in
            defer { state.session = session }
            return state.session
        }
        old?.remove(self)
        session?.add(self, connects: connects)
        tellPreviewing()
    }

    public var connection: AVCaptureConnection? { session?.connections.first { $0.videoPreviewLayer === self } }

    /// Whether frames flow: the session runs and the connection is open. Observable.
    public var isPreviewing: Bool { state.withLock { $0.isPreviewing } }

    func tellPreviewing() {
        let new = session?.isRunning == true && connection?.isOpen == true
        _observers.change(\AVCaptureVideoPreviewLayer.isPreviewing, from: isPreviewing, to: new) { state.withLock { $0.isPreviewing = new } }
    }

    public var isDeferredStartSupported: Bool { true }

    /// Whether the layer may start after other outputs; at first it does not.
    public var isDeferredStartEnabled: Bool {
        get { state.withLock { $0.defersStart } }
        set { state.withLock { $0.defersStart = newValue } }
    }

    public var videoGravity: AVLayerVideoGravity {
        get { state.withLock { $0.gravity } }
        set { state.withLock { $0.gravity = newValue } }
    }

    /// The picture in the layer's bounds; nil without a connection.
    private var geometry: PictureGeometry? {
        connection.flatMap { PictureGeometry(connection: $0, gravity: videoGravity, layerSize: bounds.size) }
    }

    /// From points of the layer to 0…1 of the unrotated picture; beyond it beside the picture, `.zero` without a connection.
    public func captureDevicePointConverted(fromLayerPoint pointInLayer: CGPoint) -> CGPoint {
        let origin = bounds.origin
        return geometry?.devicePoint(fromLayer: CGPoint(x: pointInLayer.x - origin.x, y: pointInLayer.y - origin.y)) ?? .zero
    }

    /// From 0…1 of the unrotated picture to points of the layer; `.zero` without a connection.
    public func layerPointConverted(fromCaptureDevicePoint captureDevicePointOfInterest: CGPoint) -> CGPoint {
        guard let point = geometry?.layerPoint(fromDevice: captureDevicePointOfInterest) else { return .zero }
        return CGPoint(x: point.x + bounds.minX, y: point.y + bounds.minY)
    }

    /// From points of the layer to metadata space (0…1, unrotated picture); `.zero` without a connection.
    public func metadataOutputRectConverted(fromLayerRect rectInLayerCoordinates: CGRect) -> CGRect {
        geometry?.deviceRect(fromLayer: rectInLayerCoordinates.offsetBy(dx: -bounds.minX, dy: -bounds.minY)) ?? .zero
    }

    /// From metadata space (0…1, unrotated picture) to points of the layer; `.zero` without a connection.
    public func layerRectConverted(fromMetadataOutputRect rectInMetadataOutputCoordinates: CGRect) -> CGRect {
        geometry?.layerRect(fromDevice: rectInMetadataOutputCoordinates).offsetBy(dx: bounds.minX, dy: bounds.minY) ?? .zero
    }

    /// The object in points of the layer; nil without a connection.
    public func transformedMetadataObject(for metadataObject: AVMetadataObject) -> AVMetadataObject? {
        geometry.map { metadataObject.transformed(by: $0, offset: bounds.origin) }
    }
}
