import Bokeh
import CoreVideo
import LensTruth
import Pipeline
import Testing

/// The first real GPU and the software device beside it.
private let devices: (real: VulkanDevice, software: VulkanDevice)? = {
    do {
        let all = try VulkanBokehRenderer.devices()
        guard let software = all.first(where: { $0.type == .software }),
            let real = all.first(where: { $0.type == .discrete || $0.type == .integrated })
        else { return nil }
        return (real, software)
    } catch {
        return nil
    }
}()

@Suite("A real GPU beside the software device", .validated, .enabled(if: devices != nil, "needs a real GPU and lavapipe"))
struct RealGPUTests {
    @Test("draws the same pictures within one code on 99.9 % of the samples", arguments: 0..<6, [false, true])
    func same(index: Int, isHDR: Bool) throws {
        let scene = LensScene.shipped(width: 480, height: 270, aperture: 3)[index]
        let image = isHDR ? scene.sharpHDR() : scene.sharp()
        let map = scene.disparity()
        let (real, software) = try #require(devices)
        func draw(_ device: VulkanDevice) throws -> [Int] {
            let lens = try VulkanBokehRenderer(gpu: .index(device.index), validation: true)
            let drawn = TestPicture.codes(try lens.render(image, disparity: map, circle: scene.circle))
            #expect(lens.validationMessages == [])
            return drawn
        }
        let (ours, theirs) = (try draw(real), try draw(software))
        let differences = zip(ours, theirs).map { abs($0 - $1) }
        let off = differences.count { $0 > 1 }
        #expect(off * 1000 <= ours.count)
        #expect(ours != TestPicture.codes(image))
    }
}
