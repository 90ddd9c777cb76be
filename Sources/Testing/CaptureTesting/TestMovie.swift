import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import ScenarioRun
import Synchronization

/// Recording of an app under test: the times of its pictures and the length of its sound, without the media.
///
/// Its file holds the same in JSON, so that an app can move or delete it.
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

/// Movie writer that keeps times and counts samples.
final class TestMovieWriter: MovieWriter {
    private let movie: TestMovie
    private let disk: ScriptedDisk

    init(_ movie: TestMovie, on disk: ScriptedDisk) { (self.movie, self.disk) = (movie, disk) }

    func append(_ image: CVPixelBuffer, at presentationTime: CMTime) throws {
        try disk.check(path: movie.url.path)
        movie.append(presentationTime)
    }

    func append(_ sound: Sound) throws { movie.append(sound) }

    func append(_ sample: MovieSample, toCodedTrack track: Int) throws { movie.countCodedSample() }

    func finish() throws {
        let seconds = movie.times.map { String($0.seconds) }.joined(separator: ", ")
        try Data("{\"movie\": \"recorded in a test\", \"times\": [\(seconds)]}\n".utf8).write(to: movie.url)
        movie.finish()
    }

    /// One byte a picture and a thousand for a header.
    var byteCount: Int64 { Int64(1000 + movie.times.count) }
    func salvage() -> Bool { (try? finish()) != nil }
    func cancel() {}
}
