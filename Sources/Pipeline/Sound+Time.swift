import CoreMedia

extension Sound {
    public var duration: CMTime { CMTime(value: Int64(sampleCount), timescale: Int32(clamping: sampleRate)) }

    /// The samples from `start` to before `end`, both to the nearest sample; adjoining stretches share none and miss none.
    public func cut(from start: CMTime, to end: CMTime = .positiveInfinity) -> Sound {
        let (first, last) = (index(at: start), index(at: end))
        let channels = layout.channelCount
        return Sound(
            presentationTime: presentationTime + CMTime(value: Int64(first), timescale: Int32(clamping: sampleRate)), sampleRate: sampleRate,
            layout: layout, samples: Array(samples[first * channels..<max(first, last) * channels]))
    }

    private func index(at time: CMTime) -> Int {
        guard time > presentationTime else { return 0 }
        guard time < presentationTime + duration else { return sampleCount }
        return Int(((time - presentationTime).seconds * Double(sampleRate)).rounded())
    }
}
