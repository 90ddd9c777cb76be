import CoreMedia
import CoreVideo
import Foundation
import Media
import Pipeline
import Support
import Synchronization

/// Writer of an export that can be gone on with: a movie for every few seconds, joined at the end.
final class SegmentedWriter: DeliveryWriter {
    private let path: String
    private let movie: MovieDescription
    private let settings: MovieFileWriter.Settings
    private let footage: MovieFileWriter.Footage
    private let replacesExisting: Bool
    /// Frames of a segment.
    private let length: Int
    private let state: Mutex<State>

    private struct State: Sendable {
        var parts: ExportParts
        /// Segment under way, the time of its first picture and the number of its pictures.
        var writer: MovieFileWriter?
        var start = CMTime.zero
        var frames = 0
        /// Entry of the recording of each picture that is to come.
        var entries: [Int] = []
        var remarks: [String] = []
    }

    /// - Parameters:
    ///   - length: frames of a segment.
    ///   - footage: file whose sound, timecode and chapters go along.
    init(
        path: String, movie: MovieDescription, delivery: DeliveryOptions.Resolved, footage: MovieFileWriter.Footage, parts: ExportParts, length: Int,
        replacingExisting: Bool
    ) {
        (self.path, self.movie, settings, self.footage, self.length) = (path, movie, .init(delivery), footage, length)
        replacesExisting = replacingExisting
        state = Mutex(State(parts: parts))
    }

    /// Refuses at once what could not be finished: Matroska, and an existing movie that is not to be replaced.
    static func check(_ path: String, replacingExisting: Bool) throws {
        guard MovieContainer(path) != .mkv else {
            throw MediaError(
                code: .unsupported, path: path,
                reason: "cannot be made of segments: Matroska rounds times; name it .mov or .mp4, or leave --resume out")
        }
        if !replacingExisting, FileManager.default.fileExists(atPath: path) { throw OutputError(code: .exists, path: path, action: "create") }
    }

    /// Says which entry of the recording the next picture is of; called once for each, in order, before it is appended.
    func expect(entry: Int) { state.withLock { $0.entries.append(entry) } }

    func append(_ image: CVPixelBuffer, at presentationTime: CMTime) throws {
        try state.withLock { state in
            let entry = state.entries.removeFirst()
            if state.writer == nil {
                let file = state.parts.path(state.parts.segments.count + 1)
                var part = movie
                part.end = movie.end.map { $0 - presentationTime }
                state.writer = try MovieFileWriter(path: file, movie: part, replacingExisting: true, settings: settings)
                (state.start, state.frames) = (presentationTime, 0)
            }
            try state.writer?.append(image, at: presentationTime - state.start)
            state.frames += 1
            if state.frames == length { try Self.close(&state, before: entry + 1) }
        }
    }

    /// Ends the segment under way; the next begins at an entry of the recording.
    private static func close(_ state: inout State, before next: Int) throws {
        guard let writer = state.writer else { return }
        let segment = ExportParts.Segment(start: [state.start.value, Int64(state.start.timescale)], frames: state.frames, next: next)
        try writer.finish(with: [try state.parts.note(segment)])
        state.parts.append(segment)
        state.writer = nil
    }

    func append(_ sound: Sound) throws {
        throw MediaError(code: .unsupported, path: path, reason: "takes its sound from the recording")
    }

    func finish() throws { try finish(with: []) }

    func finish(with others: [any PendingOutput]) throws {
        try state.withLock { state in
            try Self.close(&state, before: .max)
            state.remarks = try MovieJoin.join(
                state.parts.joined, to: path, movie: movie, footage: footage, replacingExisting: replacesExisting, with: others)
            state.parts.remove()
        }
    }

    var remarks: [String] { state.withLock { $0.remarks } }

    var byteCount: Int64 { state.withLock { $0.writer?.byteCount ?? 0 } }

    func salvage() -> Bool { false }

    /// Leaves the finished segments.
    func cancel() { state.withLock { $0.writer?.cancel() } }
}
