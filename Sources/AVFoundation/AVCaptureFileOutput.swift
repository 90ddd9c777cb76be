import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Synchronization

/// Writes a session's media to files.
///
///     idle ──startRecording──► recording ◄──pause / resume──► paused
///       ▲                          │                            │
///       └─ stopRecording, a limit, a full disk, a changed configuration, the session's end ─┘
///
/// The delegate hears of the end of every request, also of one that never came to write.
public class AVCaptureFileOutput: AVCaptureOutput, @unchecked Sendable {
    let recordingState = Mutex(State())
    let recordingQueue = DispatchQueue(label: "rackfocus recording")

    struct State: @unchecked Sendable {
        var recording: Recording?
        var isPaused = false
        var duration = CMTime.zero
        var size: Int64 = 0
        var maxDuration = CMTime.invalid
        var maxSize: Int64 = 0
        var minFreeSpace: Int64 = 0
    }

    override init(environment: CaptureEnvironment) { super.init(environment: environment) }

    /// What the next recording is to be.
    var wishes: Recording.Wishes { Recording.Wishes() }

    /// Where the recording goes; nil when there is none.
    public var outputFileURL: URL? { recordingState.withLock { $0.recording?.url } }
    public var isRecording: Bool { recordingState.withLock { $0.recording != nil } }
    public var isRecordingPaused: Bool { recordingState.withLock { $0.recording != nil && $0.isPaused } }
    /// How long the file is; after the end, how long the last one was.
    public var recordedDuration: CMTime { recordingState.withLock { $0.duration } }
    /// Bytes written.
    public var recordedFileSize: Int64 { recordingState.withLock { $0.size } }

    /// No recording gets longer; `.invalid` is no limit.
    public var maxRecordedDuration: CMTime {
        get { recordingState.withLock { $0.maxDuration } }
        set { recordingState.withLock { $0.maxDuration = newValue } }
    }

    /// A recording ends when its file has as many bytes; 0 is no limit.
    public var maxRecordedFileSize: Int64 {
        get { recordingState.withLock { $0.maxSize } }
        set { recordingState.withLock { $0.maxSize = newValue } }
    }

    /// A recording ends when fewer bytes are free on the disk; 0 is no limit.
    public var minFreeDiskSpaceLimit: Int64 {
        get { recordingState.withLock { $0.minFreeSpace } }
        set { recordingState.withLock { $0.minFreeSpace = newValue } }
    }

    /// Records from the next frame on. A recording under way ends first.
    public func startRecording(to outputFileURL: URL, recordingDelegate delegate: any AVCaptureFileOutputRecordingDelegate) {
        let selector = "-[\(type(of: self)) startRecordingToOutputFileURL:recordingDelegate:]"
        guard outputFileURL.isFileURL else {
            return environment.raise(.invalidArgument, selector, "Cannot record to URL \(outputFileURL) because it is not a file URL.")
        }
        guard connections.contains(where: \.isOpen) else {
            return environment.raise(.invalidArgument, selector, "No active/enabled connections")
        }
        let recording = Recording(url: outputFileURL, connections: connections, wishes: wishes, delegate: delegate)
        let refusal: AVError? =
            session?.isRunning != true
            ? AVError(.sessionNotRunning) : FileManager.default.fileExists(atPath: outputFileURL.path) ? AVError(.fileAlreadyExists) : nil
        let old = recordingState.withLock { state in
            defer {
                state.recording = refusal == nil ? recording : nil
                state.isPaused = false
                state.duration = .zero
                state.size = 0
            }
            return state.recording
        }
        if let old { finish(old, error: nil) }
        if let refusal { finish(recording, error: refusal) }
    }

    /// Ends the recording; the delegate hears when the file is complete.
    public func stopRecording() { endRecording(error: nil) }

    /// Frames from now on are left out, and the file stays open.
    public func pauseRecording() {
        setPaused(true) { $0.delegate.fileOutput($1, didPauseRecordingTo: $0.url, from: $0.connections) }
    }

    /// The next frame follows the last one written.
    public func resumeRecording() {
        setPaused(false) { $0.delegate.fileOutput($1, didResumeRecordingTo: $0.url, from: $0.connections) }
    }

    private func setPaused(_ isPaused: Bool, tell: @escaping @Sendable (Recording, AVCaptureFileOutput) -> Void) {
        let recording: Recording? = recordingState.withLock { state in
            guard state.isPaused != isPaused else { return nil }
            state.isPaused = isPaused && state.recording != nil
            return state.recording
        }
        guard let recording else { return }
        onRecordingQueue { [self] in
            recording.leaveGap()
            if !recording.isClosed { tell(recording, self) }
        }
    }

    func onRecordingQueue(_ body: @escaping @Sendable () -> Void) {
        recordingQueue.async { [environment] in CaptureEnvironment.$scoped.withValue(environment, operation: body) }
    }
}
