import CoreMedia
import CoreVideo
import Focus
import Foundation
import Optics
import Pipeline

/// A frame with its focus state; mutable on the decide thread only, until sent.
final class DecidedFrame: @unchecked Sendable {
    let frame: Frame
    /// Blur to render; nil leaves the picture sharp.
    var blur: Blur?
    /// Time until the next one, as the camera is set.
    var duration = CMTime.zero
    /// Sound captured meanwhile; nil without a microphone.
    var sound: Sound?
    /// Disparity for depth outputs; nil while cinematic capture is enabled.
    let depth: DisparityMap?
    /// Lens that the delivered picture was taken with.
    let pinhole: Pinhole
    /// Decision on the frame; nil while cinematic capture is off.
    var record: FrameRecord?
    /// Decisions in effect before the frame.
    var earlier = DecisionsInEffect()
    /// Calibration of maps; nil where the source does not know its lens and metres.
    var calibration: AVCameraCalibrationData?

    struct Blur: Sendable {
        let disparity: DisparityMap
        let circle: CircleOfConfusion
        let lens: Lens
        /// Width in pixels of a whole sensor, by which `circle` is measured.
        let sensorWidth: Int
    }

    /// Part that a cinematic movie keeps beside the sharp picture, on the session's time; nil while cinematic capture is off.
    var cinematic: CinematicFrame? {
        guard let record, let blur else { return nil }
        let sample = CinematicSample(
            lens: blur.lens, sensorWidth: blur.sensorWidth, disparity: DisparityCoding(of: blur.disparity), focus: record.state,
            ambientDisparity: record.ambientDisparity, detections: record.detections, decisions: record.decisions, shot: frame.shot,
            notEnoughLight: record.notEnoughLight)
        return CinematicFrame(sample: sample, disparity: blur.disparity)
    }

    init(_ frame: Frame, blur: Blur? = nil, depth: DisparityMap? = nil, pinhole: Pinhole) {
        (self.frame, self.blur, self.depth, self.pinhole) = (frame, blur, depth, pinhole)
    }
}

/// The second stage: subjects, focus and light of a frame. Frame by frame, on one thread.
final class FrameDecider {
    private let feed: CameraFeed
    private let description: SourceDescription
    private let input: AVCaptureDeviceInput
    private let device: AVCaptureDevice
    private let environment: CaptureEnvironment
    private let shared: AVMetadataObject.Shared
    private var book: IdentityBook
    private var focus: FocusStage?
    private var inEffect = DecisionsInEffect()
    private var light: LightMonitor
    private var recognised = Recognised()
    private var fitter = FrameFitter()
    private var gate = FrameGate()
    /// Exposure that was reported to the device last.
    private var lastReported: Exposure?
    /// Pixels of the camera's format.
    private let size: PictureSize
    /// Objects on their way to the metadata delegates; empty unless these are late.
    private var late: [(objects: [AVMetadataObject], time: CMTime)] = []

    /// Last detections and the results for them, for frames that show the same again.
    private struct Recognised {
        var seen: [Detection] = []
        var disparity: DisparityMap?
        /// The same with their disparities, under the detector's numbers.
        var measured: [Detection] = []
        var known: [Detection] = []
        var ambient: (disparity: DisparityMap, value: Double?)?
        /// The detections with the object that stands for a fixed focus behind them.
        var fixed: (object: Detection, seen: [Detection], all: [Detection])?
        var aperture: (value: Float, fNumber: Double)?
        var lens: (zoom: CGFloat, picture: PictureSize, lens: FrameLens)?
    }

    init(feed: CameraFeed, input: AVCaptureDeviceInput, size: PictureSize, environment: CaptureEnvironment, counters: IdentityCounters) {
        self.feed = feed
        description = feed.source.description
        self.size = size
        self.input = input
        device = input.device
        self.environment = environment
        shared = AVMetadataObject.Shared(environment)
        book = IdentityBook(counters: counters)
        light = LightMonitor(tuning: environment.tuning)
    }

