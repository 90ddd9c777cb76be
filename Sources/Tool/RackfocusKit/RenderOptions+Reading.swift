import CoreMedia
import Media
import Pipeline
import ScenarioFormat

extension RenderOptions {
    /// Options for reading the scenario; `footage` stands in for its own.
    func reading(_ footage: ClipSource?) -> ReadingOptions {
        var reading = ReadingOptions(source: footage, phone: phone, folders: allowed)
        reading.orders = orders
        let (from, pictureDuration) = (delivery.span.from, frameDuration ?? CMTime(value: 1, timescale: 30))
        reading.timing = { source in
            let video = try VideoFileSource(path: source.soundPath ?? "", pictureDuration: pictureDuration).description
            return FootageTiming(frameDuration: video.frameDuration, timecode: video.timecode, from: from)
        }
        return reading
    }
}
