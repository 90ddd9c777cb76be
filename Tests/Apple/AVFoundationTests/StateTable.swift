import AVFoundation
import Foundation
import Testing

/// One call, how it comes out in each state, and what it changes where it is allowed.
struct GraphCall: Sendable, CustomTestStringConvertible {
    let name: String
    /// A letter for each state: `.` allowed, `E` an error is thrown, others as `reasons` has them.
    let outcomes: String
    /// Exception and a part of its reason; capital G is the missing lock.
    let reasons: [Character: (CaptureEnvironment.Violation.Name, String)]
    let call: @Sendable (StateRig) throws -> Void
    let change: @Sendable (inout GraphSnapshot, GraphState) -> Void
    var testDescription: String { name }

    init(
        _ name: String, _ outcomes: String, _ reasons: [Character: (CaptureEnvironment.Violation.Name, String)],
        _ call: @escaping @Sendable (StateRig) throws -> Void,
        then change: @escaping @Sendable (inout GraphSnapshot, GraphState) -> Void = { _, _ in }
    ) {
        self.name = name
        self.outcomes = outcomes.filter { $0 != " " }
        self.reasons = reasons.merging(["G": (.generic, "lockForConfiguration")]) { own, _ in own }
        (self.call, self.change) = (call, change)
    }

    /// Refused by the lock or not at all.
    init(
        _ name: String, _ outcomes: String, _ call: @escaping @Sendable (StateRig) throws -> Void,
        then change: @escaping @Sendable (inout GraphSnapshot, GraphState) -> Void = { _, _ in }
    ) { self.init(name, outcomes, [:], call, then: change) }
}

private let twentyFourth = CMTime(value: 1, timescale: 24)
private let large = "3840x2160 420v 1.0-30.0 fps"
private let largest = "4032x3024 420f 1.0-30.0 fps"
private func largestFormat(of device: AVCaptureDevice) -> AVCaptureDevice.Format {
    device.formats.last { $0.formatDescription.dimensions.width == 4032 }!
}
private let batch = (CaptureEnvironment.Violation.Name.generic, "beginConfiguration and commitConfiguration")
private let noCinematic = (CaptureEnvironment.Violation.Name.invalidArgument, "use activeFormat.isCinematicVideoCaptureSupported")
private func invalid(_ reason: String) -> (CaptureEnvironment.Violation.Name, String) { (.invalidArgument, reason) }

extension GraphCall {
    //  empty  idle batch  running runningBatch interrupted  plain plainRunning  cinematic cinematicRunning recording paused  unplugged
    static let session: [GraphCall] = [
        GraphCall("startRunning", ". .B .B. .. .... .", ["B": batch], { $0.session.startRunning() }) {
            if $1 != .interrupted, $1 != .unplugged { $0.isRunning = true }
        },
        GraphCall("stopRunning", ". .B .B. .. .... .", ["B": batch], { $0.session.stopRunning() }) { after, _ in
            after.isRunning = false
            after.endRecording()
        },
        GraphCall("beginConfiguration", ". .. ... .. .... .", { $0.session.beginConfiguration() }),
        GraphCall("commitConfiguration", ". .. ... .. .... .", { $0.session.commitConfiguration() }),
        GraphCall("addInput again", ". II III II IIII I", ["I": invalid("may not be added more than once")], { $0.session.addInput($0.input) }) {
            after, _ in (after.inputs, after.isSupported) = (1, true)
        },
        GraphCall("addInput of another camera", ". II III II IIII I", ["I": invalid("Multiple audio/video")], { $0.session.addInput($0.otherInput) })
        {
            after, _ in after.inputs = 1
        },
        GraphCall("removeInput", ". .. ... .. .... .", { $0.session.removeInput($0.input) }) { after, state in
            (after.inputs, after.connections) = (0, 0)
            // Within a batch it is as it was until the commit.
            if !state.isBatch { (after.isSupported, after.isEnabled) = (false, false) }
            (after.angle, after.isMirrored) = (nil, nil)
            after.endRecording()
        },
        GraphCall("removeInput of another session", ". .. ... .. .... .", { $0.session.removeInput($0.otherInput) }),
        GraphCall(
            "addOutput of a class that is there", ". II III II IIII I", ["I": invalid("more than one output of the same type")],
            { $0.session.addOutput(AVCaptureMetadataOutput()) }
        ) { after, _ in after.outputs = 1 },
        GraphCall("addOutput again", ". II III II IIII I", ["I": invalid("may not be added more than once")], { $0.session.addOutput($0.video) }) {
            after, _ in after.outputs = 1
        },
        GraphCall("addOutput of more video data", ". .. ... .. .... .", { $0.session.addOutput(AVCaptureVideoDataOutput()) }) {
            $0.outputs += 1
            if $1 != .empty { $0.connections += 1 }
        },
        GraphCall("removeOutput", ". .. ... .. .... .", { $0.session.removeOutput($0.video) }) {
            guard $1 != .empty else { return }
            ($0.outputs, $0.connections, $0.angle, $0.isMirrored) = (3, $0.connections - 1, nil, nil)
        },
        GraphCall("sessionPreset", ". .. ... .. .... .", { $0.session.sessionPreset = .hd4K3840x2160 }) {
            $0.preset = .hd4K3840x2160
            guard $1 != .empty, !$1.isBatch else { return }
            ($0.format, $0.zoom, $0.fastest) = (large, $1.isEnabled ? 2 : 1, CMTime(value: 1, timescale: 30))
            $0.endRecording()
        },
        GraphCall(
            "sessionPreset that no format has", ". II III II IIII I", ["I": invalid("canSetSessionPreset:")],
            { $0.session.sessionPreset = .cif352x288 }
        ) { after, _ in after.preset = .cif352x288 },
        GraphCall(
            "addConnection again", ". II III II IIII I", ["I": invalid("already in the session")],
            { rig in rig.session.connections.first.map(rig.session.addConnection) }),
    ]

