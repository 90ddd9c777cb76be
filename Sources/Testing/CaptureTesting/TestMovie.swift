import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import ScenarioRun
import Synchronization

/// Recording of an app under test: the times of its pictures and the length of its sound, without the media.
///
/// Its file holds the same in JSON, so that an app can move or delete it, unless the stage's `equip` brings a writer of movies.
public final class TestMovie: Sendable {
    /// File of the recording.
    public let url: URL
    private let content = Mutex<(times: [CMTime], sound: Double, coded: Int, isFinished: Bool)>(([], 0, 0, false))

    init(url: URL) { self.url = url }

    /// Presentation time of each picture in the file.
    public var times: [CMTime] { content.withLock { $0.times } }
    /// Duration of the sound in the file, seconds.
    public var soundDuration: Double { content.withLock { $0.sound } }
    /// Number of samples that came coded, as those of timed metadata do; a recording's track of these begins with an empty one.
    public var codedSampleCount: Int { content.withLock { $0.coded } }
    /// Whether the movie output has finished the file.
    public var isFinished: Bool { content.withLock { $0.isFinished } }

    fileprivate func append(_ time: CMTime) { content.withLock { $0.times.append(time) } }
    fileprivate func append(_ sound: Sound) { content.withLock { $0.sound += Double(sound.sampleCount) / Double(sound.sampleRate) } }
    fileprivate func countCodedSample() { content.withLock { $0.coded += 1 } }
    fileprivate func finish() { content.withLock { $0.isFinished = true } }
}

/// Movie writer that keeps times and counts samples, and hands all on to the writer of a file, if there is one.
final class TestMovieWriter: MovieWriter {
    private let movie: TestMovie
    private let hasSound: Bool
    private let disk: ScriptedDisk
    private let file: (any MovieWriter)?

    init(_ movie: TestMovie, hasSound: Bool, on disk: ScriptedDisk, written file: (any MovieWriter)?) {
        (self.movie, self.hasSound, self.disk, self.file) = (movie, hasSound, disk, file)
    }

    func append(_ image: CVPixelBuffer, at presentationTime: CMTime) throws {
        try disk.check(path: movie.url.path)
        try file?.append(image, at: presentationTime)
        movie.append(presentationTime)
    }

    func append(_ image: CVPixelBuffer, with cinematic: CinematicFrame, at presentationTime: CMTime) throws {
        try disk.check(path: movie.url.path)
        try file?.append(image, with: cinematic, at: presentationTime)
        movie.append(presentationTime)
    }

    /// Refuses sound in a movie that began without, as a writer of files does.
    func append(_ sound: Sound) throws {
        guard hasSound else { throw POSIXError(.EINVAL) }
        try file?.append(sound)
        movie.append(sound)
    }

    func append(_ sample: MovieSample, toCodedTrack track: Int) throws {
        try file?.append(sample, toCodedTrack: track)
        movie.countCodedSample()
    }

    func end(at time: CMTime) throws { try file?.end(at: time) }

    func finish() throws {
        if let file {
            try file.finish()
            return movie.finish()
        }
        let seconds = movie.times.map { String($0.seconds) }.joined(separator: ", ")
        try Data("{\"movie\": \"recorded in a test\", \"times\": [\(seconds)]}\n".utf8).write(to: movie.url)
        movie.finish()
    }

    /// One byte a picture and a thousand for a header.
    var byteCount: Int64 { file?.byteCount ?? Int64(1000 + movie.times.count) }

    func salvage() -> Bool {
        guard let file else { return (try? finish()) != nil }
        guard file.salvage() else { return false }
        movie.finish()
        return true
    }

    func cancel() { file?.cancel() }
}
