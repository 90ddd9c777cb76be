/// Options of the lens besides its circle of confusion.
public struct BokehOptions: Sendable, Equatable {
    /// Expansion of clipped lights, the factor to their recorded brightness less one: 0 (take the picture as it is) to 16.
    ///
    /// Light below 80 % of white is left alone, and so are white things: a light is small, not long in any direction, and brighter than what is around
    /// it (`IsolatedLights`). Beside darker pixels less is taken: eight bits do not tell how much of the pixel shines.
    public var highlights: Double

    /// Blades of the iris, which make its opening a polygon: 3 to 16, or 0 for a round one.
    public var blades: Int

    /// Optical vignetting: how much the rim of the lens cuts discs towards the corners of the picture into cat's eyes: 0 to 1, where a disc in the very corner is
    /// half as wide across as it is round.
    public var catsEye: Double

    /// Vignetting of a lens of this full-frame-equivalent focal length in mm, 8 to 1000: corners lose light by the cos⁴ law, and by a cat's eye where
    /// there is one. Nil leaves the light as it is.
    public var vignetting: Double?

    /// Focus breathing of a lens of this full-frame-equivalent focal length in mm, 8 to 1000, that focuses by moving as a whole: the picture grows by
    /// 1 / (1 - f d), d being the focus disparity in 1/m. Nil leaves its size.
    public var breathing: Double?

    /// Onion rings of an aspherical element: how much brighter and darker than their mean the rings of a disc are in turn, 0 (even) to 1.
    public var onionRings = 0.0

    /// Axial chromatic aberration: how much farther red and blue focus than green, 1/m: 0 (not at all) to 0.2. It takes twice the time.
    public var axialColor = 0.0

    /// Noise of what is blurred.
    public enum Grain: String, Sendable, CaseIterable {
        /// Hardly any: the blur takes it.
        case none
        /// As much of the same spectrum as the source has at the same luma, measured in each picture.
        case match
    }

    /// Noise of what is blurred.
    public var grain = Grain.none

    /// A filter of the user's that runs over every picture after the blur, in a process of its own.
    public var shader: UserShader?

    /// Size of the layers in which blur is drawn; pixels in focus are those of the picture in either.
    public enum Quality: String, Sendable, CaseIterable {
        /// A quarter of the picture's size: for a viewfinder and a first look.
        case preview
        /// A half of the picture's size, a quarter above 4.5 megapixels, where both are the same.
        case full
    }

    /// Size of the layers.
    public var quality = Quality.full

    /// Whether the opening is an even circle all over the picture.
    var isRound: Bool { blades == 0 && catsEye == 0 && onionRings == 0 }

    /// Values out of range are brought into it.
    public init(highlights: Double = 4, blades: Int = 0, catsEye: Double = 0, vignetting: Double? = nil, shader: UserShader? = nil) {
        self.highlights = min(max(highlights, 0), 16)
        self.blades = blades < 3 ? 0 : min(blades, 16)
        self.catsEye = min(max(catsEye, 0), 1)
        self.vignetting = vignetting.map { min(max($0, 8), 1000) }
        self.shader = shader
    }
}
