import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Support
import Synchronization

/// Frames of a camera of this machine, with word of how it fares.
public protocol LiveCameraSource: AdjustableSource {
    /// Monotonic nanoseconds of time zero of the frames; nil before the first.
    var zero: Int64? { get }
    /// Counts so far.
    var figures: CameraSource.Figures { get }
    /// Stops the stream and leaves the camera as it was; frames end.
    func close()
}

extension CameraSource: LiveCameraSource {}

/// Two cameras as one source: the first one's frames, each with the second's of the same time as right picture or, of a depth camera, as disparity.
///
/// A frame without a partner within half a frame is left out, and counted in `remarks`, as are the clocks' offset, drift and jitter. Settings go to both
/// cameras.
public final class PairedCameraSource: LiveCameraSource {
    private let first: CameraSource
    private let second: CameraSource
    private let pairing: Mutex<FramePairing>

    /// Pairs two cameras. Throws `VideoDeviceError` where they differ in rate, or in the size of pictures or the shape of depth.
    public init(_ first: CameraSource, with second: CameraSource) throws(VideoDeviceError) {
        let (a, b) = (first.description, second.description)
        guard abs(a.frameDuration.seconds / b.frameDuration.seconds - 1) < 0.01 else {
            throw VideoDeviceError(.unsupported, second.device, "has another rate than \(first.device); choose a format that both have")
        }
        let skew = abs(a.width * b.height - b.width * a.height)
        guard second.isDepth ? skew * 50 <= a.width * b.height : a.width == b.width && a.height == b.height else {
            let reason = "\(b.width)x\(b.height) does not go with the \(a.width)x\(a.height) of \(first.device)"
            throw VideoDeviceError(.unsupported, second.device, "\(reason): two eyes have one size, depth has the shape of the picture")
        }
        (self.first, self.second) = (first, second)
        let duration = a.frameDuration
        pairing = Mutex(FramePairing(duration: duration.value * 1_000_000_000 / Int64(duration.timescale)))
    }

    /// Size, rate and colours of the first camera.
    public var description: SourceDescription { first.description }
    /// Monotonic nanoseconds of time zero, the first camera's first frame; nil before it.
    public var zero: Int64? { first.zero }

    /// Frames that came as a pair, and the losses of both cameras.
    public var figures: CameraSource.Figures {
        let (a, b, pairs) = (first.figures, second.figures, pairing.withLock { $0.pairs })
        return CameraSource.Figures(
            frames: pairs, dropped: a.dropped + b.dropped, damaged: a.damaged + b.damaged, restarts: a.restarts + b.restarts)
    }

    /// Losses of both cameras, the state of their clocks, and frames without a partner, a line for each.
    public var remarks: [String] {
        let pairing = pairing.withLock { $0 }
        var lines = [first, second].flatMap { source in source.remarks.map { "\(source.device): \($0)" } }
        if let offset = pairing.offset, let drift = pairing.drift, let jitter = pairing.jitter {
            lines.append(
                String(
                    format: "%d pairs of frames: the second camera %.1f ms %@, drifting by %+.0f millionths, jitter %.2f ms", pairing.pairs,
                    abs(offset) * 1000, offset < 0 ? "ahead" : "behind", drift * 1e6, jitter * 1000))
        }
        if pairing.firstAlone + pairing.secondAlone > 0 {
            let first = pairing.firstAlone.counted("frame")
            lines.append("\(first) of the first and \(pairing.secondAlone) of the second camera had no partner and are left out")
        }
        return lines
    }

    /// Applies settings that the cameras have controls for.
    public func adjust(_ settings: CameraSettings) {
        first.adjust(settings)
        second.adjust(settings)
    }

    /// Waits for the next pair; nil once the source is closed. A camera that is late is waited for: the other's driver has buffers meanwhile.
    public func nextFrame() throws -> Frame? {
        // Streams start one after the other: the second camera must not lose frames while the first is waited for.
        guard var frame = try first.nextFrame(), var partner = try second.nextFrame() else { return nil }
        while true {
            guard let (zero, other) = first.zero.flatMap({ zero in second.zero.map { (zero, $0) } }) else { return nil }
            let times = (zero + frame.presentationTime.nanoseconds, other + partner.presentationTime.nanoseconds)
            switch pairing.withLock({ $0.match(first: (frame.index, times.0), second: (partner.index, times.1)) }) {
            case .firstAlone:
                guard let next = try first.nextFrame() else { return nil }
                frame = next
            case .secondAlone:
                guard let next = try second.nextFrame() else { return nil }
                partner = next
            case .pair:
                if let map = partner.disparity { frame.disparity = map } else { frame.rightImage = partner.image }
                frame.dueDate = [frame.dueDate, partner.dueDate].compactMap { $0 }.max()
                return frame
            }
        }
    }

    /// Stops both streams and leaves the cameras as they were; frames end.
    public func close() {
        first.close()
        second.close()
    }
}
