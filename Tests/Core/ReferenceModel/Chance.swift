extension Cast {
    /// Everybody at a distance drawn by chance.
    init(seed: Int) {
        self.init()
        let noise = Noise(seed: UInt64(seed) &* 104_729)
        (ana, benNear, benFar) = (0.5 + 0.3 * noise.uniform(1), 0.8 + 0.6 * noise.uniform(2), 0.25 + 0.25 * noise.uniform(3))
    }
}

extension [Duel.Beat] {
    /// So many beats drawn by chance, each of which may happen when its turn comes.
    init(seed: Int, count: Int, in cast: Cast) {
        let noise = Noise(seed: UInt64(seed) &* 104_729)
        var cast = cast
        self = (0..<count).map { index in
            let happening = cast.possible[Int(noise.uniform(100 + 2 * index) * Double(cast.possible.count))]
            _ = cast.happen(happening)
            let draw = noise.uniform(101 + 2 * index)
            return Duel.Beat(happening: happening, frames: 1 + Int(draw * draw * 60))
        }
    }
}