    /// Duration of frames now: as the source has them, or longer as the camera is set.
    var frameDuration: CMTime { max(description.frameDuration, input.deliveredFrameDuration(isDark: light.isNotEnough)) }

    /// Whether the camera takes a frame of the source at this time, where frames are to last for `duration`.
    func admits(_ time: CMTime, every duration: CMTime) -> Bool {
        gate.admits(time, every: duration, own: description.frameDuration)
    }

    /// Decides one frame of the source and hands its objects to the metadata outputs of `routes`.
    func decide(_ source: Frame, routes: OpenRoutes, observer: (any CaptureObserver)?, delivery: Delivery) throws -> DecidedFrame {
        let timings = environment.timings
        let made = device.takeFocusCalls()
        let calls = environment.focusCalls.map { $0(source.presentationTime) } ?? made
        let isCinematic = input.isCinematicVideoCaptureEnabled
        let isDark = meter(source, isRecording: routes.isRecording) && isCinematic
        device.setStatuses(isDark ? [.notEnoughLight] : [])
        if !isCinematic { (focus, inEffect) = (nil, DecisionsInEffect()) }

        let outputs = routes.metadata
        let wantsDepth = !isCinematic && routes.outputs.contains(where: \.wantsDepth)
        let wantsObjects = isCinematic || observer != nil || !outputs.isEmpty
        let placed = environment.renderer == nil || source.disparity == nil && feed.depth == nil ? nil : device.placedDisparity
        let lens = lens(of: PictureSize(of: source.image))
        let view = lens.view
        guard wantsObjects || wantsDepth || placed != nil else {
            return DecidedFrame(fit(source, to: view), pinhole: lens.pinhole)
        }

        // Disparity and subjects are searched for in the whole source picture; the camera delivers what its view leaves of them.
        let sight = try look(at: source, wantsObjects: wantsObjects)
        var complete = source
        if complete.disparity == nil { complete.disparity = sight.disparity }
        var frame = fit(complete, to: view)
        let disparity = frame.disparity ?? sight.disparity
        let shown = try upsampled(disparity, along: frame.image)
        frame.disparity = shown
        let decided = DecidedFrame(
            frame, blur: placed.map { lens.blur(shown, fNumber: AVCaptureDevice.lensFNumber, focus: $0) }, depth: wantsDepth ? shown : nil,
            pinhole: lens.pinhole)
        if wantsDepth, disparity.isMetric, description.focalLength != nil {
            decided.calibration = AVCameraCalibrationData(lens.pinhole, size: size)
        }
        guard wantsObjects else { return decided }
        let seen = view.isWhole ? sight.detections : sight.detections.compactMap(view.detection)
        var scene = FocusStage.Scene(disparity: disparity, detections: identified(seen, disparity), ambientDisparity: ambient(disparity))
        var taps: [DetectionLog.Tap] = []
        let step = try timings.measure("focus") {
            try self.step(&scene, of: frame, calls: calls, isCinematic: isCinematic) { point in
                let found = try feed.detector.salientObject(at: view.sourcePoint(point), in: source, disparity: sight.measured)
                    .flatMap(view.detection).map(disparity.measured)
                taps.append(DetectionLog.Tap(point: point, found: found))
                return found
            }
        }
        environment.onFrameInputs?(inputs(of: frame, calls: calls, taps: taps, measured: sight.measured, disparity, scene.ambientDisparity))
        let live = step?.state ?? FocusState(focusDisparity: scene.ambientDisparity ?? 0)
        let state = step == nil ? live : environment.focusPlan?.applied(to: live, at: frame.presentationTime.nanoseconds) ?? live
        let detections = reported(scene.detections, with: step?.fixedObject)
        let fNumber = isCinematic ? fNumber(of: input.simulatedAperture) : nil

        let record = FrameRecord(
            frame: frame, detections: detections, state: state, decisions: step?.decisions ?? [], withheld: step?.withheld ?? [],
            ambientDisparity: scene.ambientDisparity, fNumber: fNumber, notEnoughLight: isDark)
        observer?.didDecide(record)
        if !outputs.isEmpty {
            let (time, duration, fixed) = (frame.presentationTime, frameDuration, step?.fixedObject?.objectID)
            let reported = ReportedObjects(detections, subject: state.subject)
            var objects = reported.detections.map { detection in
                let mode = reported.subject == detection.objectID ? state.mode : .none
                return object(for: detection, mode: mode, isFixed: detection.objectID == fixed, at: time, lasting: duration)
            }
            for code in environment.conditions.codes {
                let content = code.content(at: time, lasting: duration, horizonAngle: device.horizonAngle)
                objects.append(.make(content, AVMetadataObject.Shared(environment)))
            }
            let delay = environment.conditions.metadataDelay(at: time)
            if delay == 0, late.isEmpty {
                deliver(objects, at: time, to: outputs, delivery)
            } else {
                late.append((objects, time))
                while late.count > delay {
                    let (objects, time) = late.removeFirst()
                    deliver(objects, at: time, to: outputs, delivery)
                }
            }
        }
        if let fNumber {
            decided.blur = lens.blur(shown, fNumber: fNumber, focus: state.focusDisparity)
            (decided.record, decided.earlier) = (record, inEffect)
            inEffect.take(record.decisions)
        }
        return decided
    }

