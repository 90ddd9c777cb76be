/// How the lens draws, apart from its circle of confusion.
public struct BokehOptions: Sendable, Equatable {
    /// How many times brighter than recorded a clipped light is taken to be, less one: 0 (take the picture as it is) to 16.
    ///
    /// Light below 80 % of white is left alone, and a plain surface keeps its brightness whatever the value. Beside darker pixels
    /// less is taken: eight bits do not tell how much of the pixel shines.
    public var highlights: Double

    public init(highlights: Double = 4) {
        self.highlights = min(max(highlights, 0), 16)
    }
}
