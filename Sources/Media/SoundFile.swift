import CoreMedia
import Foundation
import Pipeline

/// The sound of a file, as far as it has one, two or, as first-order ambisonics, four channels.
public enum SoundFile {
    /// All of it, at the file's own rate; its time is that of the file's pictures.
    public static func read(_ path: String) throws(MediaError) -> Sound {
        let reader = try SoundReader(path: path)
        var samples: [Float] = []
        var start: CMTime?
        while let frame = try reader.next() {
            start = start ?? reader.time(of: frame)
            SoundReader.append(frame, to: &samples)
        }
        return Sound(presentationTime: start ?? .zero, sampleRate: reader.sampleRate, layout: reader.layout, samples: samples)
    }
}
