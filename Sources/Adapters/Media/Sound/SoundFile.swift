import CoreMedia
import Foundation
import Pipeline

/// Reader of a file's whole sound: one, two or, as first-order ambisonics, four channels.
public enum SoundFile {
    /// Decodes all of the sound at the file's own rate; its time is on the clock of the file's pictures. Throws `MediaError`.
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
