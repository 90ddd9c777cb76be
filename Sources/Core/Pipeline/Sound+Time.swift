import CoreMedia

extension Sound {
    /// Duration, sample count over sample rate.
    public var duration: CMTime { CMTime(value: Int64(sampleCount), timescale: Int32(clamping: sampleRate)) }

    /// Trims the sound to `start` until before `end`, each to the nearest sample; adjoining parts share none and miss none.
    public func cut(from start: CMTime, to end: CMTime = .positiveInfinity) -> Sound {
        let (first, last) = (index(at: start), index(at: end))
        let channels = layout.channelCount
        return Sound(
            presentationTime: presentationTime + CMTime(value: Int64(first), timescale: Int32(clamping: sampleRate)), sampleRate: sampleRate,
            layout: layout, samples: Array(samples[first * channels..<max(first, last) * channels]))
    }

    /// The sound with the one that adjoins its end; that alone where it is of another layout or rate.
    public func followed(by next: Sound) -> Sound {
        guard next.layout == layout, next.sampleRate == sampleRate else { return next }
        return Sound(presentationTime: presentationTime, sampleRate: sampleRate, layout: layout, samples: samples + next.samples)
    }

    private func index(at time: CMTime) -> Int {
        guard time > presentationTime else { return 0 }
        guard time < presentationTime + duration else { return sampleCount }
        return Int(((time - presentationTime).seconds * Double(sampleRate)).rounded())
    }
}
