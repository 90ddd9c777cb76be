extension Sound {
    /// Converts the sound to another channel layout; its time, rate and length stay.
    ///
    /// Stereo is decoded as a coincident pair of cardioid microphones, left and right: left = (W + Y) / 2, right = (W − Y) / 2. Mono is W, the sum of
    /// both. Upmixing invents nothing: stereo spreads between left and right, mono comes from everywhere, and channels without a source are silent.
    public func mixed(to layout: Layout) -> Sound {
        guard layout != self.layout else { return self }
        var mixed = [Float]()
        mixed.reserveCapacity(sampleCount * layout.channelCount)
        for index in 0..<sampleCount {
            let (w, y) = omniAndSide(index)
            switch layout {
            case .mono: mixed.append(w)
            case .stereo:
                mixed.append((w + y) / 2)
                mixed.append((w - y) / 2)
            case .firstOrderAmbisonics: mixed.append(contentsOf: [w, y, 0, 0])
            }
        }
        return Sound(presentationTime: presentationTime, sampleRate: sampleRate, layout: layout, samples: mixed)
    }

    /// Ambisonic components W (omnidirectional) and Y (left minus right) of one sample.
    private func omniAndSide(_ index: Int) -> (w: Float, y: Float) {
        switch layout {
        case .mono: (samples[index], 0)
        case .stereo: (samples[2 * index] + samples[2 * index + 1], samples[2 * index] - samples[2 * index + 1])
        case .firstOrderAmbisonics: (samples[4 * index], samples[4 * index + 1])
        }
    }
}
