import CoreMedia
import Focus
import Foundation
import Pipeline

/// Applies the app's focus requests to one frame, and steps the engine.
struct FocusStage {
    private var engine: FocusEngine
    private let tuning: FocusTuning
    private var shot: Int?

    init(tuning: FocusTuning) {
        self.tuning = tuning
        engine = FocusEngine(tuning: tuning)
    }

    /// Input of one frame to focus.
    struct Scene {
        let disparity: DisparityMap
        /// Detections in delivery order, under the session's numbers.
        var detections: [Detection]
        /// Disparity (1/m) to focus on when no subject is there.
        let ambientDisparity: Double?
    }

    /// Steps the engine; an object that `salientObject` finds around a tapped point of the picture joins the scene's detections.
    mutating func step(
        _ scene: inout Scene, of frame: Frame, calls: [FocusCall], book: inout IdentityBook, salientObject: (CGPoint) throws -> Detection?,
        diagnose: (String) -> Void
    ) throws -> FocusStep {
        if frame.shot != shot {
            engine = FocusEngine(tuning: tuning, opensShot: true)
            shot = frame.shot
        }
        var requests: [FocusRequest] = []
        for call in calls {
            if let request = try resolve(call, in: &scene, of: frame, book: &book, salientObject) {
                requests.append(request)
            } else {
                diagnose(call.unmet)
            }
        }
        let step = engine.step(
            at: frame.presentationTime.nanoseconds, detections: scene.detections, requests: requests,
            ambientDisparity: scene.ambientDisparity)
        for request in step.refused { diagnose("no such object: \(request.objectID)") }
        return step
    }

    private func resolve(
        _ call: FocusCall, in scene: inout Scene, of frame: Frame, book: inout IdentityBook, _ salientObject: (CGPoint) throws -> Detection?
    ) throws -> FocusRequest? {
        switch call {
        case .track(let objectID, let mode):
            return .track(objectID: objectID, mode: mode)
        case .trackAt(let point, let mode): return try track(at: point, mode, in: &scene, book: &book, salientObject)
        case .fixAt(let point, let mode): return fix(at: point, mode, in: scene, book: &book)
        case .order(let order): return try resolve(order, in: &scene, book: &book, salientObject).map { .ordered($0, order.course) }
        }
    }

    /// Request that an order comes down to in a frame; nil where nothing is there.
    private func resolve(
        _ order: FocusOrder, in scene: inout Scene, book: inout IdentityBook, _ salientObject: (CGPoint) throws -> Detection?
    ) throws -> FocusRequest? {
        let mode: FocusMode = order.mode == .weak ? .weak : .strong
        switch order.target {
        case .object(let objectID):
            guard order.mode == .fixed else { return .track(objectID: objectID, mode: mode) }
            guard let object = scene.detections.first(where: { $0.objectID == objectID }), let disparity = object.disparity else { return nil }
            let middle = CGPoint(x: object.bounds.midX, y: object.bounds.midY)
            return .fix(point: middle, disparity: disparity, objectID: book.nextObject(), mode: .strong)
        case .point(let point):
            if order.mode != .fixed, let request = try track(at: point, mode, in: &scene, book: &book, salientObject) { return request }
            return order.mode == .fixed || order.mode == nil ? fix(at: point, .strong, in: scene, book: &book) : nil
        case .distance(let metres):
            guard scene.disparity.isMetric, metres > 0 else { return nil }
            return .fix(point: CGPoint(x: 0.5, y: 0.5), disparity: 1 / metres, objectID: book.nextObject(), mode: .strong)
        }
    }

