import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Support
import Synchronization

/// User info key, in a recording's error, of whether the file is good all the same.
public let AVErrorRecordingSuccessfullyFinishedKey = "AVErrorRecordingSuccessfullyFinishedKey"

extension AVCaptureFileOutput {
    /// Ends the recording under way, if there is one, for the reason that its delegate receives.
    func endRecording(error: AVError?) {
        let recording = recordingState.withLock { state in
            defer {
                if state.recording != nil { state.lastError = error }
                state.recording = nil
                state.isPaused = false
            }
            return state.recording
        }
        if let recording { finish(recording, error: error) }
    }

    func finish(_ recording: Recording, error: AVError?) {
        onRecordingQueue { [self] in close(recording, error: error) }
    }

    /// Writes one frame of the source, sharp as it came, with the sound captured meanwhile, and waits until it is written. While cinematic capture is
    /// enabled, disparity and metadata go along.
    ///
    /// - Parameter sound: of an open audio connection, on the time of the frames. A recording whose first frame has none is silent.
    func deliver(_ decided: DecidedFrame, sound: Sound?, of source: SourceDescription, by delivery: Delivery) {
        let frame = decided.frame
        deliver(at: frame.presentationTime, lasting: source.frameDuration, by: delivery) { [self] recording in
            let cinematic = recording.cinematicFrame(of: decided) { environment.diagnose($0) }
            let isFirst = try recording.append(frame.image, cinematic, at: frame.presentationTime, duration: source.frameDuration) {
                try open(recording, MovieDescription(of: source, sound: sound, cinematic: cinematic?.disparity, wishes: recording.wishes))
            }
            if let sound { try recording.append(sound) }
            return isFirst
        }
    }

    /// Writes sound of a session without a camera, and waits until it is written.
    func deliver(_ sound: Sound, by delivery: Delivery) {
        deliver(at: sound.presentationTime, lasting: sound.duration, by: delivery) { [self] recording in
            try recording.appendAlone(sound) { try open(recording, MovieDescription(of: sound, wishes: recording.wishes)) }
        }
    }

    /// Hands timed metadata of the app's, on the session's time, to the recording under way.
    func deliver(_ metadata: MovieSample, from port: AVCaptureInput.Port) {
        onRecordingQueue { [self] in
            let state = recordingState.withLock { $0 }
            guard let recording = state.recording, !state.isPaused else { return }
            do {
                try recording.append(metadata, from: port)
            } catch {
                end(recording, AVError(recordingFailure: error), isBroken: true)
            }
        }
    }

    private func open(_ recording: Recording, _ movie: MovieDescription) throws -> any MovieWriter {
        guard let openMovie = environment.openMovie else { throw MovieWriterMissing() }
        return try openMovie(recording.url, movie)
    }

    /// - Parameter append: writes to a recording, and returns whether it was the first time.
    private func deliver(
        at time: CMTime, lasting duration: CMTime, by delivery: Delivery, append: @escaping @Sendable (Recording) throws -> Bool
    ) {
        delivery.call(on: recordingQueue) { [self] in
            let state = recordingState.withLock { $0 }
            guard let recording = state.recording, !state.isPaused else { return }
            write(at: time, lasting: duration, to: recording, limits: state) { try append(recording) }
        }
        let hasTold = recordingState.withLock { state in
            defer { state.hasTold = false }
            return state.hasTold
        }
        if hasTold { delivery.awaitDelegates() }
    }

