import CoreMedia

extension Sound {
    /// Number of the sample at `time` (numeric) at `sampleRate` samples per second, rounded down.
    ///
    /// Cut at these numbers, the stretches of frames of any rate follow each other without gap or overlap: at 30000/1001 frames per
    /// second and 48 kHz a frame has 1601 or 1602 samples, and five have 8008.
    public static func sample(at time: CMTime, sampleRate: Int) -> Int64 {
        let (scaled, scale) = (Int128(time.value) * Int128(sampleRate), Int128(time.timescale))
        return Int64(scaled >= 0 ? scaled / scale : (scaled - scale + 1) / scale)
    }

    /// Time of sample `number`.
    public static func time(of number: Int64, sampleRate: Int) -> CMTime { CMTime(value: number, timescale: CMTimeScale(sampleRate)) }

    /// Zeros for a range of samples, all channels.
    public static func silence(_ samples: Range<Int64>, sampleRate: Int, layout: Layout) -> Sound {
        Sound(
            presentationTime: time(of: samples.lowerBound, sampleRate: sampleRate), sampleRate: sampleRate, layout: layout,
            samples: [Float](repeating: 0, count: samples.count * layout.channelCount))
    }
}
