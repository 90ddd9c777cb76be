extension Population {
    /// Everybody at a distance drawn by chance.
    init(seed: Int) {
        self.init()
        let noise = Noise(seed: UInt64(seed) &* 104_729)
        (ana, benNear, benFar) = (0.5 + 0.3 * noise.uniform(1), 0.8 + 0.6 * noise.uniform(2), 0.25 + 0.25 * noise.uniform(3))
    }
}

extension [EngineComparison.Step] {
    /// So many steps drawn by chance, each of which may happen when its turn comes.
    init(seed: Int, count: Int, in population: Population) {
        let noise = Noise(seed: UInt64(seed) &* 104_729)
        var population = population
        self = (0..<count).map { index in
            let event = population.possible[Int(noise.uniform(100 + 2 * index) * Double(population.possible.count))]
            _ = population.apply(event)
            let draw = noise.uniform(101 + 2 * index)
            return EngineComparison.Step(event: event, frames: 1 + Int(draw * draw * 60))
        }
    }
}