    private func deliver(
        _ objects: [AVMetadataObject], at time: CMTime, to outputs: [OpenRoutes.Route<AVCaptureMetadataOutput>], _ delivery: Delivery
    ) {
        for route in outputs {
            environment.timings.measure("deliver") { route.output.deliver(objects, at: time, through: route.connection, by: delivery) }
        }
    }

    /// Reports the light and the resulting exposure to the device; returns whether there is too little light.
    private func meter(_ source: Frame, isRecording: Bool) -> Bool {
        let isDark = light.step(at: source.presentationTime.nanoseconds, illuminance: source.illuminance)
        device.meet(isDark: isDark, isRecording: isRecording)
        // A bracket's exposures are not the camera's.
        if let exposure = source.exposure, exposure != lastReported, source.bracket == nil {
            device.report(exposure)
            lastReported = exposure
        }
        return isDark
    }

    /// Detections under the session's numbers, in delivery order.
    private func identified(_ seen: [Detection], _ disparity: DisparityMap) -> [Detection] {
        if seen == recognised.seen, disparity.buffer === recognised.disparity?.buffer { return recognised.known }
        (recognised.seen, recognised.disparity) = (seen, disparity)
        recognised.measured = disparity.measured(seen)
        recognised.known = recognised.measured.map { book.identify($0) }.inDeliveryOrder
        return recognised.known
    }

    /// Log entry from which the decisions on a frame can be taken again: the detector's objects with their disparities, and what else focus rests on.
    private func inputs(
        of frame: Frame, calls: [FocusCall], taps: [DetectionLog.Tap], measured: DisparityMap?, _ disparity: DisparityMap, _ ambient: Double?
    ) -> DetectionLog.Entry {
        var entry = DetectionLog.Entry(
            frame: frame.index, time: frame.presentationTime.nanoseconds, detections: recognised.measured, disparity: measured?.statistics,
            shot: frame.shot)
        entry.taps = taps
        var capture = DetectionLog.Capture(light: frame.illuminance, ambient: ambient)
        capture.isMetric = disparity.isMetric ? true : nil
        if !calls.isEmpty {
            capture.calls = calls
            capture.points = calls.compactMap(\.measuredPoint).compactMap { point in
                disparity.median(in: CGRect(origin: point, size: .zero)).map { .init(at: point, disparity: $0) }
            }
        }
        capture.degradation = frame.degradation == .none ? nil : frame.degradation
        entry.capture = capture
        return entry
    }

    /// Detections to report of a frame: the same array for as long as the same is seen.
    private func reported(_ seen: [Detection], with fixed: Detection?) -> [Detection] {
        guard let fixed else { return seen }
        if let last = recognised.fixed, last.object == fixed, last.seen == seen { return last.all }
        let all = seen + [fixed]
        recognised.fixed = (fixed, seen, all)
        return all
    }