    private func track(
        at point: CGPoint, _ mode: FocusMode, in scene: inout Scene, book: inout IdentityBook, _ salientObject: (CGPoint) throws -> Detection?
    ) throws -> FocusRequest? {
        if let hit = scene.detections.first(where: { $0.salience == nil && !$0.isExtrapolated && $0.bounds.contains(point) }) {
            return .track(objectID: hit.objectID, mode: mode)
        }
        guard let found = try salientObject(point) else { return nil }
        let object = book.identify(scene.disparity.measured(found))
        if !scene.detections.contains(where: { $0.objectID == object.objectID }) {
            scene.detections = (scene.detections + [object]).inDeliveryOrder
        }
        return .track(objectID: object.objectID, mode: mode)
    }

    private func fix(at point: CGPoint, _ mode: FocusMode, in scene: Scene, book: inout IdentityBook) -> FocusRequest? {
        guard let disparity = scene.disparity.median(in: CGRect(origin: point, size: .zero)) else { return nil }
        return .fix(point: point, disparity: disparity, objectID: book.nextObject(), mode: mode)
    }
}

extension FocusCall {
    /// Reason why a frame has nothing that the call could mean.
    fileprivate var unmet: String {
        func nothing(at point: CGPoint) -> String { "nothing to focus on was found at (\(point.x), \(point.y))" }
        switch self {
        case .track(let objectID, _): return "no such object: \(objectID)"
        case .trackAt(let point, _), .fixAt(let point, _): return nothing(at: point)
        case .order(let order):
            switch order.target {
            case .object(let objectID): return "no such object: \(objectID)"
            case .point(let point): return nothing(at: point)
            case .distance(let metres): return "depth is not known in metres, so that \(metres) m is nowhere"
            }
        }
    }
}

extension FocusRequest {
    fileprivate var objectID: Int {
        switch self {
        case .track(let objectID, _), .fix(_, _, let objectID, _): objectID
        case .ordered(let request, _): request.objectID
        }
    }
}

extension FocusMode {
    package init(_ mode: AVCaptureDevice.CinematicVideoFocusMode) {
        switch mode {
        case .none: self = .none
        case .strong: self = .strong
        case .weak: self = .weak
        }
    }
}

extension AVCaptureDevice.CinematicVideoFocusMode {
    init(_ mode: FocusMode) {
        switch mode {
        case .none: self = .none
        case .strong: self = .strong
        case .weak: self = .weak
        }
    }
}

extension DisparityMap {
    /// Returns the detection with its disparity, measured in the inner half of its box where the detector did not.
    package func measured(_ detection: Detection) -> Detection {
        guard detection.disparity == nil else { return detection }
        var detection = detection
        detection.disparity = median(in: detection.bounds.innerHalf) ?? median(in: detection.bounds)
        return detection
    }
}

extension DisparityMap {
    /// Returns detections with their disparity, measured where the detector did not. A pet's head, which is looked for where its body says, is no farther
    /// away than that: what is farther lies behind the pet.
    func measured(_ detections: [Detection]) -> [Detection] {
        let all = detections.map(measured)
        return zip(detections, all).map { given, own in
            guard given.disparity == nil, own.kind.isPetHead, own.groupID > 0 else { return own }
            let body = all.first { $0.groupID == own.groupID && $0.kind.isPetBody }
            var head = own
            head.disparity = [own.disparity, body?.disparity].compactMap { $0 }.max()
            return head
        }
    }
}

extension [Detection] {
    /// Faces and pets' heads first, then people's, then bodies, then things, each by number: a tap takes the first that it hits.
    var inDeliveryOrder: [Detection] {
        sorted { ($0.kind.deliveryRank, $0.objectID) < ($1.kind.deliveryRank, $1.objectID) }
    }
}

extension Detection.Kind {
    fileprivate var isPetHead: Bool { self == .catHead || self == .dogHead }
    fileprivate var isPetBody: Bool { self == .catBody || self == .dogBody }

    fileprivate var deliveryRank: Int {
        switch self {
        case .face, .catHead, .dogHead: 0
        case .humanHead: 1
        case .humanBody, .catBody, .dogBody: 2
        case .salientObject: 3
        }
    }
}
