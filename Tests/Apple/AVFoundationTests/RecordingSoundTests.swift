import AVFoundation
import Pipeline
import Testing

@testable import AVFCapture

@Suite("Sound in a recording")
struct RecordingSoundTests {
    private final class Deaf: NSObject, AVCaptureFileOutputRecordingDelegate {
        func fileOutput(
            _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL, from connections: [AVCaptureConnection], error: (any Error)?
        ) {}
    }

    /// Mono at 300 samples per second, each of which is its own time in samples: frame `n` of 1/30 s is from 10n.
    private func sound(_ samples: Range<Int>) -> Sound {
        Sound(
            presentationTime: CMTime(value: Int64(samples.lowerBound), timescale: 300), sampleRate: 300, layout: .mono,
            samples: samples.map(Float.init))
    }

    private func write(_ recording: Recording, _ movie: FakeMovie, frame: Int, sound heard: Range<Int>) throws {
        let time = CMTime(value: Int64(frame), timescale: 30)
        _ = try recording.append(CountingSource.frame(index: frame).image, nil, at: time, duration: CMTime(value: 1, timescale: 30)) { movie }
        try recording.append(sound(heard))
    }

    private func recording() -> Recording {
        Recording(url: URL(fileURLWithPath: "/tmp/rackfocus-never-written.mov"), connections: [], wishes: .init(), delegate: Deaf())
    }

    /// Samples of the file.
    private func track(_ movie: FakeMovie) -> [Int: Int] {
        var track: [Int: Int] = [:]
        for sound in movie.all.sounds {
            let start = Int((sound.presentationTime.seconds * 300).rounded())
            for (index, sample) in sound.samples.enumerated() { track[start + index] = Int(sample) }
        }
        return track
    }

    @Test("begins with the first frame, ends with the last, and leaves no gap for a pause")
    func inStep() throws {
        let (recording, movie) = (recording(), FakeMovie())
        try recording.append(sound(40..<50))
        for frame in 5..<8 { try write(recording, movie, frame: frame, sound: 10 * frame..<10 * frame + 10) }
        recording.leaveGap()
        try recording.append(sound(80..<110))
        for frame in 11..<13 { try write(recording, movie, frame: frame, sound: 10 * frame..<10 * frame + 10) }
        try recording.close()
        #expect(movie.all.times == (0..<5).map { CMTime(value: $0, timescale: 30) })
        #expect(track(movie) == Dictionary(uniqueKeysWithValues: (0..<50).map { ($0, $0 < 30 ? $0 + 50 : $0 + 80) }))
    }

    @Test("comes in stretches of any length, early or late, and is cut to the frames")
    func anyStretch() throws {
        let (recording, movie) = (recording(), FakeMovie())
        try write(recording, movie, frame: 5, sound: 43..<57)
        try write(recording, movie, frame: 6, sound: 57..<58)
        try write(recording, movie, frame: 7, sound: 58..<99)
        recording.leaveGap()
        try write(recording, movie, frame: 20, sound: 195..<230)
        try recording.close()
        #expect(track(movie) == Dictionary(uniqueKeysWithValues: (0..<40).map { ($0, $0 < 30 ? $0 + 50 : $0 + 170) }))
    }
}
