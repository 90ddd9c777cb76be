import Optics

/// Focus breathing: growth of the picture the nearer its focus is.
struct Breathing: Hashable {
    /// Full-frame-equivalent focal length, metres.
    let focalLength: Double
    /// Largest growth.
    static let most = 1.25

    /// Nil where the options want none.
    init?(_ options: BokehOptions) {
        guard let focalLength = options.breathing else { return nil }
        self.focalLength = focalLength / 1000
    }

    /// Size of the picture over that at infinity: 1 / (1 - f d).
    func magnification(focusDisparity: Double) -> Double { min(1 / max(1 - focalLength * max(focusDisparity, 0), 1 / Self.most), Self.most) }
}

extension LensPass {
    /// Copy of the finished picture, then the same enlarged; `breathing`.
    static func breathing(_ variant: LensVariant) -> [[LensPass]] {
        guard variant.isBreathing else { return [] }
        func passes(from sharp: LensBuffer, _ others: LensBuffer, to target: LensBuffer, copies: Bool) -> [LensPass] {
            func pass(_ picture: LensBuffer, _ tiles: @escaping (LensPlan) -> Range<Int>) -> LensPass {
                LensPass(
                    "breathing", .tiles(parts: variant.compositeParts, tiles), reads: ["picture": picture], writes: ["result": target],
                    constants: ["COPY": ShaderConstant(copies)])
            }
            let mixed = TileKind.allCases.map { kind in pass(others) { $0.mixedResolution[kind.rawValue].all } }
            return mixed + [pass(others, \.uniformCoarse.all), pass(sharp, \.sharp)]
        }
        return [passes(from: .picture, .result, to: .unbreathed, copies: true), passes(from: .unbreathed, .unbreathed, to: .result, copies: false)]
    }
}

extension LensBuffer {
    /// The finished picture before it is enlarged, rows without padding.
    static let unbreathed = LensBuffer("unbreathed", .uint1) { geometry in
        switch geometry.format.layout {
        case .planar: (geometry.paddedWidth / 4, geometry.paddedHeight * 3 / 2)
        case .deep: (geometry.paddedWidth / 2, geometry.paddedHeight * 3 / 2)
        case .packed: (geometry.paddedWidth, geometry.paddedHeight)
        case .wide: (2 * geometry.paddedWidth, geometry.paddedHeight)
        }
    }
}