    private func fNumber(of aperture: Float) -> Double {
        if let last = recognised.aperture, last.value == aperture { return last.fNumber }
        let fNumber = Double(asWritten: aperture)
        recognised.aperture = (aperture, fNumber)
        return fNumber
    }

    private func lens(of picture: PictureSize) -> FrameLens {
        let zoom = device.videoZoomFactor
        if let last = recognised.lens, last.zoom == zoom, last.picture == picture { return last.lens }
        let lens = FrameLens(of: device, zoom: zoom, source: description, picture: picture, size: size)
        recognised.lens = (zoom, picture, lens)
        return lens
    }

    private func ambient(_ disparity: DisparityMap) -> Double? {
        if let last = recognised.ambient, last.disparity.buffer === disparity.buffer { return last.value }
        let value = disparity.ambient
        recognised.ambient = (disparity, value)
        return value
    }

    private func step(
        _ scene: inout FocusStage.Scene, of frame: Frame, calls: [FocusCall], isCinematic: Bool, salientObject: (CGPoint) throws -> Detection?
    ) throws -> FocusStep? {
        guard isCinematic else { return nil }
        if focus == nil { focus = FocusStage(tuning: environment.tuning) }
        return try focus?.step(&scene, of: frame, calls: calls, book: &book, salientObject: salientObject) { environment.diagnose($0) }
    }

    /// Detections and disparity of a frame. `measured` is the map that detectors are shown: never what was made of their detections.
    private func look(
        at frame: Frame, wantsObjects: Bool
    ) throws -> (detections: [Detection], measured: DisparityMap?, disparity: DisparityMap) {
        let (timings, detector) = (environment.timings, feed.detector)
        func detections(_ shown: DisparityMap?) throws -> [Detection] {
            try timings.measure("detect") { try detector.detections(in: frame, disparity: shown) }
        }
        if let recorded = frame.disparity { return (wantsObjects ? try detections(recorded) : [], recorded, recorded) }
        switch feed.depth {
        case .measured(let estimator):
            let map = try timings.measure("disparity") { try estimator.disparity(of: frame) }
            return (wantsObjects ? try detections(map) : [], map, map)
        case .estimated(let estimator):
            let found = try detections(nil)
            return (found, nil, try timings.measure("disparity") { try estimator.disparity(of: frame, detections: found) })
        case nil: throw CameraFeedError.noDisparity(camera: device.uniqueID, frame: frame.index)
        }
    }

    /// Disparity as lens, outputs and files have it.
    private func upsampled(_ disparity: DisparityMap, along picture: CVPixelBuffer) throws -> DisparityMap {
        guard let upsampler = feed.upsampler else { return disparity }
        return try environment.timings.measure("upsample") { try upsampler.upsampled(disparity, along: picture) }
    }

    private func fit(_ frame: Frame, to view: PictureView) -> Frame {
        view.isWhole ? frame : environment.timings.measure("fit") { fitter.fit(frame, to: view) }
    }

    private func object(
        for detection: Detection, mode: FocusMode, isFixed: Bool, at time: CMTime, lasting duration: CMTime
    ) -> AVMetadataObject {
        var content = AVMetadataObject.Content(.init(detection.kind), bounds: detection.bounds, time: time, duration: duration)
        (content.objectID, content.groupID, content.kindID) = (detection.objectID, detection.groupID, book.kindID(of: detection))
        (content.yaw, content.roll, content.isFixedFocus) = (detection.yaw, detection.roll, isFixed)
        content.focusMode = .init(mode)
        return .make(content, shared)
    }
}

extension Double {
    /// Number that a person means by a `Float`: 2.8, not 2.7999999523.
    fileprivate init(asWritten value: Float) { self = Double(value.description) ?? Double(value) }
}

/// A camera's feed that does not hold together.
enum CameraFeedError: Error, CustomStringConvertible {
    case noDisparity(camera: String, frame: Int)

    var description: String {
        switch self {
        case .noDisparity(let camera, let frame):
            "camera \(camera) gave no disparity with frame \(frame) and has no estimator: give its feed one, or frames that bring disparity"
        }
    }
}
