internal import CLensKernels
import CoreVideo

extension LightFinder {
    /// Whether a light is among every second of so many pixels of luma and chroma bytes.
    func isPlanarLit(_ luma: UnsafePointer<UInt8>, _ chroma: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        rf_has_light8(luma, chroma, Int32(count), coding(unit: 1), knee) != 0
    }

    /// The same of ten bits at the top of sixteen.
    func isDeepLit(_ luma: UnsafePointer<UInt16>, _ chroma: UnsafePointer<UInt16>, _ count: Int) -> Bool {
        rf_has_light16(luma, chroma, Int32(count), coding(unit: 1.0 / 64), knee) != 0
    }

    private func coding(unit: Float) -> rf_light_coding {
        rf_light_coding(
            unit: unit, black: format.black, grey: format.grey, luma_range: format.lumaRange, blue: 2 * (1 - format.blue) / format.chromaRange,
            red: 2 * (1 - format.red) / format.chromaRange, blue_weight: format.blue, red_weight: format.red,
            green: -1 / (1 - format.red - format.blue))
    }
}
