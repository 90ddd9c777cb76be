import Foundation
import TestSupport
import Testing

@testable import Benchmarks

/// Agreement of each own kernel with the function of OpenCV or dlib that it replaces, on painted pictures; `rackfocus bench vision` times both.
@Suite("Kernels agree with the libraries that they replace")
struct KernelParityTests {
    private static let painted = Result { try VisionScene(width: 960, height: 540) }

    private let scene: VisionScene

    init() throws { scene = try Self.painted.get() }

    @Test(
        "cascades of Haar features: raw windows of OpenCV's, all but one in 200",
        arguments: [("haarcascade_frontalface_alt2", 100), ("haarcascade_profileface", 30), ("haarcascade_frontalcatface_extended", 15)])
    func haarCascade(name: String, least: Int) throws {
        let (common, all) = try counts(.haarCascade(scene, cascade: name))
        #expect(all >= least && common * 200 >= all * 199, "\(common) of \(all)")
    }

    @Test("FHOG: every box of dlib's detector, in its order")
    func fhog() throws {
        let (common, all) = try counts(.fhog(scene, reducedBy: 1))
        #expect(all >= 3 && common == all, "\(common) of \(all)")
    }

    @Test("FHOG: pyramid a level off at most")
    func pyramid() throws { #expect(try difference(.pyramid(scene)) <= 1) }

    @Test("semi-global matching: more pixels right within a pixel than OpenCV's, four in five")
    func semiglobalMatching() throws {
        let (kernel, oracle) = try shares(.semiglobalMatching(scene))
        #expect(kernel >= 0.8 && kernel > oracle, "\(kernel), OpenCV \(oracle)")
    }

    @Test("semi-global matching: the same speckles go")
    func speckles() throws {
        let (common, all) = try counts(.speckleFilter(scene))
        #expect(common == all, "\(common) of \(all)")
    }

    @Test("semi-global matching, refined: fewer pixels wrong than by OpenCV's SGBM and WLS filter, at edges too")
    func stereoDisparity() throws {
        let (kernel, oracle) = try errors(.stereoDisparity(scene))
        #expect(kernel.all < oracle.all && kernel.edges < oracle.edges, "\(kernel), OpenCV \(oracle)")
    }

    @Test(
        "Middlebury's pairs: fewer pixels wrong than by OpenCV's SGBM and WLS filter, at edges too, on five of six",
        .enabled(if: Checkout.hasShared("stereo/datasets.xml"), "needs ../shared/data/stereo"))
    func middlebury() throws {
        let pairs = try StereoPair.all(in: Checkout.shared.appending(path: "stereo").path)
        let results = try pairs.map { pair in (name: pair.name, errors: try errors(.stereoDisparity(pair))) }
        let better = results.count { $0.errors.kernel.all < $0.errors.oracle.all && $0.errors.kernel.edges < $0.errors.oracle.edges }
        #expect(results.count == 6 && better >= 5, "\(results)")
    }

    @Test("weighted mode: as many pixels of widened surfaces right as by a weighted median, but for two in 100")
    func weightedMode() throws {
        let (kernel, oracle) = try shares(.weightedMode(scene))
        #expect(kernel >= 0.9 && kernel > oracle - 0.02, "\(kernel), OpenCV \(oracle)")
    }

    @Test("fast global smoother: within 0.0001 pixels of disparity")
    func fastGlobalSmoother() throws { #expect(try difference(.fastGlobalSmoother(scene)) <= 1e-4) }

    @Test("edge sharpening: the minima and maxima of OpenCV's erosion and dilation, bit for bit", arguments: [1, 2, 3, 6, 8] as [Int32])
    func extrema(radius: Int32) throws { #expect(try difference(.extrema(scene, radius: radius)) == 0) }

    @Test("edge sharpening: more pixels of blurred steps right than by a joint bilateral filter, 85 in 100")
    func rampSharpener() throws {
        let (kernel, oracle) = try shares(.rampSharpener(scene))
        #expect(kernel >= 0.85 && kernel > oracle, "\(kernel), OpenCV \(oracle)")
    }

    @Test("edge sharpening: more upsampled pixels right than by a joint bilateral filter, 95 in 100")
    func jointUpsampling() throws {
        let (kernel, oracle) = try shares(.jointUpsampling(scene))
        #expect(kernel >= 0.95 && kernel > oracle, "\(kernel), OpenCV \(oracle)")
    }

    @Test("hole filling: the values of eight rays")
    func holeFilling() throws { #expect(try difference(.holeFilling(scene)) == 0) }

    @Test("disparity refinement: more pixels right than by smoothing alone, nine in ten")
    func disparityRefinement() throws {
        let (kernel, oracle) = try shares(.disparityRefinement(scene))
        #expect(kernel >= 0.9 && kernel > oracle, "\(kernel), OpenCV \(oracle)")
    }

    @Test("area reduction: the bytes of OpenCV's", arguments: Array(3...16) + [40, 60, 64])
    func areaReduction(factor: Int) throws {
        #expect(try difference(.areaReduction(scene, factor: factor)) == 0)
        #expect(try difference(.chromaReduction(scene, factor: factor)) == 0)
    }

    @Test("area reduction by 4 : 3 and 8 : 3: the bytes of OpenCV's", arguments: [4, 8])
    func sharedReduction(p: Int) throws { #expect(try difference(.sharedReduction(scene, p: p)) == 0) }

    @Test("light meter: levels, texture, entropy and redness of OpenCV's measurements, to 9 digits")
    func lightMeter() throws { #expect(try difference(.lightMeter(scene)) <= 1e-9) }

    @Test("temporal average: a level off at most, where a half is rounded")
    func temporalAverage() throws { #expect(try difference(.temporalAverage(scene)) <= 1) }

    @Test("minimum barrier distance: the paper's algorithm")
    func minimumBarrier() throws { #expect(try difference(.minimumBarrier(scene)) == 0) }

    @Test("palette: the bits of OpenCV's k-means, also where clusters stay empty", arguments: [false, true])
    func colourPalette(isFlat: Bool) throws { #expect(try difference(.colourPalette(scene, isFlat: isFlat)) == 0) }

    @Test("colour model: as much of a ball as GrabCut, all but one pixel in 100")
    func colourModel() throws {
        let (kernel, oracle) = try shares(.colourModel())
        #expect(kernel >= 0.99 && kernel >= oracle - 0.01, "\(kernel), OpenCV \(oracle)")
    }

    @Test("median flow: a quarter of a pixel, or of a percent of growth, from OpenCV's least median of squares")
    func medianFlow() throws { #expect(try difference(.medianFlow()) <= 0.25) }

    @Test("network decoding: the boxes that OpenCV keeps")
    func suppression() throws {
        let (common, all) = try counts(.nonMaximumSuppression())
        #expect(all >= 40 && common == all, "\(common) of \(all)")
    }

    /// OpenCV's affine models of the camera (least median of squares, RANSAC) give another motion, and plain video looks different with it;
    /// `ResidualMotionTests` know the result by construction. No subtractor of OpenCV has shadows and neighbours; `BackgroundPlateTests` know what stands there.
    /// OpenCV has no localized classifiers; `LocalizedClassifiersTests` know the outline.
    private static let notCompared: Set = ["BackgroundSubtraction", "LocalizedClassifiers", "ResidualMotion"]

    @Test("every folder of kernels is compared, or said to be not")
    func folders() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Checkout.root.appending(path: "Sources/Adapters/CVisionKernels").path)
        let compared = Set(VisionBench.kernelNames.map { String($0.prefix { $0 != "," }) })
        #expect(Set(folders).subtracting(["Common", "include"]) == compared.union(Self.notCompared))
    }

    private func counts(_ comparison: KernelComparison) throws -> (common: Int, all: Int) {
        guard case .common(let count, let all) = try comparison.agreement() else { throw WrongAgreement(kernel: comparison.kernel) }
        return (count, all)
    }

    private func difference(_ comparison: KernelComparison) throws -> Double {
        guard case .difference(let most) = try comparison.agreement() else { throw WrongAgreement(kernel: comparison.kernel) }
        return most
    }

    private func shares(_ comparison: KernelComparison) throws -> (kernel: Double, oracle: Double) {
        guard case .right(let kernel, let oracle) = try comparison.agreement() else { throw WrongAgreement(kernel: comparison.kernel) }
        return (kernel, oracle)
    }

    private func errors(_ comparison: KernelComparison) throws -> (kernel: StereoErrors, oracle: StereoErrors) {
        guard case .wrong(let kernel, let oracle) = try comparison.agreement() else { throw WrongAgreement(kernel: comparison.kernel) }
        return (kernel, oracle)
    }

    /// Agreement of another kind than the test asks for.
    private struct WrongAgreement: Error {
        let kernel: String
    }
}
