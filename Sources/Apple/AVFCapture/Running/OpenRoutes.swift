import Synchronization

/// Open connections and the outputs they lead to, by the kind of output.
final class OpenRoutes: Sendable {
    struct Route<Output: Sendable>: Sendable {
        let connection: AVCaptureConnection
        let output: Output
    }

    let outputs: [AVCaptureOutput]
    let video: [Route<AVCaptureVideoDataOutput>]
    let depth: [Route<AVCaptureDepthDataOutput>]
    let photos: [Route<AVCapturePhotoOutput>]
    let metadata: [Route<AVCaptureMetadataOutput>]
    let files: [AVCaptureFileOutput]
    /// Whether the camera is the first of its session.
    let leads: Bool
    /// Whether it brings the sound of the session's microphone.
    let hasMicrophone: Bool

    init(_ connections: [AVCaptureConnection], leads: Bool, hasMicrophone: Bool) {
        // The constraint matters: without it Swift 6.3 does not look for nil before it casts to an open class, in release.
        func routes<Output: AVCaptureOutput>(to type: Output.Type) -> [Route<Output>] {
            connections.compactMap { connection in (connection.output as? Output).map { Route(connection: connection, output: $0) } }
        }
        self.leads = leads
        self.hasMicrophone = hasMicrophone
        outputs = connections.compactMap(\.output)
        video = routes(to: AVCaptureVideoDataOutput.self)
        depth = routes(to: AVCaptureDepthDataOutput.self)
        photos = routes(to: AVCapturePhotoOutput.self)
        metadata = routes(to: AVCaptureMetadataOutput.self)
        files = outputs.compactMap { $0 as? AVCaptureFileOutput }
    }

    var isRecording: Bool { files.contains(where: \.isRecording) }

    /// Whether nobody takes the next frame but delegates of pictures, each of which may miss one.
    var wantsPicturesAlone: Bool {
        !video.isEmpty && outputs.allSatisfy { $0.synchronizer == nil } && !depth.contains { $0.output.isWanted }
            && !photos.contains { $0.output.isWanted }
    }

    /// Whether an output takes the next picture or map.
    var isAnyWanted: Bool {
        video.contains { $0.output.isWanted } || depth.contains { $0.output.isWanted } || photos.contains { $0.output.isWanted }
            || outputs.contains { $0.synchronizer != nil }
    }
}

/// Count of changes that open and close connections, so that routes need not be searched for in every frame.
enum GraphRevision {
    private static let count = Atomic(0)

    static var current: Int { count.load(ordering: .acquiring) }

    /// Counts a change: a connection or port was switched, a session committed its graph, opened another microphone or another camera, or one ended.
    static func advance() { count.add(1, ordering: .acquiringAndReleasing) }
}
