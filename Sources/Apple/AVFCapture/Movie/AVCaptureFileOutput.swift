import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Synchronization

/// Output that writes a session's media to files.
///
///     idle ──startRecording──► recording ◄──pause / resume──► paused
///       ▲                          │                            │
///       └─ stopRecording, a limit, a full disk, a changed configuration, the session's end ─┘
///
/// The delegate is called at the end of every request, also of one that never came to write.
open class AVCaptureFileOutput: AVCaptureOutput, @unchecked Sendable {
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
        var lastError: AVError?
        /// Whether the delegate was called and nobody has waited for it.
        var hasTold = false
    }

    private static let queueOwner = DispatchSpecificKey<ObjectIdentifier>()

    override init() {
        super.init()
        recordingQueue.setSpecific(key: Self.queueOwner, value: ObjectIdentifier(self))
    }

    override func takes(_ port: AVCaptureInput.Port) -> Bool { port.mediaType == .video || port.mediaType == .audio }

    /// Wishes for the recording of a file.
    func wishes(for url: URL) -> Recording.Wishes { Recording.Wishes() }

    /// Error that ended the last recording; nil when it ended as asked.
    package var lastRecordingError: AVError? { recordingState.withLock { $0.lastError } }

    /// File of the recording under way; nil when there is none.
    open var outputFileURL: URL? { recordingState.withLock { $0.recording?.url } }
    /// Whether a recording is under way, paused or not.
    open var isRecording: Bool { recordingState.withLock { $0.recording != nil } }
    /// Whether a recording is under way and paused.
    open var isRecordingPaused: Bool { recordingState.withLock { $0.recording != nil && $0.isPaused } }
    /// Length of the file so far; after the end, the length of the last one.
    open var recordedDuration: CMTime { recordingState.withLock { $0.duration } }
    /// Bytes written so far; after the end, those of the last file.
    open var recordedFileSize: Int64 { recordingState.withLock { $0.size } }

    /// Greatest length of a recording, which ends it with `maximumDurationReached`; `.invalid` (default) is no limit.
    open var maxRecordedDuration: CMTime {
        get { recordingState.withLock { $0.maxDuration } }
        set { recordingState.withLock { $0.maxDuration = newValue } }
    }

    /// Size in bytes that ends a recording with `maximumFileSizeReached`; 0 (default) is no limit.
    open var maxRecordedFileSize: Int64 {
        get { recordingState.withLock { $0.maxSize } }
        set { recordingState.withLock { $0.maxSize = newValue } }
    }

    /// Bytes free on the disk below which a recording ends with `diskFull`; 0 (default) is no limit.
    open var minFreeDiskSpaceLimit: Int64 {
        get { recordingState.withLock { $0.minFreeSpace } }
        set { recordingState.withLock { $0.minFreeSpace = newValue } }
    }

    /// Records from the next frame on; a recording under way ends first.
    /// An existing file and a session that does not run are reported to the delegate. Raises without a file URL or an open connection.
    open func startRecording(to outputFileURL: URL, recordingDelegate delegate: any AVCaptureFileOutputRecordingDelegate) {
        let selector = "-[\(type(of: self)) startRecordingToOutputFileURL:recordingDelegate:]"
        guard outputFileURL.isFileURL else {
            return environment.raise(.invalidArgument, selector, "Cannot record to URL \(outputFileURL) because it is not a file URL.")
        }
        guard connections.contains(where: \.isOpen) else {
            return environment.raise(.invalidArgument, selector, "No active/enabled connections")
        }
        let recording = Recording(url: outputFileURL, connections: connections, wishes: wishes(for: outputFileURL), delegate: delegate)
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

    /// Ends the recording; the delegate is called when the file is complete. Does nothing without one.
    open func stopRecording() { endRecording(error: nil) }

    /// Leaves frames out from now on, and keeps the file open.
    open func pauseRecording() {
        setPaused(true) { $0.fileOutput($1, didPauseRecordingTo: $2.url, from: $2.connections) }
    }

    /// Writes frames again; the next follows the last one written.
    open func resumeRecording() {
        setPaused(false) { $0.fileOutput($1, didResumeRecordingTo: $2.url, from: $2.connections) }
    }

    private func setPaused(
        _ isPaused: Bool, call: @escaping @Sendable (any AVCaptureFileOutputRecordingDelegate, AVCaptureFileOutput, Recording) -> Void
    ) {
        let recording: Recording? = recordingState.withLock { state in
            guard state.isPaused != isPaused else { return nil }
            state.isPaused = isPaused && state.recording != nil
            return state.recording
        }
        guard let recording else { return }
        onRecordingQueue { [self] in
            recording.leaveGap()
            if !recording.isClosed { tell(recording) { [self] in call($0, self, recording) } }
        }
    }

    /// Calls a recording's delegate on its queue: now in an inline session, which has no other thread to do it later.
    func tell(_ recording: Recording, _ call: @escaping @Sendable (any AVCaptureFileOutputRecordingDelegate) -> Void) {
        if environment.isInline { return call(recording.delegate) }
        recordingState.withLock { $0.hasTold = true }
        environment.callDelegate { call(recording.delegate) }
    }

    /// Runs `body` on the recording queue: now in an inline session, which has no other thread to do it later.
    func onRecordingQueue(_ body: @escaping @Sendable () -> Void) {
        if environment.isInline {
            let isThere = DispatchQueue.getSpecific(key: Self.queueOwner) == ObjectIdentifier(self)
            return isThere ? body() : recordingQueue.sync(execute: body)
        }
        recordingQueue.async { [environment] in environment.enter(body) }
    }
}
