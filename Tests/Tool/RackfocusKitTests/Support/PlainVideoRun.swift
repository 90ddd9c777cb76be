import AVFoundation
import Bokeh
import CameraApp
import CoreVideo
import Foundation
import Pipeline
import Synchronization
import Testing

@testable import RackfocusKit

/// Footage through the camera app and the real lens, without a codec behind it: the faces of each frame, and how sharp each is.
///
/// The sharpness of a face is the sum of the luma's differences between neighbours within its box, after the lens as a share of before: 1 where
/// nothing was blurred.
final class PlainVideoRun: CaptureObserver {
    struct Face: Equatable {
        var id: Int
        var bounds: CGRect
        var sharpness: Double
        var isInFocus: Bool
    }

    struct Picture {
        var faces: [Face]
        var state: FocusState
    }

    private let records = Mutex<[Int64: FrameRecord]>([:])
    private let seen = Mutex<[Picture]>([])

    /// Of each frame.
    var faces: [[Face]] { seen.withLock { $0.map(\.faces) } }

    /// Greatest change of the sharpness of a face in focus from one frame to the next, and the frame in which it happens.
    ///
    /// A rack changes faces because it is meant to, as does a change of subject in the opening of a shot, which has no rack: these do not count.
    /// Nor do people out of focus, whose outline may be cut anew: one of them steps by .21.
    var greatestStep: (step: Double, frame: Int) {
        var greatest = (step: 0.0, frame: 0)
        let pictures = seen.withLock { $0 }
        for (frame, (before, after)) in zip(pictures, pictures.dropFirst()).enumerated()
        where after.state.rack == nil && after.state.subject == before.state.subject {
            for face in after.faces where face.isInFocus {
                guard let old = before.faces.first(where: { $0.id == face.id }) else { continue }
                let step = abs(face.sharpness - old.sharpness)
                if step > greatest.step { greatest = (step, frame + 1) }
            }
        }
        return greatest
    }

    /// Focus and faces of the frames around one, for messages.
    func excerpt(around frame: Int) -> String {
        seen.withLock { pictures in
            (max(frame - 2, 0)..<min(frame + 3, pictures.count)).map { index in
                let (state, faces) = (pictures[index].state, pictures[index].faces)
                return "\n\(index): \(state.mode) on \(state.subject ?? -1) at \(state.focusDisparity); "
                    + faces.map { "\($0.id) \($0.sharpness)\($0.isInFocus ? " in focus" : "")" }.joined(separator: ", ")
            }.joined()
        }
    }

    func run(_ feed: CameraFeed) throws {
        let environment = CaptureEnvironment(
            cameras: [.plainFootage(feed.source.description, name: "plain")], renderer: try VulkanBokehRenderer(), observer: self
        ) { _ in feed }
        let camera = try CaptureEnvironment.$scoped.withValue(environment) { try CinematicCamera() }
        let end = camera.play { [self] in take($0) }
        if case .failed(let error) = end { throw error }
    }

    func willProcess(_ frame: Frame) {}

    func didDecide(_ record: FrameRecord) {
        records.withLock { $0[record.frame.presentationTime.nanoseconds] = record }
    }

    private func take(_ shot: CinematicCamera.Shot) {
        let time = CMSampleBufferGetPresentationTimeStamp(shot.sampleBuffer).nanoseconds
        guard let shallow = CMSampleBufferGetImageBuffer(shot.sampleBuffer), let record = records.withLock({ $0.removeValue(forKey: time) })
        else { return }
        let focused = record.detections.first { $0.objectID == record.state.subject }
        let faces = record.detections.filter { $0.kind == .face }.compactMap { face -> Face? in
            let before = record.frame.image.detail(in: face.bounds, .rectangle)
            guard before > 0 else { return nil }
            return Face(
                id: face.objectID, bounds: face.bounds, sharpness: shallow.detail(in: face.bounds, .rectangle) / before,
                isInFocus: face.objectID == focused?.objectID || face.groupID == focused?.groupID)
        }
        seen.withLock { $0.append(Picture(faces: faces, state: record.state)) }
    }
}