    //  empty  idle batch  running runningBatch interrupted  plain plainRunning  cinematic cinematicRunning recording paused  unplugged
    static let device: [GraphCall] = [
        GraphCall("lockForConfiguration", ". .. ... .. .... E", { try $0.device.lockForConfiguration() }),
        GraphCall("unlockForConfiguration", "U UU UUU UU UUUU U", ["U": (.generic, "not locked")], { $0.device.unlockForConfiguration() }),
        GraphCall("activeFormat without lock", "G GG GGG GG GGGG G", { $0.device.activeFormat = largestFormat(of: $0.device) }),
        GraphCall("activeFormat", ". .. ... .. .... E", { rig in try rig.locked { rig.device.activeFormat = largestFormat(of: rig.device) } }) {
            ($0.format, $0.zoom, $0.fastest) = (largest, 1, CMTime(value: 1, timescale: 30))
            guard $1 != .empty else { return }
            $0.preset = .inputPriority
            // A session that never ran answers for its batch.
            if $1 == .batch { $0.isSupported = false }
            guard !$1.isBatch else { return }
            ($0.isSupported, $0.isEnabled, $0.aperture) = (false, false, 0)
            $0.endRecording()
        },
        GraphCall(
            "activeFormat of another camera", "I II III II IIII E", ["I": invalid("Use -formats to discover valid formats")],
            { rig in try rig.locked { rig.device.activeFormat = rig.otherInput.device.formats[0] } }),
        GraphCall("activeVideoMinFrameDuration without lock", "G GG GGG GG GGGG G", { $0.device.activeVideoMinFrameDuration = twentyFourth }),
        GraphCall(
            "activeVideoMinFrameDuration", ". .. ... .. .... E", { rig in try rig.locked { rig.device.activeVideoMinFrameDuration = twentyFourth } }
        ) { after, _ in after.fastest = twentyFourth },
        GraphCall(
            "activeVideoMinFrameDuration out of range", "I II III II IIII E", ["I": invalid("videoSupportedFrameRateRanges")],
            { rig in try rig.locked { rig.device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 500) } }),
        GraphCall("focusMode without lock", "G GG GGG GG GGGG G", { $0.device.focusMode = .locked }),
        GraphCall(
            "focusMode", ". .. ... .. IIII E", ["I": invalid("cinematic video capture is enabled")],
            { rig in try rig.locked { rig.device.focusMode = .locked } }
        ) { after, _ in after.focusMode = .locked },
        GraphCall("videoZoomFactor without lock", "G GG GGG GG GGGG G", { $0.device.videoZoomFactor = 3 }),
        GraphCall("videoZoomFactor", ". .. ... .. RRRR E", ["R": (.range, "3.0")], { rig in try rig.locked { rig.device.videoZoomFactor = 3 } }) {
            after, _ in after.zoom = 3
        },
        GraphCall(
            "videoZoomFactor below 1", "R RR RRR RR RRRR E", ["R": (.range, "0.5")], { rig in try rig.locked { rig.device.videoZoomFactor = 0.5 } }),
        GraphCall(
            "ramp out of range", "R RR RRR RR RRRR E", ["R": (.range, "99.0")],
            { rig in try rig.locked { rig.device.ramp(toVideoZoomFactor: 99, withRate: 1) } }),
        GraphCall(
            "tracking focus on an ID without lock", "G GG GGG GG GGGG G",
            { $0.device.setCinematicVideoTrackingFocus(detectedObjectID: 1, focusMode: .weak) }),
        GraphCall(
            "tracking focus on an ID", ". .. ... II .... E", ["I": noCinematic],
            { rig in try rig.locked { rig.device.setCinematicVideoTrackingFocus(detectedObjectID: 1, focusMode: .weak) } }),
        GraphCall(
            "tracking focus at a point", ". .. ... II .... E", ["I": noCinematic],
            { rig in try rig.locked { rig.device.setCinematicVideoTrackingFocus(at: .zero, focusMode: .strong) } }),
        GraphCall(
            "fixed focus without lock", "G GG GGG GG GGGG G", { $0.device.setCinematicVideoFixedFocus(at: .zero, focusMode: .strong) }),
        GraphCall(
            "fixed focus", ". .. ... II .... E", ["I": noCinematic],
            { rig in try rig.locked { rig.device.setCinematicVideoFixedFocus(at: .zero, focusMode: .strong) } }),
        GraphCall(
            "fixed focus nowhere", ". .. ... II NNNN E", ["I": noCinematic, "N": invalid("not a number")],
            { rig in try rig.locked { rig.device.setCinematicVideoFixedFocus(at: CGPoint(x: CGFloat.nan, y: 0), focusMode: .strong) } }),
    ]

    static let all = session + device + input + output
}
