/// A step of the lens: groups of passes one after the other; the passes of a group touch nothing of each other's and run side by side.
struct LensStage {
    /// In the timings of a frame; nil where it counts for the next.
    let name: String?
    /// Nothing it reads is written by the stage before: no barrier between them.
    private(set) var runsBeside = false
    private(set) var isNeeded: (LensWork) -> Bool = { _ in true }
    let groups: [[LensPass]]

    /// The whole lens. A pass that is not in this table does not run.
    static func all(_ variant: LensVariant, _ geometry: LensGeometry) -> [LensStage] {
        let levels = geometry.pyramidLevels.indices.dropLast()
        return [
            LensStage(
                name: "setup", runsBeside: true,
                groups: [
                    LensPass.setupsFar + LensPass.setups(.without) + LensPass.setups(.finding) + [.fillUnknown],
                    LensPass.setups(.withHighlights),
                ]),
            LensStage(
                name: "fill", isNeeded: { $0.plan.hasHidden },
                groups: levels.map { [.fillPull($0)] } + levels.reversed().map(LensPass.fillPushes) + [LensPass.fillResolves]),
            LensStage(
                name: "row sums",
                groups: [LensPass.rowSums(.far, variant) + LensPass.rowSums(.near, variant).map { $0.onlyWhere(\.plan.hasNear) } + [.gatherSources]]),
            LensStage(name: "far discs", groups: [LensPass.discs(.far, variant) + [.gather, .gatherSourcesBroad]]),
            LensStage(name: "near discs", runsBeside: true, isNeeded: { $0.plan.hasNear }, groups: [LensPass.discs(.near, variant)]),
            LensStage(name: "broad discs", isNeeded: { !$0.plan.far.broad.isEmpty }, groups: [[.gatherBroad], [.upsampleBroad]]),
            LensStage(
                name: nil,
                groups: [
                    [.upsampleCoarse(.far), .blendCoarse, LensPass.upsampleCoarse(.near).onlyWhere(\.plan.hasNear)] + LensPass.encodeCoarse
                ]),
            LensStage(
                name: "composite",
                groups: [
                    LensPass.composites(.without, variant) + LensPass.composites(.finding, variant), LensPass.composites(.withHighlights, variant),
                ]),
            LensStage(name: "grain", isNeeded: \.hasGrain, groups: [LensPass.grain(variant)]),
            LensStage(name: "breathing", isNeeded: { _ in variant.isBreathing }, groups: LensPass.breathing(variant)),
            LensStage(name: "vignetting", isNeeded: { _ in variant.vignetting != nil }, groups: [LensPass.vignetting(variant)]),
        ]
    }
}