    private func write(at time: CMTime, lasting duration: CMTime, to recording: Recording, limits: State, append: () throws -> Bool) {
        let length = recording.duration(with: duration, at: time)
        if limits.maxDuration.isNumeric, length > limits.maxDuration { return end(recording, AVError(.maximumDurationReached)) }
        if limits.minFreeSpace > 0, let free = environment.freeDiskSpace(recording.url), free < limits.minFreeSpace {
            return end(recording, AVError(.diskFull))
        }
        do {
            let isFirst = try append()
            recordingState.withLock { state in
                guard state.recording === recording else { return }
                state.duration = recording.duration
                state.size = recording.byteCount
            }
            if isFirst {
                tell(recording) { [self] in
                    $0.fileOutput(self, didStartRecordingTo: recording.url, startPTS: time, from: recording.connections)
                }
            }
        } catch {
            return end(recording, AVError(recordingFailure: error), isBroken: true)
        }
        if limits.maxDuration.isNumeric, length >= limits.maxDuration { return end(recording, AVError(.maximumDurationReached)) }
        if limits.maxSize > 0, recording.byteCount >= limits.maxSize { end(recording, AVError(.maximumFileSizeReached)) }
    }

    /// Ends `recording` on its own queue, unless another request has ended it already.
    private func end(_ recording: Recording, _ error: AVError, isBroken: Bool = false) {
        let isMine = recordingState.withLock { state in
            guard state.recording === recording else { return false }
            state.recording = nil
            state.isPaused = false
            state.lastError = error
            return true
        }
        if isMine { close(recording, error: error, isBroken: isBroken) }
    }

    private func close(_ recording: Recording, error: AVError?, isBroken: Bool = false) {
        let (url, connections) = (recording.url, recording.connections)
        tell(recording) { [self] in $0.fileOutput(self, willFinishRecordingTo: url, from: connections, error: error) }
        var outcome = error
        var isGood = false
        do {
            if isBroken {
                isGood = recording.salvage()
            } else {
                try recording.close()
                isGood = true
            }
        } catch {
            // Nobody can record it again: it stays, as far as it was written.
            isGood = recording.salvage()
            outcome = outcome ?? AVError(recordingFailure: error)
        }
        let told = outcome?.ofRecording(isGood: isGood)
        recordingState.withLock { $0.lastError = outcome }
        tell(recording) { [self] in $0.fileOutput(self, didFinishRecordingTo: url, from: connections, error: told) }
    }
}

extension MovieDescription {
    /// Description of a recording of this source.
    ///
    /// - Parameter cinematic: disparity map of the first frame of a cinematic movie; nil for a plain one.
    init(of source: SourceDescription, sound: Sound?, cinematic: DisparityMap?, wishes: Recording.Wishes) {
        self.init(
            width: source.width, height: source.height, frameDuration: source.frameDuration, codec: wishes.codec,
            pixelFormat: wishes.pixelFormat, rotation: wishes.rotation, isMirrored: wishes.isMirrored,
            sound: sound.map { SoundTrack(layout: $0.layout, sampleRate: $0.sampleRate) },
            metadata: wishes.metadata, fragments: wishes.fragments)
        self.cinematic = cinematic.map { CinematicTracks(width: $0.width, height: $0.height) }
        codedTracks = wishes.metadataTracks
    }

    /// Description of a recording of sound alone.
    init(of sound: Sound, wishes: Recording.Wishes) {
        self.init(
            sound: SoundTrack(layout: sound.layout, sampleRate: sound.sampleRate), metadata: wishes.metadata,
            fragments: wishes.fragments)
        codedTracks = wishes.metadataTracks
    }
}

/// Error of a recording in an environment without a movie writer.
package struct MovieWriterMissing: Error, CustomStringConvertible {
    package init() {}

    package var description: String { "no movie writer: set CaptureEnvironment.openMovie, or let RackfocusKit make the environment" }
}

extension AVError {
    /// Apple's error for what stopped the writer.
    package init(recordingFailure error: any Error) {
        if let error = error as? AVError {
            self = error
            return
        }
        switch (error as? OutputError)?.code {
        case .exists: self.init(.fileAlreadyExists, underlying: error)
        case .diskFull: self.init(.diskFull, underlying: error)
        default: self.init(.unknown, underlying: error)
        }
    }

    func ofRecording(isGood: Bool) -> AVError {
        AVError(code, userInfo: userInfo.merging([AVErrorRecordingSuccessfullyFinishedKey: NSNumber(value: isGood)]) { _, new in new })
    }
}
