import CoreVideo
import LensTruth

/// Truth of a scene and its depth edges, against which pictures are scored.
struct LensJudge {
    let truth: CVPixelBuffer
    let edges: [Bool]

    func score(_ picture: CVPixelBuffer) -> PictureScore { PictureScore(of: picture, against: truth, edges: edges) }
}
