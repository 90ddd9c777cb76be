import CoreMedia
import Foundation
import Synchronization

/// Receiver of the objects of each frame, called on the queue it was set with.
public protocol AVCaptureMetadataOutputObjectsDelegate: NSObjectProtocol {
    /// Called for every frame, with no objects where none of the wanted types is seen.
    func metadataOutput(_ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject], from connection: AVCaptureConnection)
}

extension AVCaptureMetadataOutputObjectsDelegate {
    /// Does nothing, for delegates without this method.
    public func metadataOutput(
        _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject], from connection: AVCaptureConnection
    ) {}
}

/// Output of the objects seen in each frame: one call per frame while the session runs, empty when nothing is there.
open class AVCaptureMetadataOutput: AVCaptureOutput, _KeyValueObservable, @unchecked Sendable {
    /// Observers of this output's properties; for `observe(_:options:changeHandler:)` only.
    public let _observers = _KeyValueObservers()
    private struct State: @unchecked Sendable {
        weak var delegate: (any AVCaptureMetadataOutputObjectsDelegate)?
        var queue: DispatchQueue?
        var types: [AVMetadataObject.ObjectType] = [] { didSet { takesAll = AVCaptureMetadataOutput.cinematicTypes.allSatisfy(types.contains) } }
        /// Whether every type but the codes is among them.
        private(set) var takesAll = false
        /// As observers were notified last.
        var available: [AVMetadataObject.ObjectType] = []
        var rectOfInterest = CGRect(x: 0, y: 0, width: 1, height: 1)
    }

    private let state = Mutex(State())
    /// Under the wall clock, limit on the frames that a slow delegate may be behind.
    private let backlog = Backlog(limit: 6)

    /// Makes an output without a session.
    public override init() {}

    override var mediaType: AVMediaType { .metadataObject }

    /// Sets the receiver of objects and its queue; raises for a delegate without a queue.
    open func setMetadataObjectsDelegate(
        _ objectsDelegate: (any AVCaptureMetadataOutputObjectsDelegate)?, queue objectsCallbackQueue: DispatchQueue?
    ) {
        guard environment.allows(objectsDelegate, on: objectsCallbackQueue, "-[AVCaptureMetadataOutput setMetadataObjectsDelegate:queue:]") else {
            return
        }
        state.withLock {
            $0.delegate = objectsDelegate
            $0.queue = objectsCallbackQueue
        }
    }

    /// Receiver of objects, held weakly; nil without one.
    open var metadataObjectsDelegate: (any AVCaptureMetadataOutputObjectsDelegate)? { state.withLock { $0 }.delegate }
    /// Queue that the delegate is called on; nil without one.
    open var metadataObjectsCallbackQueue: DispatchQueue? { state.withLock { $0.queue } }

    static let cinematicTypes: [AVMetadataObject.ObjectType] = [
        .face, .humanBody, .catHead, .catBody, .dogHead, .dogBody, .salientObject,
    ]

    /// Types that cinematic capture wants in `metadataObjectTypes`, all of them and no others.
    open var requiredMetadataObjectTypesForCinematicVideoCapture: [AVMetadataObject.ObjectType] { Self.cinematicTypes }

    override func join(_ session: AVCaptureSession?) {
        if session == nil { tellAvailability([]) }
        super.join(session)
        tellAvailability()
    }

    /// Follows a change of the session's connections.
    func tellAvailability() { tellAvailability(connections.isEmpty ? [] : Self.cinematicTypes + AVMetadataObject.ObjectType.codes) }

    private func tellAvailability(_ types: [AVMetadataObject.ObjectType]) {
        _observers.change(\AVCaptureMetadataOutput.availableMetadataObjectTypes, from: availableMetadataObjectTypes, to: types) {
            state.withLock { $0.available = types }
        }
    }

    /// Types that can be delivered; empty until a session connects the output to a camera. Observable.
    open var availableMetadataObjectTypes: [AVMetadataObject.ObjectType] { session == nil ? [] : state.withLock { $0.available } }

    /// Types to deliver; empty at first, in which case the delegate is not called.
    /// Raises for a type that is not available, and for others than the required set while cinematic capture is enabled.
    open var metadataObjectTypes: [AVMetadataObject.ObjectType]! {
        get { state.withLock { $0.types } }
        set {
            let selector = "-[AVCaptureMetadataOutput setMetadataObjectTypes:]"
            let types = newValue ?? []
            let available = availableMetadataObjectTypes
            guard types.allSatisfy(available.contains) else {
                return environment.raise(.invalidArgument, selector, "Unsupported type found - use -availableMetadataObjectTypes")
            }
            guard !isFedByCinematicInput || Set(types) == Set(Self.cinematicTypes) else { return raiseTypesDiffer(selector) }
            state.withLock { $0.types = types }
        }
    }

    /// Whether an enabled cinematic input is connected, whose rule on types then holds.
    var isFedByCinematicInput: Bool {
        connections.contains { connection in
            connection.inputPorts.contains { ($0.input as? AVCaptureDeviceInput)?.isCinematicVideoCaptureEnabled ?? false }
        }
    }

    /// Whether the types are allowed; raises for others than the required ones while cinematic capture is enabled.
    func allowsTypes(_ selector: String) -> Bool {
        guard isFedByCinematicInput, Set(metadataObjectTypes) != Set(Self.cinematicTypes) else { return true }
        raiseTypesDiffer(selector)
        return false
    }

    private func raiseTypesDiffer(_ selector: String) {
        environment.raise(
            .invalidArgument, selector,
            "metadataObjectTypes must be requiredMetadataObjectTypesForCinematicVideoCapture while cinematic video capture is enabled")
    }

    /// Region of interest (0…1, origin top left, unrotated picture), by default all: objects whose bounds miss it are not delivered.
    open var rectOfInterest: CGRect {
        get { state.withLock { $0.rectOfInterest } }
        set { state.withLock { $0.rectOfInterest = newValue } }
    }

    /// Hands the objects of one frame to the delegate and waits until they were taken.
    func deliver(_ objects: [AVMetadataObject], at time: CMTime, through connection: AVCaptureConnection, by delivery: Delivery) {
        let (types, isOfAny, rect, receiver, queue) = state.withLock { ($0.types, $0.takesAll, $0.rectOfInterest, $0.delegate, $0.queue) }
        guard !types.isEmpty else { return }
        func isWanted(_ object: AVMetadataObject) -> Bool {
            (isOfAny && object.content.corners.isEmpty || types.contains(object.type)) && object.bounds.intersects(rect)
        }
        let wanted = objects.allSatisfy(isWanted) ? objects : objects.filter(isWanted)
        if let synchronizer {
            return synchronizer.hold(AVCaptureSynchronizedMetadataObjectData(timestamp: time, metadataObjects: wanted), from: self)
        }
        guard let receiver, let queue else { return }
        // Called here, a delegate needs no closure that outlives the call: this runs for every frame of every run of logic.
        if delivery.isInline {
            return delivery.callHere(on: queue) { receiver.metadataOutput(self, didOutput: wanted, from: connection) }
        }
        nonisolated(unsafe) let delegate = receiver
        delivery.hand(to: queue, in: backlog) { delegate.metadataOutput(self, didOutput: wanted, from: connection) }
    }
}
