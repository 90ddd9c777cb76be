import AVFoundation
import Pipeline
import Support
import Synchronization
import TestSupport

/// Keeps what would be in a file: 1000 bytes a frame.
final class FakeMovie: MovieWriter {
    struct Content: Sendable {
        var lumas: [UInt8] = []
        var times: [CMTime] = []
        var sounds: [Sound] = []
        var codedTracks: [MovieContents.Track] = []
        var coded: [MovieSample] = []
        var isFinished = false
        var isCancelled = false
    }

    let content = Mutex(Content())
    private let failsAt: Int?
    private let salvages: Bool

    init(failsAt: Int? = nil, salvages: Bool = false) { (self.failsAt, self.salvages) = (failsAt, salvages) }

    func append(_ image: CVPixelBuffer, at presentationTime: CMTime) throws {
        try content.withLock { content in
            if content.times.count == failsAt { throw OutputError(code: .diskFull, path: "fake", action: "write") }
            content.lumas.append(image.plane(0).row(0, as: UInt8.self)[0])
            content.times.append(presentationTime)
        }
    }

    func append(_ sound: Sound) throws { content.withLock { $0.sounds.append(sound) } }
    func append(_ sample: MovieSample, toCodedTrack track: Int) throws { content.withLock { $0.coded.append(sample) } }
    func salvage() -> Bool {
        if !salvages { cancel() }
        return salvages
    }
    func finish() throws { content.withLock { $0.isFinished = true } }
    func cancel() { content.withLock { $0.isCancelled = true } }
    var byteCount: Int64 { content.withLock { Int64(1000 * $0.times.count) } }
    var all: Content { content.withLock { $0 } }
}

/// Hears of recordings; `end()` waits for the last word.
final class Recorder: NSObject, AVCaptureFileOutputRecordingDelegate, @unchecked Sendable {
    private let heard = Mutex<(words: [String], error: AVError?)>(([], nil))
    private let ended = DispatchSemaphore(value: 0)

    func fileOutput(
        _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, startPTS: CMTime, from connections: [AVCaptureConnection]
    ) {
        note("start \(startPTS.value)")
    }
    func fileOutput(_ output: AVCaptureFileOutput, didPauseRecordingTo fileURL: URL, from connections: [AVCaptureConnection]) { note("pause") }
    func fileOutput(_ output: AVCaptureFileOutput, didResumeRecordingTo fileURL: URL, from connections: [AVCaptureConnection]) { note("resume") }
    func fileOutput(
        _ output: AVCaptureFileOutput, willFinishRecordingTo fileURL: URL, from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        note("will finish")
    }
    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL, from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        heard.withLock { $0.error = error as? AVError }
        note("did finish")
        ended.signal()
    }

    private func note(_ word: String) { heard.withLock { $0.words.append(word) } }
    var words: [String] { heard.withLock { $0.words } }
    var error: AVError? { heard.withLock { $0.error } }
    var isFileGood: Bool? { error?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool }
    func end() -> Bool { ended.wait(timeout: .now() + patience) == .success }
}

/// Hears the start in the way of before iOS 18.2.
final class PlainRecorder: NSObject, AVCaptureFileOutputRecordingDelegate, @unchecked Sendable {
    let starts = Mutex(0)
    let ended = DispatchSemaphore(value: 0)

    func fileOutput(_ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, from connections: [AVCaptureConnection]) {
        starts.withLock { $0 += 1 }
    }
    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL, from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        ended.signal()
    }
}
