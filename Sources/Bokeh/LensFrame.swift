import CoreVideo
import Pipeline

/// What one frame under way occupies: its layers, and the user's filter over it.
final class LensFrame {
    let layers: LensLayers
    private let filter: PictureFilter.Pass?
    private let staging: PictureStaging

    init(_ layers: LensLayers, filter: PictureFilter?) throws {
        self.layers = layers
        self.filter = try filter.map { try PictureFilter.Pass($0, of: layers.result) }
        staging = PictureStaging(geometry: layers.geometry.picture)
    }

    func upload(_ image: CVPixelBuffer, _ disparity: DisparityMap) {
        staging.copy(image, to: layers.picture.contents)
        PictureStaging.copy(disparity, to: layers.disparity.contents, geometry: layers.geometry)
        // The filter wants all of the picture, what is not touched too.
        if filter != nil { layers.result.contents.copyMemory(from: layers.picture.contents, byteCount: layers.result.byteCount) }
    }

    func start(_ plan: LensPlan, _ parameters: LensParameters) throws { try layers.start(plan, parameters, then: filter) }

    func download(to result: CVPixelBuffer, sharp image: CVPixelBuffer, plan: LensPlan) {
        if let filter {
            staging.copy(filter.result.contents, to: result)
        } else {
            staging.assemble(result, from: layers.result.contents, sharp: image, plan: plan)
        }
    }
}
