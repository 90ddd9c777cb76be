import CoreMedia
import Focus
import Foundation
import Optics
import Pipeline

/// A frame whose story is settled, on its way to the lens.
struct DecidedFrame: Sendable {
    let frame: Frame
    /// The blur to render; nil leaves the picture sharp.
    let blur: Blur?
    /// What was heard meanwhile.
    var sound: Sound?
    /// What a depth output may have: nothing while cinematic capture is enabled.
    var depth: DisparityMap?

    struct Blur: Sendable {
        let disparity: DisparityMap
        let circle: CircleOfConfusion
        let lens: Lens
    }
}

/// The second stage: who is there, where is focus, is there light. Frame by frame, on one thread.
final class FrameDecider {
    private let feed: CameraFeed
    private let input: AVCaptureDeviceInput
    private let environment: CaptureEnvironment
    private let shared: AVMetadataObject.Shared
    private var book: IdentityBook
    private var focus: FocusStage?
    private var light: LightMonitor
    private var recognised = Recognised()

    /// What was seen last and what came of it, for frames that show the same again.
    private struct Recognised {
        var seen: [Detection] = []
        var disparity: DisparityMap?
        var known: [Detection] = []
        var ambient: (disparity: DisparityMap, value: Double?)?
        /// The detections with the object that stands for a fixed focus behind them.
        var fixed: (object: Detection, seen: [Detection], all: [Detection])?
        var aperture: (value: Float, fNumber: Double)?
    }

    init(feed: CameraFeed, input: AVCaptureDeviceInput, environment: CaptureEnvironment, counters: IdentityCounters) {
        self.feed = feed
        self.input = input
        self.environment = environment
        shared = AVMetadataObject.Shared(environment)
        book = IdentityBook(counters: counters)
        light = LightMonitor(tuning: environment.tuning)
    }

    /// Settles one frame and hands its objects to the metadata outputs of `connections`.
    func decide(_ frame: Frame, connections: [AVCaptureConnection], delivery: Delivery) throws -> DecidedFrame {
        let timings = environment.timings
        let calls = input.device.takeFocusCalls()
        let isCinematic = input.isCinematicVideoCaptureEnabled
        let illuminance = frame.exposure?.illuminance ?? frame.meteredIlluminance
        let isDark = light.step(at: frame.presentationTime.nanoseconds, illuminance: illuminance) && isCinematic
        input.device.setStatuses(isDark ? [.notEnoughLight] : [])
        if !isCinematic { focus = nil }

        let outputs = connections.compactMap { connection in (connection.output as? AVCaptureMetadataOutput).map { ($0, connection) } }
        let wantsDepth = !isCinematic && connections.contains { ($0.output as? AVCaptureDepthDataOutput)?.isWanted ?? false }
        let wantsObjects = isCinematic || environment.observer != nil || !outputs.isEmpty
        guard wantsObjects || wantsDepth else { return DecidedFrame(frame: frame, blur: nil) }

        let disparity = try timings.measure("disparity") { try self.disparity(of: frame) }
        let depth = wantsDepth ? disparity : nil
        guard wantsObjects else { return DecidedFrame(frame: frame, blur: nil, depth: depth) }
        let seen = try timings.measure("detect") { try feed.detector.detections(in: frame, disparity: disparity) }
        var scene = FocusStage.Scene(disparity: disparity, detections: identified(seen, disparity), ambientDisparity: ambient(disparity))
        let step = try timings.measure("focus") { try self.step(&scene, of: frame, calls: calls, isCinematic: isCinematic) }
        let live = step?.state ?? FocusState(focusDisparity: scene.ambientDisparity ?? 0)
        let state = step == nil ? live : environment.focusPlan?.applied(to: live, at: frame.presentationTime.nanoseconds) ?? live
        let detections = reported(scene.detections, with: step?.fixedObject)
        let fNumber = isCinematic ? fNumber(of: input.simulatedAperture) : nil

        environment.observer?.didDecide(
            FrameRecord(
                frame: frame, detections: detections, state: state, decisions: step?.decisions ?? [],
                withheld: step?.withheld ?? [], fNumber: fNumber, notEnoughLight: isDark))
        if !outputs.isEmpty {
            let objects = detections.map {
                object(for: $0, state: state, isFixed: $0.objectID == step?.fixedObject?.objectID, at: frame.presentationTime)
            }
            for (output, connection) in outputs {
                timings.measure("deliver") { output.deliver(objects, at: frame.presentationTime, through: connection, by: delivery) }
            }
        }
        guard let fNumber else { return DecidedFrame(frame: frame, blur: nil, depth: depth) }
        let lens = Lens(focalLength: focalLength, fNumber: fNumber)
        let circle = lens.circleOfConfusion(focusDisparity: state.focusDisparity, pictureWidth: CVPixelBufferGetWidth(frame.image))
        return DecidedFrame(frame: frame, blur: DecidedFrame.Blur(disparity: disparity, circle: circle, lens: lens))
    }

    /// Under the session's numbers, in delivery order.
    private func identified(_ seen: [Detection], _ disparity: DisparityMap) -> [Detection] {
        if seen == recognised.seen, disparity.buffer === recognised.disparity?.buffer { return recognised.known }
        (recognised.seen, recognised.disparity) = (seen, disparity)
        recognised.known = seen.map { book.identify(disparity.measured($0)) }.inDeliveryOrder
        return recognised.known
    }

    /// What is reported of a frame: the same array for as long as the same is seen.
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

    private func ambient(_ disparity: DisparityMap) -> Double? {
        if let last = recognised.ambient, last.disparity.buffer === disparity.buffer { return last.value }
        let value = disparity.ambient
        recognised.ambient = (disparity, value)
        return value
    }

    private func step(_ scene: inout FocusStage.Scene, of frame: Frame, calls: [FocusCall], isCinematic: Bool) throws -> FocusStep? {
        guard isCinematic else { return nil }
        if focus == nil { focus = FocusStage(tuning: environment.tuning, detector: feed.detector) }
        return try focus?.step(&scene, of: frame, calls: calls, book: &book) { environment.diagnose($0) }
    }

    private func disparity(of frame: Frame) throws -> DisparityMap {
        if let disparity = frame.disparity { return disparity }
        guard let estimator = feed.estimator else { throw CameraFeedError.noDisparity(camera: input.device.uniqueID, frame: frame.index) }
        return try estimator.disparity(of: frame)
    }

    /// The source knows its lens, or the camera and its zoom say it.
    private var focalLength: Double {
        feed.source.description.focalLength ?? input.device.profile.focalLength * input.device.videoZoomFactor
    }

    private func object(for detection: Detection, state: FocusState, isFixed: Bool, at time: CMTime) -> AVMetadataObject {
        var content = AVMetadataObject.Content(
            .init(detection.kind), bounds: detection.bounds, time: time, duration: feed.source.description.frameDuration)
        (content.objectID, content.groupID, content.kindID) = (detection.objectID, detection.groupID, book.kindID(of: detection))
        (content.yaw, content.roll, content.isFixedFocus) = (detection.yaw, detection.roll, isFixed)
        content.focusMode = state.subject == detection.objectID ? .init(state.mode) : .none
        return .make(content, shared)
    }
}

extension Double {
    /// The number a person means by a `Float`: 2.8, not 2.7999999523.
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
